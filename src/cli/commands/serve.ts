/** `batchgate serve`: answers the API over HTTP. */
import { loadConfig, type ServeConfig } from '../../config.ts';
import { holds, networkList } from '../../wire/network.ts';
import { command } from '../command.ts';
import { inExecution } from '../compose.ts';
import { UsageError } from '../errors.ts';
import { withData } from '../options.ts';

export const serveCommand = command({
  usage: 'serve',
  describe: 'answer the API over HTTP',
  examples: [
    ['serve', 'on http://127.0.0.1:8080'],
    ['serve --port 0', 'on a port that the system chooses; the first line says which'],
    ['serve --host 0.0.0.0', 'for others; needs tls: or behind_proxy: in batchgate.yaml'],
  ],
  build: (yargs) =>
    withData(yargs)
      .option('host', {
        type: 'string',
        requiresArg: true,
        describe: 'address to listen on (default 127.0.0.1)',
      })
      .option('port', { type: 'string', requiresArg: true, describe: 'port to listen on (default 8080)' }),
  run: async (args) => {
    const config = loadConfig(args);
    checkExposure(config.serve);
    // Loaded here alone: a server's libraries take longer to load than most commands to run.
    const { serve } = await import('../serve.ts');
    return inExecution(config, (opened) => serve(config, opened));
  },
});

/** Signed messages hold what nobody on the way may read: elsewhere than on this machine they need TLS, here or before. */
function checkExposure({ host, tls, behindProxy }: ServeConfig): void {
  if (isLoopback(host) || tls !== undefined || behindProxy.length > 0) return;
  throw new UsageError(
    `--host ${host} would be reached without encryption`,
    'Say tls: {key, cert} in batchgate.yaml, or behind_proxy: with the address of the proxy that has it.',
  );
}

const LOOPBACK = networkList(['127.0.0.0/8', '::1']);

function isLoopback(host: string): boolean {
  return host === 'localhost' || holds(LOOPBACK, host);
}
