/** The settlement report that belongs to a synthetic set, with faults planted in it, and the list of those faults. */
import { digitsOf } from '../../core/currency.ts';
import { formatAmount } from '../../core/money.ts';
import type { Random } from './random.ts';
import type { SyntheticTransaction } from './transactions.ts';

export const BREAK_KINDS = [
  'missing_in_statement',
  'missing_in_ledger',
  'amount_differs',
  'currency_differs',
  'duplicate_in_statement',
] as const;

export type BreakKind = (typeof BREAK_KINDS)[number];

/** A difference that reconciling must find. Amounts are decimal strings, as the merchant sees them; null for nothing. */
export interface PlantedBreak {
  readonly kind: BreakKind;
  readonly reference: string;
  /** The ledger's, where it has something. */
  readonly currency: string;
  readonly ledger: string | null;
  readonly statement: string | null;
}

/** What the ledger has, and what the statement says: refunds are negative. */
interface Movement {
  readonly reference: string;
  readonly type: 'capture' | 'refund';
  readonly orderNo: string;
  readonly currency: string;
  readonly minor: number;
}

/**
 * The date stays empty: the ledger's dates are those of the import and of the runs, and the bytes of a set depend on
 * nothing but its seed.
 */
export const STATEMENT_COLUMNS = ['reference', 'type', 'order_no', 'currency', 'gross', 'fee', 'net', 'date'];

/**
 * Where breaks are planted: one of each kind in every thousand captures, at random places, and one of each at least
 * where there are as many captures as kinds.
 * @returns kinds by number of the capture, from 0
 */
export function plantBreaks(captures: number, random: Random): ReadonlyMap<number, BreakKind> {
  const blocks = Math.max(1, Math.floor(captures / 1000));
  const share = Math.floor(captures / blocks / BREAK_KINDS.length);
  const planted = new Map<number, BreakKind>();
  if (share === 0) return planted;
  for (let block = 0; block < blocks; block += 1) {
    BREAK_KINDS.forEach((kind, index) => {
      planted.set((block * BREAK_KINDS.length + index) * share + random.below(share), kind);
    });
  }
  return planted;
}

/**
 * The lines of the statement for one captured transaction, and the break in them.
 * @param strangerId an id that no transaction has
 */
export function settle(
  transaction: SyntheticTransaction,
  kind: BreakKind | undefined,
  strangerId: () => string,
): { readonly lines: readonly string[][]; readonly planted: PlantedBreak | undefined } {
  const { id: reference, orderNo, currency, amount, refund } = transaction;
  const capture: Movement = { reference, type: 'capture', orderNo, currency, minor: amount };
  const { stated, planted } =
    kind === undefined ? { stated: [capture], planted: undefined } : plant(kind, capture, strangerId);
  const refunds: Movement[] = refund === 0 ? [] : [{ ...capture, type: 'refund', minor: -refund }];
  return { lines: [...stated, ...refunds].map(lineOf), planted };
}

function plant(
  kind: BreakKind,
  capture: Movement,
  strangerId: () => string,
): { readonly stated: readonly Movement[]; readonly planted: PlantedBreak } {
  const between = (ledger: Movement | undefined, statement: Movement | undefined): PlantedBreak => {
    const { reference, currency } = (ledger ?? statement)!;
    return { kind, reference, currency, ledger: decimalOf(ledger), statement: decimalOf(statement) };
  };
  switch (kind) {
    case 'missing_in_statement':
      return { stated: [], planted: between(capture, undefined) };
    case 'missing_in_ledger': {
      const stranger = { ...capture, reference: strangerId(), orderNo: '' };
      return { stated: [capture, stranger], planted: between(undefined, stranger) };
    }
    case 'amount_differs': {
      const stated = { ...capture, minor: capture.minor + 100 };
      return { stated: [stated], planted: between(capture, stated) };
    }
    case 'currency_differs': {
      const stated = { ...capture, currency: ANOTHER[capture.currency]! };
      return { stated: [stated], planted: between(capture, stated) };
    }
    case 'duplicate_in_statement':
      // The first of the two lines is explained by the ledger; the second by nothing.
      return { stated: [capture, capture], planted: between(undefined, capture) };
  }
}

/** Another currency with as many digits. */
const ANOTHER: Readonly<Record<string, string>> = { USD: 'EUR', EUR: 'USD', JPY: 'KRW' };

function lineOf({ reference, type, orderNo, currency, minor }: Movement): string[] {
  // The acquirer keeps 1.4 % of what is captured.
  const fee = type === 'capture' ? Math.floor((minor * 14) / 1000) : 0;
  const [gross, kept, net] = [minor, fee, minor - fee].map((figure) =>
    formatAmount(figure, digitsOf(currency)!),
  );
  return [reference, type, orderNo, currency, gross!, kept!, net!, ''];
}

function decimalOf(movement: Movement | undefined): string | null {
  return movement === undefined ? null : formatAmount(movement.minor, digitsOf(movement.currency)!);
}
