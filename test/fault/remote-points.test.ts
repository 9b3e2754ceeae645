/**
 * Faults of the machine at every point of a batch against a remote gateway: each call that changes something on the disk is
 * killed, torn, or refused by a disk that fails or is full, or the power goes. The gateway counts what it executes.
 * FAULT_POINTS=all visits every point in every mode.
 */
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Folders } from '../../src/batch/folders.ts';
import { verify } from '../../src/batch/verify.ts';
import { Database } from '../../src/ledger/database.ts';
import type { BatchDocument } from '../../src/report/document.ts';
import { Chance } from '../support/chance.ts';
import { csv, ENTRY, NOON, readCsv, Sandbox } from '../support/ledger.ts';
import { Forked } from './harness/forked.ts';
import { plantIn } from './harness/mutants.ts';
import { MODES, planOf } from './harness/plans.ts';
import { BUILT } from './harness/scene.ts';
import { buildShim, whyNoShim } from './harness/shim.ts';

const SEED = Number(process.env.FAULT_SEED ?? Date.now() % 2 ** 31);
const POINTS = process.env.FAULT_POINTS ?? '24';

const CHILD = fileURLToPath(new URL('remote-child.mjs', import.meta.url));
const TEMPORARY = process.env.TMPDIR === undefined && existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** Three chunks; one line is refused, and one is a repeat that must never go out. */
const IDS = [...Array.from({ length: 118 }, (_, at) => `T${at + 1}`), 'refused1'];
const FILE = csv(ENTRY, ...[...IDS, 'T1'].map((id) => `${id},O-${id},USD,1.00`));

/** The line that repeats another. */
const REPEAT = String(IDS.length + 2);

const PAYOUT_COLUMNS =
  'request_id,payment_method,source_currency,payment_currency,source_amount,beneficiary.entity_type,beneficiary.company_name,beneficiary.bank_details.iban';
const PAYOUT_IDS = ['P1', 'P2', 'P3'];
const PAYOUTS = csv(
  PAYOUT_COLUMNS,
  ...PAYOUT_IDS.map((id) => `${id},SEPA,EUR,EUR,10.00,COMPANY,Acme,DE89370400440532013000`),
);

const missing = whyNoShim();
let folder: string;
let prepared: string;
let library: string;
let forked: Forked;

beforeAll(async () => {
  if (missing !== undefined) return;
  folder = mkdtempSync(join(TEMPORARY, 'batchgate-remote-'));
  prepared = join(folder, 'prepared');
  const sandbox = await Sandbox.make();
  await sandbox.database.close();
  cpSync(sandbox.folders.root, prepared, { recursive: true });
  rmSync(sandbox.folders.root, { recursive: true });
  writeFileSync(join(folder, 'capture.csv'), FILE);
  writeFileSync(join(folder, 'payout.csv'), PAYOUTS);
  library = buildShim(folder);
  forked = await Forked.start(library, BUILT, folder, job(copy('keys'), 'capture.csv', ''), CHILD);
}, 120_000);

