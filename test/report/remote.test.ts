/** Reports of what a remote gateway has executed: this ledger has no part in it. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { EMBEDDED } from '../../src/core/gateway.ts';
import type { ReportDocument } from '../../src/report/document.ts';
import { reportHtml } from '../../src/report/html.ts';
import { csv, ENTRY, Sandbox } from '../support/ledger.ts';
import { REMOTE, RemoteWorld } from '../support/remote.ts';
import { allSucceeded, rejected, withExceptions } from './documents.ts';

const OURS = 'SANDBOX: no money moved outside this ledger';
const words = (page: string) =>
  page.replaceAll(/<\/?(?:bdi|strong|dt|dd|div)[^>]*>/g, '').replaceAll(/\s+/g, ' ');

test('evidence has no balances and no span of entries, whatever else happened to the ledger meanwhile', async () => {
  const local = await Sandbox.make();
  const upstream = await Sandbox.make();
  const world = new RemoteWorld(upstream);
  await local.given({ id: 'T1' }, { id: 'T2' });
  await upstream.given({ id: 'T1' });
  await local.run('capture-1.csv', csv(ENTRY, 'T1,O-T1,USD,100.00'));
  world.fateOf = () => 'through';
  const during = local.run('capture-2.csv', csv(ENTRY, 'T2,O-T2,USD,100.00'));
  const { reports } = await local.run(
    'capture-1.csv',
    csv(ENTRY, 'T1,O-T1,USD,100.00'),
    { gateway: REMOTE },
    world.context(),
  );
  await during;
  const { evidence, gateway } = JSON.parse(readFileSync(reports.json!, 'utf8')) as ReportDocument;
  expect([gateway, evidence.balances]).toEqual([REMOTE, []]);
  const { from, to } = evidence.ledger_sequence;
  expect([from - to, to === 1 || to === 2]).toEqual([1, true]);
  const page = words(readFileSync(reports.html!, 'utf8'));
  expect(page).toContain(`Ledger sequenceno entries in this ledger: executed by ${REMOTE}`);
  expect(page).toContain(`SANDBOX: ${REMOTE} is a sandbox; no real money moved`);
  expect(page).not.toContain(OURS);
  await local.remove();
  await upstream.remove();
});

const sandbox: ReportDocument = { ...withExceptions, environment: 'sandbox' };

test.each<[string, ReportDocument, string, string | undefined]>([
  ['the engine', { ...sandbox, gateway: EMBEDDED }, OURS, 'is a sandbox'],
  [
    'a remote sandbox',
    { ...sandbox, gateway: 'acme' },
    'SANDBOX: acme is a sandbox; no real money moved',
    OURS,
  ],
  ['real money', { ...sandbox, environment: 'live', gateway: 'acme' }, 'acme', 'SANDBOX'],
])(
  'the sentence of %s stands on the page and in the margins of its print',
  async (_, document, has, hasNot) => {
    const page = await reportHtml(document);
    expect(page).toContain(has);
    expect(page).not.toContain(hasNot);
    expect(page.includes('@top-center{content:"SANDBOX')).toBe(document.environment === 'sandbox');
  },
);

test('F99 the name of a gateway gets out of neither text nor style sheet', async () => {
  const page = await reportHtml({ ...sandbox, gateway: 'a"}</style><script>x</script>\\' });
  expect(page).not.toContain('<script>');
  expect(page.match(/<\/style>/g)).toHaveLength(1);
  expect(page).toContain('content:"SANDBOX: a/stylescriptx/script is a sandbox; no real money moved"');
});

const nothing = { ...allSucceeded.evidence, ledger_sequence: { from: 2001, to: 2000 } };

test.each<[string, ReportDocument, string]>([
  ['the engine', { ...allSucceeded, gateway: EMBEDDED, evidence: nothing }, 'nothing written'],
  ['a rejected file', { ...rejected, gateway: 'acme', evidence: nothing }, 'nothing written'],
  [
    'a remote gateway',
    { ...allSucceeded, gateway: 'acme', evidence: nothing },
    'no entries in this ledger: executed by acme',
  ],
])('a ledger without a new entry, of %s', async (_, document, has) => {
  expect(words(await reportHtml(document))).toContain(`Ledger sequence${has}`);
});
