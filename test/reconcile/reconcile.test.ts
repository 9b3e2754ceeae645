/** Books and statements as tables: what the ledger has, what statements say, and what does not agree. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Given, NOON, Sandbox } from '../support/ledger.ts';
import { type Asked, reconciling, type SaidLine, saying, told } from '../support/reconciling.ts';

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await Sandbox.make();
});

afterEach(() => sandbox.remove());

const captured = (id: string, amount: number, more: Partial<Given> = {}): Given => ({
  id,
  amount,
  state: 'captured',
  at: NOON,
  ...more,
});

interface Case {
  readonly what: string;
  readonly given?: readonly Given[];
  readonly said: readonly SaidLine[];
  readonly asked?: Asked;
  readonly breaks: readonly string[];
  /** Of USD: ledger, statement, matched; and what open breaks differ by, without signs. */
  readonly usd?: readonly [string, string, string, string];
  /** Rules and how often each was used. */
  readonly rules?: readonly string[];
}

const T1 = captured('T1', 1000);

const CASES: readonly Case[] = [
  {
    what: 'one line for one capture',
    given: [T1],
    said: [{ reference: 'T1', gross: '10.00' }],
    breaks: [],
    usd: ['10.00', '10.00', '10.00', '0.00'],
    rules: ['reference 1'],
  },
  {
    what: 'a capture that no line says',
    given: [T1],
    said: [{ reference: 'T2', gross: '10.00' }],
    breaks: ['missing_in_ledger T2 USD – 10.00', 'missing_in_statement T1 USD 10.00 –'],
    usd: ['10.00', '10.00', '0.00', '20.00'],
  },
  {
    what: 'another amount',
    given: [T1],
    said: [{ reference: 'T1', gross: '10.01' }],
    breaks: ['amount_differs T1 USD 10.00 10.01'],
    usd: ['10.00', '10.01', '0.00', '0.01'],
  },
  {
    what: 'another currency: each side has its own',
    given: [T1],
    said: [{ reference: 'T1', gross: '10.00', currency: 'EUR' }],
    breaks: ['currency_differs T1 USD 10.00 10.00 EUR'],
    usd: ['10.00', '0.00', '0.00', '10.00'],
  },
  {
    what: 'the same line twice',
    given: [T1],
    said: [
      { reference: 'T1', gross: '10.00' },
      { reference: 'T1', gross: '10.00' },
    ],
    breaks: ['duplicate_in_statement T1 USD – 10.00'],
    usd: ['10.00', '20.00', '10.00', '10.00'],
  },
  {
    what: 'the same line twice under one id counts once',
    given: [T1],
    said: [
      { reference: 'T1', gross: '10.00', id: 'L1' },
      { reference: 'T1', gross: '10.00', id: 'L1' },
    ],
    breaks: [],
    usd: ['10.00', '10.00', '10.00', '0.00'],
  },
  {
    what: 'one id for different figures is no id',
    given: [T1],
    said: [
      { reference: 'T1', gross: '10.00', id: 'L1' },
      { reference: 'T1', gross: '-4.00', id: 'L1' },
    ],
    breaks: ['missing_in_ledger T1 USD – -4.00'],
  },
  {
    what: 'a capture and its refund, settled in two lines',
    given: [captured('T1', 1000, { state: 'partially_refunded', refunded: 300 })],
    said: [
      { reference: 'T1', gross: '10.00' },
      { reference: 'T1', gross: '-3.00' },
    ],
    breaks: [],
    usd: ['7.00', '7.00', '7.00', '0.00'],
    rules: ['reference 2'],
  },
  {
    what: 'one capture that the acquirer settles in parts',
    given: [T1],
    said: [
      { reference: 'T1', gross: '6.00' },
      { reference: 'T1', gross: '4.00' },
    ],
    breaks: [],
    rules: ['lines add up 1'],
  },
  {
    what: 'named by its order',
    given: [T1],
    said: [{ reference: 'O-T1', gross: '10.00' }],
    breaks: [],
    rules: ['reference 1'],
  },
  {
    what: 'named by its order in a second column, beside a name of the acquirer',
    given: [T1],
    said: [{ reference: 'psp-77', other: 'O-T1', gross: '10.00' }],
    breaks: [],
  },
  {
    what: "named by the gateway's id of the refund",
    given: [captured('T1', 1000, { state: 'refunded' })],
    said: [
      { reference: 'T1', gross: '10.00' },
      { reference: 'T1-2', gross: '-10.00' },
    ],
    breaks: [],
  },
  {
    what: 'without a name: amount and day tell, when only one fits',
    given: [T1],
    said: [{ gross: '10.00', day: '2026-11-22' }],
    breaks: [],
    rules: ['amount and day 1'],
  },
  {
    what: 'without a name, and too late',
    given: [T1],
    said: [{ gross: '10.00', day: '2026-11-26' }],
    breaks: ['missing_in_ledger – USD – 10.00', 'missing_in_statement T1 USD 10.00 –'],
  },
  {
    what: 'without a name or a day nothing tells',
    given: [T1],
    said: [{ gross: '10.00', day: '' }],
    breaks: ['missing_in_ledger – USD – 10.00', 'missing_in_statement T1 USD 10.00 –'],
  },
  {
    what: 'without a name, and two could be meant',
    given: [T1, captured('T2', 1000)],
    said: [{ gross: '10.00' }],
    breaks: ['ambiguous T1 USD 10.00 –', 'ambiguous T2 USD 10.00 –', 'ambiguous – USD – 10.00'],
    usd: ['20.00', '10.00', '0.00', '30.00'],
  },
  {
    what: 'fees, reserves and payouts are no matter of the books',
    given: [T1],
    said: [
      { reference: 'T1', gross: '10.00', fee: '0.30' },
      { kind: 'fee', gross: '-0.20' },
      { kind: 'reserve', gross: '-1.00' },
      { kind: 'payout', gross: '-8.50' },
    ],
    breaks: [],
    usd: ['10.00', '10.00', '10.00', '0.00'],
  },
  {
    what: 'a chargeback is: the books know nothing of it',
    given: [T1],
    said: [
      { reference: 'T1', gross: '10.00' },
      { kind: 'chargeback', reference: 'T1', gross: '-10.00' },
    ],
    breaks: ['missing_in_ledger T1 USD – -10.00'],
    usd: ['10.00', '0.00', '10.00', '10.00'],
  },
  {
    what: 'a chargeback is no refund, not even of the same amount',
    given: [captured('T1', 1000, { state: 'refunded' })],
    said: [
      { reference: 'T1', gross: '10.00' },
      { kind: 'chargeback', reference: 'T1', gross: '-10.00' },
    ],
    breaks: ['missing_in_ledger T1 USD – -10.00', 'missing_in_statement T1 USD -10.00 –'],
  },
  {
    what: 'what the acquirer calls by no known name explains no capture',
    given: [T1],
    said: [{ kind: 'other', reference: 'T1', gross: '10.00' }],
    breaks: ['missing_in_ledger T1 USD – 10.00', 'missing_in_statement T1 USD 10.00 –'],
  },
  {
    what: 'a chargeback without a name is no refund of its day',
    given: [captured('T1', 1000, { state: 'refunded' })],
    said: [
      { reference: 'T1', gross: '10.00' },
      { kind: 'chargeback', gross: '-10.00' },
    ],
    breaks: ['missing_in_ledger – USD – -10.00', 'missing_in_statement T1 USD -10.00 –'],
  },
  {
    what: 'a payment that the acquirer takes back in part is what is left of it',
    given: [captured('T1', 600)],
    said: [
      { reference: 'T1', gross: '10.00' },
      { kind: 'payment', reference: 'T1', gross: '-4.00' },
    ],
    breaks: [],
    rules: ['lines add up 1'],
  },
  {
    what: 'another order whose name only looks like a part of one',
    given: [T1],
    said: [{ reference: 'O-T1-2', gross: '10.00' }],
    breaks: ['missing_in_ledger O-T1-2 USD – 10.00', 'missing_in_statement T1 USD 10.00 –'],
  },
  {
    what: 'one id for two references is no id',
    given: [T1],
    said: [
      { reference: 'T1', gross: '10.00', id: 'L1' },
      { reference: 'T2', gross: '10.00', id: 'L1' },
    ],
    breaks: ['missing_in_ledger T2 USD – 10.00'],
  },
  {
    what: 'what never moved is not missed',
    given: [
      { id: 'T1', state: 'authorised', at: NOON },
      { id: 'T2', state: 'declined', at: NOON },
    ],
    said: [{ reference: 'T9', gross: '1.00' }],
    breaks: ['missing_in_ledger T9 USD – 1.00'],
  },
  {
    what: 'not due yet',
    given: [T1],
    said: [{ kind: 'fee', gross: '-0.10' }],
    asked: { terms: { lag: 2 } },
    breaks: ['expected missing_in_statement T1 USD 10.00 –'],
    usd: ['10.00', '0.00', '0.00', '0.00'],
  },
  {
    what: 'from before the first day that is compared',
    given: [captured('T0', 500, { at: NOON - 30 * 86_400_000 }), T1],
    said: [{ reference: 'T1', gross: '10.00' }],
    asked: { terms: { since: '2026-11-01' } },
    breaks: [],
    usd: ['10.00', '10.00', '10.00', '0.00'],
  },
  {
    what: 'the agreed fee, and another one',
    given: [T1, captured('T2', 1000)],
    said: [
      { reference: 'T1', gross: '10.00', fee: '0.39' },
      { reference: 'T2', gross: '10.00', fee: '0.40' },
    ],
    asked: {
      terms: {
        fees: [
          {
            currency: 'USD',
            kind: 'payment',
            percent: '1.4',
            fixed: 25,
            rounding: 'half-even',
            tolerance: 0,
          },
        ],
      },
    },
    breaks: ['fee_differs T2 USD 0.39 0.40'],
    usd: ['20.00', '20.00', '20.00', '0.00'],
  },
  {
    what: 'names that are not ASCII keep their order',
    given: [captured('T-é', 100), captured('T-\u{1F600}', 200), captured('T-\uFB01', 300)],
    said: [
      { reference: 'T-\u{1F600}', gross: '2.00' },
      { reference: 'T-é', gross: '1.00' },
      { reference: 'T-\uFB01', gross: '3.00' },
    ],
    breaks: [],
  },
  {
    what: 'only the days that were asked for are told',
    given: [captured('T1', 1000, { at: NOON - 10 * 86_400_000 }), captured('T2', 700)],
    said: [{ reference: 'T9', gross: '5.00', day: '2026-11-20' }],
    asked: { from: '2026-11-15', to: '2026-11-20' },
    breaks: ['missing_in_ledger T9 USD – 5.00', 'missing_in_statement T2 USD 7.00 –'],
    usd: ['7.00', '5.00', '0.00', '12.00'],
  },
];

describe('books against an acquirer', () => {
  test.each(CASES)('$what', async ({ given = [], said, asked, breaks, usd, rules }) => {
    await sandbox.given(...given);
    const document = await reconciling(sandbox, [{ text: saying(...said) }], asked);
    expect(told(document)).toEqual([...breaks].sort());
    if (usd !== undefined) {
      const { ledger, statement, matched, open } = document.totals.USD!;
      expect([ledger, statement, matched, open]).toEqual(usd);
    }
    if (rules !== undefined)
      expect(document.rules.map(({ rule, matches }) => `${rule} ${matches}`)).toEqual(rules);
  });
});
