/** A gateway served on loopback in this process, and data directories of the command line that know it. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningServer } from '../../src/http/server.ts';
import { Api } from '../http/api.ts';
import { CliSandbox } from './cli.ts';
import { serveApp } from './serve-app.ts';

export class ServedLedger {
  readonly api: Api;
  readonly #server: RunningServer;

  private constructor(api: Api, server: RunningServer) {
    this.api = api;
    this.#server = server;
  }

  /** @param allowed addresses from which its account M1/A1 may query */
  static async start(allowed: readonly string[] = ['127.0.0.1']): Promise<ServedLedger> {
    const api = await Api.make({}, [{ allow_ip: [...allowed] }]);
    const server = await serveApp(api.app);
    return new ServedLedger(api, server);
  }

  get url(): string {
    return this.#server.url;
  }

  /** File with the key of M1/A1. */
  get keyFile(): string {
    return join(this.api.sandbox.folders.keys, 'A1.key');
  }

  async stop(): Promise<void> {
    await this.#server.stop(1000);
    await this.api.remove();
  }
}

/**
 * A new data directory with account M1/A1.
 * @param keyFile its key; else a new one is made
 */
export async function directoryWith(environment: 'sandbox' | 'live', keyFile?: string): Promise<CliSandbox> {
  const directory = new CliSandbox();
  await directory.run('init', '--environment', environment);
  const key = keyFile === undefined ? [] : ['--key-file', keyFile];
  const { exit, err } = await directory.run(
    ...['account', 'add', '--merchant', 'M1', '--account', 'A1', '--currency', 'USD', ...key],
  );
  if (exit !== 0) throw new Error(err);
  return directory;
}

/** Writes batchgate.yaml: the settings of gateways by name, and which of them is preferred. */
export function configure(
  { data }: CliSandbox,
  gateways: Readonly<Record<string, object>>,
  preferred?: string,
): void {
  const content = { gateways, ...(preferred === undefined ? {} : { gateway: preferred }) };
  // JSON is YAML.
  writeFileSync(join(data, 'batchgate.yaml'), JSON.stringify(content));
}
