/** The bank's side of a comparison: payouts and what acquirers settle, against the lines of bank statements. */
import { dayAfter, type FoundBreak } from '../core/break.ts';
import { dayOf } from '../core/calendar.ts';
import type { PaidOut } from '../ledger/compared.ts';
import { bankLines, netsOfStatements, type StoredBankLine } from '../ledger/compared-lines.ts';
import { type BankFinding, type BankLine, type Due, matchBank } from './bank.ts';
import { type Anchor, breakId, MEANINGS, placeOf } from './found.ts';
import { whatItSays } from './once.ts';
import { type PaidOutCheck, payoutDues, statementDues } from './payouts.ts';
import { hasDay } from './period.ts';
import type { Comparison } from './trades.ts';

const SIDE = 'bank';

/** Breaks that are handed on together. */
const BLOCK = 1_000;

export interface BankSums {
  /** The days on which the bank has credited what was settled, by the due's name. */
  readonly credited: ReadonlyMap<string, string>;
  /** Whole statements that should have reached the bank, because they tell of no payouts. */
  readonly whole: readonly Due[];
}

export async function compareBank(
  comparison: Comparison,
  checks: readonly PaidOutCheck[],
): Promise<BankSums> {
  const { reads, number, books, statements, terms, timeZone, tally, period, take } = comparison;
  const ranks = new Map([...statements.keys()].map((one, rank) => [one, rank]));
  const lines = (await bankLines(reads, number)).map((line): StoredBankLine & BankLine => ({
    ...line,
    key: ranks.get(line.statement)! * 2 ** 31 + line.line,
  }));
  const byKey = new Map(lines.map((line) => [line.key, line]));
  const whole = statementDues(await netsOfStatements(reads, number), statements);
  const dues = [
    ...payoutDues(checks),
    ...whole,
    ...(await books.paidOut()).map((paid) => dueOf(paid, timeZone)),
  ];
  const { matches, findings } = matchBank(dues, lines, terms.window);
  const credited = new Map<string, string>();
  for (const { rule, dues: explained, lines: explaining } of matches) {
    const day = firstDay(explained, explaining);
    if (hasDay(period, day)) tally.match(SIDE, rule, explained, explaining);
    for (const { is, name } of explained) if (is === 'settlement') credited.set(name, explaining[0]!.booked);
  }
  const found = findings.flatMap((finding) => breakOf(comparison, finding, byKey));
  for (let from = 0; from < found.length; from += BLOCK) await take(found.slice(from, from + BLOCK));
  return { credited, whole };
}

/** A payout leaves the account on its day. */
function dueOf({ requestId, reference, batch, currency, amount, date, at }: PaidOut, timeZone: string): Due {
  return {
    name: requestId,
    is: 'payout',
    references: [requestId, reference, batch].filter((one) => one !== null),
    currency,
    amount: -amount,
    day: date ?? dayOf(at, timeZone),
  };
}

/** The books' day, where they know one. */
function firstDay(dues: readonly Due[], lines: readonly BankLine[]): string {
  const days = dues.map(({ day }) => day).filter((day) => day !== '');
  return days.toSorted()[0] ?? lines[0]!.booked;
}

function breakOf(
  { owner, statements, terms, tally, period }: Comparison,
  { kind, due, line }: BankFinding,
  byKey: ReadonlyMap<number, StoredBankLine>,
): readonly FoundBreak[] {
  const stored = line === null ? undefined : byKey.get(line.key)!;
  const day = due === null ? line!.booked : due.day || (line?.booked ?? '');
  const isOld = terms.since !== undefined && day !== '' && day < terms.since;
  if (kind === 'missing_in_statement' && isOld) return [];
  if (hasDay(period, day)) {
    if (due !== null) tally.entry(SIDE, due.currency, due.amount);
    if (line !== null) tally.line(SIDE, line.currency, line.gross);
  }
  const currency = due?.currency ?? line!.currency;
  const statement = stored === undefined ? undefined : statements.get(stored.statement)!;
  return [
    {
      id: breakId(owner, SIDE, anchorOf(due, stored, statement?.sha256, statement?.place)),
      side: SIDE,
      kind,
      reference: due === null ? (line!.references[0] ?? '') : due.references[0]!,
      currency,
      statementCurrency: line === null || line.currency === currency ? null : line.currency,
      ledger: due === null ? null : BigInt(due.amount),
      statement: line === null ? null : BigInt(line.gross),
      compared: true,
      day,
      due: kind === 'missing_in_statement' && day !== '' ? dayAfter(day, terms.bankLag) : null,
      why: whyOf(kind, due),
      place: stored === undefined ? null : placeOf(statement!.file, stored.line),
    },
  ];
}

function anchorOf(
  due: Due | null,
  line: StoredBankLine | undefined,
  sha256: string | undefined,
  place: number | undefined,
): Anchor {
  if (due !== null) return ['due', due.is, due.name];
  return line!.identity === null
    ? ['line', sha256!, place!, line!.line]
    : ['identity', line!.identity, ...whatItSays({ ...line!, reference: line!.references[0] ?? '' })];
}

function whyOf(kind: BankFinding['kind'], due: Due | null): string {
  if (kind === 'ambiguous') return 'By amount and day it could be several, and no name tells which.';
  if (kind !== 'missing_in_statement') return MEANINGS[kind];
  return due!.is === 'payout'
    ? 'It was paid out; no bank statement says so.'
    : 'The acquirer says that it paid this out; no bank statement has it.';
}
