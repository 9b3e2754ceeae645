/** One entry of a bank statement → its lines: the entry itself, or its details where they say the same in parts. */

import type { Money } from '../../core/money.ts';
import { Sum } from '../../core/money.ts';
import { quote } from '../../core/quote.ts';
import { dayOf, identifier, moneyOf, signed, truth } from '../../files/iso20022/iso-values.ts';
import { all, attribute, type Element, maybe, one, textAt } from '../../files/iso20022/xml.ts';
import { Unreadable } from '../../files/unreadable.ts';
import type { StatementLine } from '../statement.ts';
import { chargedOf, isCharge } from './camt-charges.ts';
import { batchReferences, detailReferences } from './camt-references.ts';
import { textOfDetail, textOfEntry } from './camt-text.ts';

/** Booked; announced; for information; in the future. Only the first moves money. */
export type EntryStatus = (typeof STATUSES)[number];
const STATUSES = ['BOOK', 'PDNG', 'INFO', 'FUTR'] as const;

export interface CamtEntry {
  readonly status: EntryStatus;
  /** None unless it is booked. */
  readonly lines: readonly StatementLine[];
}

export interface EntryPlace {
  readonly statementId: string | undefined;
  /** Number among the entries of the file, from 1. */
  readonly entry: number;
  /** Number that its first line gets, among the lines of the file. */
  readonly line: number;
}

/** @throws Unreadable */
export function readEntry(entry: Element, statement: Element, place: EntryPlace): CamtEntry {
  const status = statusOf(entry);
  if (status !== 'BOOK') return { status, lines: [] };
  const { currency, amount } = moneyOf(one(entry, 'Amt'));
  const money = { currency, amount: signed(amount, textAt(entry, 'CdtDbtInd')) };
  const details = all(entry, 'NtryDtls').flatMap((group) => all(group, 'TxDtls'));
  const parts = details.length > 1 ? partsOf(details, entry, money) : undefined;
  const days = daysOf(entry, statement);
  if (parts === undefined) {
    return { status, lines: [wholeLine(entry, details, money, days, place.line)] };
  }
  const group = groupOf(entry, place);
  const ids = partIds(entry, details);
  const lines = details.map((detail, index) =>
    partLine(entry, detail, { currency, amount: parts[index]! }, days, {
      line: place.line + index,
      id: ids[index],
      group,
    }),
  );
  return { status, lines };
}

/** Until version 07 a code, then a code inside. */
function statusOf(entry: Element): EntryStatus {
  const text = textAt(entry, 'Sts', 'Cd') ?? textAt(entry, 'Sts') ?? textAt(entry, 'Sts', 'Prtry');
  const status = STATUSES.find((known) => known === text);
  if (status !== undefined) return status;
  throw new Unreadable(
    text === undefined
      ? 'It has no status (Sts).'
      : `Its status ${quote(text)} is not ${STATUSES.join(', ')}.`,
    { hint: 'Only with its status is it known whether the entry has moved money.' },
  );
}

interface Days {
  readonly booked: string;
  readonly valued: string | undefined;
}

// Both write all fields: objects that are spread together twice cost a kilobyte each, and there may be a million lines.
function wholeLine(
  entry: Element,
  details: readonly Element[],
  money: Money,
  { booked, valued }: Days,
  line: number,
): StatementLine {
  const single = isSingle(entry, details) ? details[0] : undefined;
  const elements = single === undefined ? [entry] : [single, entry];
  const own = identifier(textAt(entry, 'AcctSvcrRef'));
  const { gross, fee, net } = chargedOf(elements, money);
  return {
    line,
    kind: isCharge(entry, elements, money) ? 'fee' : 'transfer',
    currency: money.currency,
    gross,
    fee,
    net,
    references: single === undefined ? batchReferences(entry) : detailReferences(single, entry),
    id: own ?? identifier(textAt(single, 'Refs', 'AcctSvcrRef')),
    group: undefined,
    booked,
    valued,
    text: textOfEntry(entry, details, isReversal(entry)),
  };
}

