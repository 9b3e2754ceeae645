/** What every program under faults is given: a pipeline's context, and how its file was handed in. */
import { basename } from 'node:path';

/** @param executor what executes the batches */
export function contextOf({ folders, database, executor, now, concurrency }) {
  return {
    folders,
    database,
    executor: () => executor,
    environment: 'sandbox',
    version: 'test',
    keysOf: async () => [],
    keyedHash: (text) => `keyed ${text.length}`,
    clock: () => now,
    actor: 'test',
    concurrency,
    out: undefined,
    interruption: () => undefined,
    onProgress: undefined,
  };
}

/** How files of a folder are read and executed. */
export const PLAIN = {
  reading: { style: { decimal: 'dot', thousands: 'none' } },
  gateway: 'engine',
  policy: 'valid-lines',
  repeats: 'hold',
};

/** @param gateway what its batch names */
export function submissionOf(path, gateway = PLAIN.gateway) {
  return {
    ...PLAIN,
    path,
    name: basename(path),
    gateway,
    control: [],
    submittedBy: 'test',
    submittedFrom: 'here',
  };
}
