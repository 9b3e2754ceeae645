/** What decisions of people make of breaks, and what a row that has been through a spreadsheet is taken to say. */
import { describe, expect, test } from 'vitest';
import type { Break, BreakState } from '../../src/core/break.ts';
import { type Decision, decided, type PastAct } from '../../src/reconcile/decide.ts';
import { changedSince, isNoAmount, readingsOf } from '../../src/reconcile/decisions/seen.ts';
import { assigneeIn, reasonIn } from '../../src/reconcile/decisions/words.ts';

const TODAY = '2026-11-20';

function breakIn(state: BreakState, more: Partial<Break> = {}): Break {
  return {
    id: 'K0000000000000001',
    side: 'acquirer',
    kind: 'amount_differs',
    reference: 'T1',
    currency: 'EUR',
    statementCurrency: null,
    ledger: 1250n,
    statement: 1000n,
    compared: true,
    day: '2026-11-18',
    due: null,
    why: 'Books and statement have it with different amounts.',
    place: 'report.csv:7',
    state,
    found: '2026-11-19',
    closed: state === 'closed' ? '2026-11-19' : null,
    assignee: null,
    resolution: state === 'resolved' ? 'a cheque' : null,
    ...more,
  };
}

const act = (is: PastAct['is'], said: string, who = 'anna'): PastAct => ({
  is,
  who,
  day: '2026-11-19',
  said,
});
const resolve = (reason: string): Decision => ({ is: 'resolve', reason });
const reopen = (reason: string): Decision => ({ is: 'reopen', reason });

describe('a decision makes of a break', () => {
  test.each<[string, Break, Decision, Partial<Break>]>([
    [
      'that is open: resolved',
      breakIn('open'),
      resolve('a cheque'),
      { state: 'resolved', resolution: 'a cheque' },
    ],
    [
      'that is expected: resolved',
      breakIn('expected'),
      resolve('cash'),
      { state: 'resolved', resolution: 'cash' },
    ],
    [
      'that is resolved: open again',
      breakIn('resolved'),
      reopen('it bounced'),
      { state: 'open', resolution: null },
    ],
    [
      'that is resolved and due tomorrow: expected again',
      breakIn('resolved', { due: '2026-11-21' }),
      reopen('it bounced'),
      { state: 'expected', resolution: null },
    ],
    [
      'that is resolved and due today: open again',
      breakIn('resolved', { due: TODAY }),
      reopen('it bounced'),
      { state: 'open', resolution: null },
    ],
    [
      "of nobody: somebody's",
      breakIn('open'),
      { is: 'assign', to: 'anna' },
      { state: 'open', assignee: 'anna' },
    ],
    [
      "of somebody: nobody's",
      breakIn('open', { assignee: 'anna' }),
      { is: 'assign', to: null },
      { assignee: null },
    ],
    [
      "that is closed: somebody's",
      breakIn('closed'),
      { is: 'assign', to: 'bert' },
      { state: 'closed', assignee: 'bert' },
    ],
    [
      'that is closed: itself, with a comment',
      breakIn('closed'),
      { is: 'comment', text: 'found it' },
      { state: 'closed' },
    ],
  ])('%s', (_, one, decision, expected) => {
    expect(decided(one, decision, [], TODAY)).toEqual({ after: { ...one, ...expected } });
  });

  test.each<[string, Break, Decision, readonly PastAct[]]>([
    ['resolved for the same reason', breakIn('resolved'), resolve('a cheque'), []],
    [
      'reopened for the same reason',
      breakIn('open'),
      reopen('bounced'),
      [act('resolve', 'a cheque'), act('reopen', 'bounced'), act('comment', 'later')],
    ],
    ['assigned to whom it is', breakIn('open', { assignee: 'anna' }), { is: 'assign', to: 'anna' }, []],
    ["nobody's already", breakIn('open'), { is: 'assign', to: null }, []],
    [
      'commented on in the same words',
      breakIn('open'),
      { is: 'comment', text: 'asked' },
      [act('comment', 'asked'), act('comment', 'asked again')],
    ],
  ])('nothing else when it is %s', (_, one, decision, past) => {
    expect(decided(one, decision, past, TODAY)).toBe('unchanged');
  });

  test.each<[string, Break, Decision, readonly PastAct[], string]>([
    [
      'resolve what was resolved for another reason: says by whom and why',
      breakIn('resolved'),
      resolve('cash'),
      [act('resolve', 'first', 'bert'), act('reopen', 'no'), act('resolve', 'a cheque')],
      'it was resolved already, by anna on 2026-11-19: a cheque',
    ],
    [
      'resolve what is closed',
      breakIn('closed'),
      resolve('cash'),
      [],
      'it is closed since 2026-11-19: the ledger or a later statement has explained it',
    ],
    [
      'reopen what is closed',
      breakIn('closed'),
      reopen('no'),
      [],
      'it is closed since 2026-11-19: the ledger or a later statement has explained it',
    ],
    ['reopen what is open', breakIn('open'), reopen('no'), [], 'it is open already'],
    ['reopen what is expected', breakIn('expected'), reopen('no'), [], 'it is expected already'],
    [
      'reopen what was reopened for another reason',
      breakIn('open'),
      reopen('no'),
      [act('reopen', 'bounced')],
      'it is open already',
    ],
    [
      'reopen what was resolved by the words of an older reopening',
      breakIn('open'),
      reopen('bounced'),
      [act('reopen', 'bounced'), act('resolve', 'a cheque')],
      'it is open already',
    ],
  ])('a refusal to %s', (_, one, decision, past, refusal) => {
    expect(decided(one, decision, past, TODAY)).toMatchObject({ refusal });
  });
});