/** One transaction is told in full, and not one of many that are left out. */
function isSingle(entry: Element, details: readonly Element[]): boolean {
  const counts = all(entry, 'NtryDtls').map((group) => textAt(group, 'Btch', 'NbOfTxs') ?? '1');
  return details.length === 1 && counts.every((count) => count === '1');
}

function partLine(
  entry: Element,
  detail: Element,
  money: Money,
  { booked, valued }: Days,
  { line, id, group }: Pick<StatementLine, 'line' | 'id' | 'group'>,
): StatementLine {
  const { gross, fee, net } = chargedOf([detail], money);
  return {
    line,
    kind: isCharge(entry, [detail], money) ? 'fee' : 'transfer',
    currency: money.currency,
    gross,
    fee,
    net,
    references: detailReferences(detail, undefined),
    id,
    group,
    booked,
    valued,
    text: textOfDetail(entry, detail, isReversal(entry)),
  };
}

/** The bank's reference of a detail where no other detail has it, else the entry's with the number of the detail. */
function partIds(entry: Element, details: readonly Element[]): readonly (string | undefined)[] {
  const whole = identifier(textAt(entry, 'AcctSvcrRef'));
  const references = details.map((detail) => identifier(textAt(detail, 'Refs', 'AcctSvcrRef')));
  const uses = new Map<string | undefined, number>([[whole, 1]]);
  for (const reference of references) uses.set(reference, (uses.get(reference) ?? 0) + 1);
  return references.map((own, index) => {
    if (own !== undefined && uses.get(own) === 1) return own;
    const shared = whole ?? own;
    return shared === undefined ? undefined : `${shared}/${index + 1}`;
  });
}

function groupOf(entry: Element, { statementId, entry: number }: EntryPlace): string {
  const [batch] = batchReferences(entry);
  const own = identifier(textAt(entry, 'AcctSvcrRef'));
  return own ?? batch ?? `${statementId ?? 'statement'}/${identifier(textAt(entry, 'NtryRef')) ?? number}`;
}

/**
 * The amounts of all details, above zero for a credit, when they add up to the entry. Versions and banks differ in where
 * they stand; the first place counts in which all of them are, in the entry's currency.
 */
function partsOf(details: readonly Element[], entry: Element, money: Money): readonly number[] | undefined {
  for (const path of AMOUNTS) {
    const amounts = details.map((detail) => partAmount(detail, path, entry, money.currency));
    const known = amounts.filter((amount) => amount !== undefined);
    const sum = new Sum();
    for (const amount of known) sum.add(amount);
    if (known.length === details.length && sum.value === BigInt(money.amount)) return known;
  }
  return undefined;
}

const AMOUNTS = [['Amt'], ['AmtDtls', 'TxAmt', 'Amt'], ['AmtDtls', 'InstdAmt', 'Amt']] as const;

function partAmount(
  detail: Element,
  path: readonly string[],
  entry: Element,
  currency: string,
): number | undefined {
  const element = path.reduce<Element | undefined>(maybe, detail);
  if (element === undefined || attribute(element, 'Ccy') !== currency) return undefined;
  return signed(moneyOf(element).amount, textAt(detail, 'CdtDbtInd') ?? textAt(entry, 'CdtDbtInd'));
}

/**
 * CdtDbtInd is the direction of the entry itself, also of a reversal (usage rule of RvslInd: "if CRDT, the original
 * operation was a debit entry"). So the sign stays, and the text says what it is.
 */
function isReversal(entry: Element): boolean {
  return truth(textAt(entry, 'RvslInd')) ?? false;
}

/** Booking and value date may be left out: then the day of the other, else the day of the statement. */
function daysOf(entry: Element, statement: Element): Days {
  const booked = dateAt(entry, 'BookgDt');
  const valued = dateAt(entry, 'ValDt');
  const made = textAt(statement, 'CreDtTm');
  const day = booked ?? valued ?? (made === undefined ? undefined : dayOf(made));
  if (day === undefined) throw new Unreadable('It has no booking date (BookgDt).');
  return { booked: day, valued };
}

function dateAt(entry: Element, name: string): string | undefined {
  const text = textAt(entry, name, 'Dt') ?? textAt(entry, name, 'DtTm');
  return text === undefined ? undefined : dayOf(text);
}
