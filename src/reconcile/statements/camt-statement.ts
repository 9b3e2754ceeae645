/** What a bank statement says of itself: whose it is, from when to when, its balances and its totals. */

import type { Money } from '../../core/money.ts';
import { countOf, dayOf, minorUnits, moneyOf, signed, truth } from '../../files/iso20022/iso-values.ts';
import { all, type Element, maybe, one, textAt } from '../../files/iso20022/xml.ts';
import { Unreadable } from '../../files/unreadable.ts';
import type { StatementEnd, StatementHeader } from '../statement.ts';
import type { CamtEntry, EntryStatus } from './camt-entry.ts';

/** @param body of the document, whose group header may number pages */
export function headerOf(body: Element, statement: Element): StatementHeader {
  return {
    id: idOf(body, statement),
    account: textAt(statement, 'Acct', 'Id', 'IBAN') ?? textAt(statement, 'Acct', 'Id', 'Othr', 'Id'),
    period: periodOf(statement),
    sequence: sequenceOf(statement),
    made: textAt(statement, 'CreDtTm') ?? textAt(maybe(body, 'GrpHdr'), 'CreDtTm'),
    opening: balancesOf(statement).opening,
  };
}

/** A statement on several pages is one part a page: only with the page is its id its own. */
function idOf(body: Element, statement: Element): string | undefined {
  const id = textAt(statement, 'Id');
  const pages =
    maybe(statement, 'StmtPgntn') ??
    maybe(statement, 'NtfctnPgntn') ??
    maybe(maybe(body, 'GrpHdr'), 'MsgPgntn');
  const page = textAt(pages, 'PgNb');
  if (id === undefined || page === undefined) return id;
  const alone = Number(page) === 1 && truth(textAt(pages, 'LastPgInd')) !== false;
  return alone ? id : `${id} page ${page}`;
}

function periodOf(statement: Element): readonly [string, string] | undefined {
  const from = textAt(statement, 'FrToDt', 'FrDtTm');
  const to = textAt(statement, 'FrToDt', 'ToDtTm');
  return from === undefined || to === undefined ? undefined : [dayOf(from), dayOf(to)];
}

/** The legal number has no gaps; the electronic one counts what was sent, which may be the same statement twice. */
function sequenceOf(statement: Element): number | undefined {
  const text = textAt(statement, 'LglSeqNb') ?? textAt(statement, 'ElctrncSeqNb');
  return text === undefined ? undefined : countOf(text);
}

interface Balance {
  readonly code: string;
  readonly day: string;
  readonly money: Money;
}

/**
 * The booked balances at both ends. A page has an intermediate balance where the statement has none: of two the earlier
 * opens, and one alone stands for the end that has no balance of its own.
 */
function balancesOf(statement: Element): { readonly opening?: Money; readonly closing?: Money } {
  const balances = all(statement, 'Bal').flatMap(bookedBalance);
  const of = (code: string) => balances.filter((balance) => balance.code === code);
  const intermediate = of('ITBD');
  const opening = first(of('OPBD')) ?? first(of('PRCD'));
  const closing = last(of('CLBD'));
  const opens =
    opening ?? (closing !== undefined || intermediate.length > 1 ? first(intermediate) : undefined);
  const closes =
    closing ?? (opening !== undefined || intermediate.length > 1 ? last(intermediate) : undefined);
  return {
    ...(opens === undefined ? {} : { opening: opens }),
    ...(closes === undefined ? {} : { closing: closes }),
  };
}

/** A statement of several days may give a balance for each: the first day opens and the last one closes. */
function first(balances: readonly Balance[]): Money | undefined {
  return balances.reduce<Balance | undefined>(
    (one, other) => (one && one.day <= other.day ? one : other),
    undefined,
  )?.money;
}

function last(balances: readonly Balance[]): Money | undefined {
  return balances.reduce<Balance | undefined>(
    (one, other) => (one && one.day > other.day ? one : other),
    undefined,
  )?.money;
}

const BOOKED_BALANCES: ReadonlySet<string> = new Set(['OPBD', 'PRCD', 'CLBD', 'ITBD']);