describe('what people write', () => {
  test.each([
    ['two deliveries', 'two deliveries'],
    ['  two deliveries ', 'two deliveries'],
    ['=HYPERLINK("http://x")', '=HYPERLINK("http://x")'],
    ['card 4111 1111 1111 1111 was used', 'card 4111 11** **** 1111 was used'],
    ['x'.repeat(4096), 'x'.repeat(4096)],
  ])('%.40s is kept as %.40s', (written, text) => {
    expect(reasonIn(written)).toEqual({ text });
  });

  test.each([
    ['', 'is empty'],
    ['   ', 'is empty'],
    ['x'.repeat(4097), 'is longer than 4096 characters'],
    ['one\ntwo', 'has a line break or another control character in it'],
    ['one\u0007two', 'has a line break or another control character in it'],
    ['one\u2028two', 'has a line break or another control character in it'],
  ])('%j is refused: it %s', (written, fault) => {
    expect(reasonIn(written)).toEqual({ fault });
  });

  test.each([
    ['anna', { text: 'anna' }],
    ['Nobody', { text: '' }],
    ['x'.repeat(256), { fault: 'is longer than 255 characters' }],
  ])('as an assignee %.20s is %j', (written, words) => {
    expect(assigneeIn(written)).toEqual(words);
  });
});

describe('an amount that has been through a spreadsheet', () => {
  test.each<[string, number, readonly bigint[]]>([
    ['12.50', 2, [1250n]],
    ['12.5', 2, [1250n]],
    ['12,5', 2, [1250n]],
    ['-12,50', 2, [-1250n]],
    ['−12.50', 2, [-1250n]],
    ['12', 2, [1200n, 1200n]],
    ['1,234.50', 2, [123450n]],
    ['1.234,50', 2, [123450n]],
    ["1'234.50", 2, [123450n]],
    ['1 234,50', 2, [123450n]],
    ['1.234', 2, [123400n]],
    ['1.234', 3, [1234n, 1234000n]],
    ['12.500', 2, [1250n, 1250000n]],
    ['0.00', 2, [0n]],
    ['99999999999999999999.99', 2, [9999999999999999999999n]],
    ['12. Mai', 2, []],
    ['1.2E+15', 2, []],
    ['12.505', 2, [1250500n]],
    ['', 2, []],
  ])('%s with %i decimals may be %s', (cell, digits, readings) => {
    expect(readingsOf(cell, digits)).toEqual(readings);
  });

  test.each<[string, boolean]>([
    ['12. Mai', true],
    ['#####', true],
    ['12,5', false],
    ['', false],
  ])('%j is no amount at all: %s', (cell, isNone) => {
    expect(isNoAmount(cell)).toBe(isNone);
  });
});

describe('what a row says of a break', () => {
  const one = breakIn('open');
  const missing = breakIn('open', { ledger: null, kind: 'missing_in_ledger' });
  const between = breakIn('open', { statementCurrency: 'JPY', statement: 1300n });
  test.each<[string, Break, [state: string, ledger: string, statement: string], string | undefined]>([
    ['is what it is', one, ['open', '12.50', '10.00'], undefined],
    ['is what it is, written otherwise', one, [' Open ', '12,5', '10'], undefined],
    ['is another state', one, ['expected', '12.50', '10.00'], 'state'],
    ['is no state', one, ['', '12.50', '10.00'], 'state'],
    ['is another amount of the ledger', one, ['open', '12.51', '10.00'], 'ledger'],
    ['is another amount of the statement', one, ['open', '12.50', '-10.00'], 'statement'],
    ['is an amount where there is none', missing, ['open', '0', '10.00'], 'ledger'],
    ['is none where there is an amount', one, ['open', '', '10.00'], 'ledger'],
    ['is none where there is none', missing, ['open', ' ', '10.00'], undefined],
    ['is in two currencies', between, ['open', '12.50', '1300'], undefined],
    [
      'is in two currencies, with decimals that one has not',
      between,
      ['open', '12.50', '13.00'],
      'statement',
    ],
  ])('%s', (_, current, [state, ledger, statement], column) => {
    expect(changedSince(current, { state, ledger, statement })).toBe(column);
  });
});