afterAll(() => {
  if (missing !== undefined) return;
  forked?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** @param kind `keys` for a gateway that honours them */
function copy(kind: 'keys' | 'none'): string {
  const root = mkdtempSync(join(folder, `${kind}-`));
  cpSync(prepared, root, { recursive: true });
  return root;
}

function job(root: string, file: string, plan: string) {
  return { root, path: join(folder, file), plan, seed: SEED, concurrency: 2, now: NOON, held: false };
}

/** How often the gateway has executed each instruction. */
function executed(root: string): ReadonlyMap<string, number> {
  const path = `${root}.gateway`;
  const counts = new Map<string, number>();
  for (const line of existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []) {
    const id = line.split(' ')[0]!;
    if (id !== '') counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

/** What a finished report says that the gateway's own count does not. */
function contradictions(document: BatchDocument, root: string, honoursKeys: boolean): readonly string[] {
  const counts = executed(root);
  const found: string[] = [];
  for (const [id, times] of counts) if (times > 1) found.push(`${id} was executed ${times} times`);
  const lines = readCsv(document.reports.result);
  for (const { transaction_id, request_id, outcome, line } of lines) {
    if (line === REPEAT && transaction_id === 'T1') {
      if (outcome !== 'duplicate') found.push(`the repeat is ${outcome}`);
      continue;
    }
    const id = transaction_id ?? request_id!;
    const times = counts.get(id) ?? 0;
    const isRight =
      outcome === 'succeeded' ? times === 1 : outcome === 'unknown' ? !honoursKeys : times === 0;
    if (!isRight) found.push(`line ${line}, ${id}, is ${outcome} and was executed ${times} times`);
  }
  if (lines.length !== document.lines.total) found.push(`${lines.length} lines in the result`);
  return found;
}

async function cycle(
  program: Forked,
  kind: 'keys' | 'none',
  file: string,
  plans: readonly string[],
): Promise<readonly string[]> {
  const root = copy(kind);
  const breaches: string[] = [];
  const said: string[] = [];
  for (const plan of plans) {
    const ended = await program.run(job(root, file, plan));
    said.push(`${plan} (${ended.what})`);
    if (ended.lost !== undefined) breaches.push(`it ended by ${ended.lost}`);
    if (ended.exit !== undefined && ![0, 3, 5, 7].includes(ended.exit))
      breaches.push(`exit ${ended.exit} ${ended.message}`);
  }
  const last = await program.run(job(root, file, ''));
  if (last.document === undefined || !['completed', 'unknown'].includes(last.document.status))
    breaches.push(`afterwards exit ${last.exit} ${last.message ?? last.document?.status}`);
  else breaches.push(...contradictions(last.document, root, kind === 'keys'));
  const database = await Database.open(new Folders(root).database);
  try {
    const findings = await verify({ database, folders: new Folders(root) });
    breaches.push(...findings.filter(({ ok }) => !ok).flatMap(({ named }) => named));
  } finally {
    await database.close();
  }
  rmSync(root, { recursive: true });
  rmSync(`${root}.gateway`, { force: true });
  return breaches.map((breach) => `${kind}, ${file}, ${said.join(', then ')}: ${breach}`);
}

describe.each(['capture.csv', 'payout.csv'])('F71 %s', (file) => {
  test.for(['keys', 'none'] as const)(
    'a fault at each point, of a gateway that honours %s: nothing is executed twice, and nothing is called what it is not',
    { timeout: 60 * 60 * 1000 },
    async (kind, { skip }) => {
      if (missing !== undefined) return skip(missing);
      const whole = copy(kind);
      const undisturbed = await forked.run(job(whole, file, ''));
      expect(undisturbed).toMatchObject({ met: 0, document: { status: 'completed' } });
      expect(contradictions(undisturbed.document!, whole, true)).toEqual([]);
      const { calls } = undisturbed;
      const every = MODES.flatMap((mode) => Array.from({ length: calls }, (_, at) => planOf(mode, at + 1)));
      const chance = new Chance(SEED);
      const chosen =
        POINTS === 'all' ? every : chance.shuffled(every).slice(0, Math.ceil(Number(POINTS) / 4));
      const found: string[] = [];
      for (const plan of chosen) {
        // What comes next goes wrong while the first fault is mended.
        const then = chance.percent(40) ? [planOf(chance.pick(MODES), chance.between(1, calls))] : [];
        found.push(...(await cycle(forked, kind, file, [plan, ...then])));
      }
      console.log(
        `FAULT_SEED=${SEED}: ${file}, ${kind}: ${chosen.length} of ${every.length} points, ${found.length} breaches`,
      );
      expect(found.join('\n')).toBe('');
    },
  );
});

/** Faults planted in a copy of the built program, one line each. */
const MUTANTS = [
  {
    name: 'requests go out and no intent is written',
    file: 'batch/remote/intents.js',
    from: 'await putIntents(statements, intents);',
    to: '',
    kind: 'keys',
  },
  {
    name: 'identities are not held',
    file: 'batch/remote/intents.js',
    from: 'await insertRemoteLines(statements, sent);',
    to: '',
    kind: 'keys',
  },
  {
    name: 'what was sent before is sent afresh, to a gateway that honours no keys',
    file: 'batch/remote/sender.js',
    from: 'if (part.again && !(await this.#mayRepeat(chunk, part)))',
    to: 'if (false)',
    kind: 'none',
  },
  {
    name: 'it is sent afresh under another key',
    file: 'batch/remote/sender.js',
    from: 'key: keys[0], indexes',
    to: 'key: keys[0] + Date.now(), indexes',
    kind: 'keys',
  },
  {
    name: 'what was refused keeps its identity',
    file: 'batch/remote/sender.js',
    from: "await deleteRemoteLines(statements, batchNumber, those('refused'), attempt);",
    to: '',
    kind: 'keys',
  },
  {
    name: 'intents are committed and not synced',
    file: 'ledger/database.js',
    from: 'PRAGMA synchronous = FULL;',
    to: 'PRAGMA synchronous = OFF;',
    kind: 'none',
  },
] as const;

test.for(MUTANTS.map((mutant, at) => ({ ...mutant, at })))(
  'a planted fault is seen: $name',
  { timeout: 300_000 },
  async ({ at, kind, ...mutant }, { skip }) => {
    if (missing !== undefined) return skip(missing);
    const dist = plantIn(join(folder, `mutant-${at}`), mutant);
    const program = await Forked.start(library, dist, folder, job(copy('keys'), 'capture.csv', ''), CHILD);
    try {
      const root = copy(kind);
      const { calls } = await program.run(job(root, 'capture.csv', ''));
      const modes = ['kill', 'power'] as const;
      const plans = modes.flatMap((mode) =>
        Array.from({ length: calls }, (_, call) => planOf(mode, call + 1)),
      );
      let found: readonly string[] = [];
      for (const plan of new Chance(at).shuffled(plans)) {
        found = await cycle(program, kind, 'capture.csv', [plan]);
        if (found.length > 0) break;
      }
      expect(found, 'nobody sees it').not.toEqual([]);
      console.log(`${mutant.name}: ${found[0]!.slice(0, 160)}`);
    } finally {
      program.close();
    }
  },
);

test('the count of the gateway sees what is sent twice', async ({ skip }) => {
  if (missing !== undefined) return skip(missing);
  const root = copy('none');
  const first = await forked.run(job(root, 'capture.csv', ''));
  renameSync(join(root, 'batchgate.db'), join(root, 'forgotten.db'));
  cpSync(join(prepared, 'batchgate.db'), join(root, 'batchgate.db'));
  const second = await forked.run(job(root, 'capture.csv', ''));
  expect(contradictions(first.document!, root, false)).toContain('T1 was executed 2 times');
  expect(second.document!.status).toBe('completed');
});
