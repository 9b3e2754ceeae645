/** Statements against what was executed at somebody else's gateway: the journal takes the ledger's place. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { csv, ENTRY, NOON, Sandbox } from '../support/ledger.ts';
import { type Asked, reconciling, saying, told } from '../support/reconciling.ts';
import { REMOTE, RemoteWorld } from '../support/remote.ts';

let local: Sandbox;
let upstream: Sandbox;
let world: RemoteWorld;

const ASKED: Asked = { gateway: REMOTE, address: REMOTE };

beforeEach(async () => {
  local = await Sandbox.make();
  upstream = await Sandbox.make();
  world = new RemoteWorld(upstream);
  await upstream.given(...['T1', 'T2', 'T3'].map((id) => ({ id, at: NOON })));
});

afterEach(async () => {
  await local.remove();
  await upstream.remove();
});

const run = (name: string, content: string) => local.run(name, content, { gateway: REMOTE }, world.context());

test('captures and refunds that a remote gateway has executed are compared, by id and by order', async () => {
  await run('capture.csv', csv(ENTRY, ...['T1', 'T2', 'T3'].map((id) => `${id},O-${id},USD,100.00`)));
  await run('refund.csv', csv(`${ENTRY},refund_amount`, 'T1,O-T1,USD,100.00,40.00'));
  const text = saying(
    { reference: 'T1', gross: '100.00' },
    { reference: 'O-T2', gross: '100.00' },
    { reference: 'T1', gross: '-41.00' },
    { reference: 'T9', gross: '1.00' },
  );
  const document = await reconciling(local, [{ text }], ASKED);
  expect(told(document)).toEqual([
    'amount_differs T1 USD -40.00 -41.00',
    'missing_in_ledger T9 USD – 1.00',
    'missing_in_statement T3 USD 100.00 –',
  ]);
  // The embedded ledger of the same account knows nothing of them, and has statements of its own.
  const own = await reconciling(local, []);
  expect([own.totals, own.counts.open]).toEqual([{}, 0]);
});

test('a line of which nobody knows what became of it is looked for as well', async () => {
  world.fateOf = () => 'executed, nobody knows';
  const document = await run('capture.csv', csv(ENTRY, 'T1,O-T1,USD,100.00'));
  expect(document.lines.unknown).toBe(1);
  const settled = saying({ reference: 'T1', gross: '100.00' });
  expect(told(await reconciling(local, [{ text: settled }], ASKED))).toEqual([]);
});