/** Available and forward balances say nothing of what is booked. */
function bookedBalance(balance: Element): readonly Balance[] {
  const code = textAt(balance, 'Tp', 'CdOrPrtry', 'Cd');
  if (code === undefined || !BOOKED_BALANCES.has(code)) return [];
  const { currency, amount } = moneyOf(one(balance, 'Amt'));
  const date = textAt(balance, 'Dt', 'Dt') ?? textAt(balance, 'Dt', 'DtTm');
  const money = { currency, amount: signed(amount, textAt(balance, 'CdtDbtInd')) };
  return [{ code, day: date === undefined ? '' : dayOf(date), money }];
}

/** What the end of a statement has to know of its entries, added up as they come. */
export class EntryTally {
  readonly #ignored: Partial<Record<EntryStatus, number>> = {};
  readonly #currencies = new Set<string>();
  #entries = 0;
  #lines = 0;
  #mixed = false;

  add({ status, lines }: CamtEntry): void {
    this.#entries++;
    this.#lines += lines.length;
    if (status !== 'BOOK') this.#ignored[status] = (this.#ignored[status] ?? 0) + 1;
    for (const { currency } of lines) this.#currencies.add(currency);
    this.#mixed ||= lines.some(({ net }) => net > 0) && lines.some(({ net }) => net < 0);
  }

  /** Entries that move no money, by their status. */
  get ignored(): Readonly<Partial<Record<EntryStatus, number>>> {
    return this.#ignored;
  }

  get isAllBooked(): boolean {
    return Object.keys(this.#ignored).length === 0;
  }

  /** True when one entry has details of both credits and debits. */
  get isMixed(): boolean {
    return this.#mixed;
  }

  /** How many more lines there are than entries: one that is told in its details is as many lines. */
  get moreLines(): number {
    return this.#lines - this.#entries;
  }

  get currencies(): readonly string[] {
    return [...this.#currencies];
  }
}

/**
 * The totals as the statement states them, of its entries. They are left out where they would not be those of the lines:
 * where entries are not booked (whether they are in the totals no version says), and sums of credits and debits apart
 * where one entry has details of both. An entry that is told in its details counts as many lines.
 */
export function endOf(statement: Element, entries: EntryTally): StatementEnd {
  const { closing } = balancesOf(statement);
  const nothing = { closing, count: undefined, totals: [], credits: [], debits: [] };
  const summary = maybe(statement, 'TxsSummry');
  if (summary === undefined || !entries.isAllBooked) return nothing;
  const currency = currencyOf(statement, entries);
  const sums = entries.isMixed ? undefined : currency;
  const count = statedCount(summary);
  return {
    closing,
    count: count === undefined ? undefined : count + entries.moreLines,
    totals: statedNet(maybe(summary, 'TtlNtries'), currency),
    credits: statedSum(maybe(summary, 'TtlCdtNtries'), sums),
    debits: statedSum(maybe(summary, 'TtlDbtNtries'), sums),
  };
}

/** Totals have no currency of their own: it is the account's, or that of all entries. */
function currencyOf(statement: Element, { currencies }: EntryTally): string | undefined {
  if (currencies.length > 1) return undefined;
  return currencies[0] ?? textAt(statement, 'Acct', 'Ccy');
}

function statedCount(summary: Element): number | undefined {
  const all = textAt(summary, 'TtlNtries', 'NbOfNtries');
  if (all !== undefined) return countOf(all);
  const credits = textAt(summary, 'TtlCdtNtries', 'NbOfNtries');
  const debits = textAt(summary, 'TtlDbtNtries', 'NbOfNtries');
  return credits === undefined || debits === undefined ? undefined : countOf(credits) + countOf(debits);
}

function statedSum(total: Element | undefined, currency: string | undefined): readonly Money[] {
  const sum = textAt(total, 'Sum');
  return sum === undefined || currency === undefined ? [] : [{ currency, amount: totalOf(sum, currency) }];
}

/** Until version 03 an amount with the indicator beside it, then both in an element of their own. */
function statedNet(total: Element | undefined, currency: string | undefined): readonly Money[] {
  const inside = maybe(total, 'TtlNetNtry');
  const sum = inside === undefined ? textAt(total, 'TtlNetNtryAmt') : textAt(inside, 'Amt');
  if (sum === undefined || currency === undefined) return [];
  const amount = totalOf(sum, currency);
  const indicator = textAt(inside ?? total, 'CdtDbtInd');
  return [{ currency, amount: amount === 0 ? 0 : signed(amount, indicator) }];
}

function totalOf(text: string, currency: string): number {
  const minor = minorUnits(text, currency);
  if (typeof minor === 'string') throw new Unreadable(`The total ${minor}.`);
  return minor;
}
