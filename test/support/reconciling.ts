/** Reconciling a small ledger with statements that tests write down as lines. */
import type { ReconcileTerms } from '../../src/core/reconcile-terms.ts';
import { Database } from '../../src/ledger/database.ts';
import { type DocumentBody, documentBody } from '../../src/reconcile/document.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import type { StatementReader, Subject } from '../../src/reconcile/statement.ts';
import { csvReader } from '../../src/reconcile/statements/csv.ts';
import { type MappingInput, mappingSchema } from '../../src/reconcile/statements/mapping.ts';
import type { Sandbox } from './ledger.ts';

const COLUMNS = 'kind,reference,other,currency,gross,fee,day,id,payout,text';

/** A format that says everything a line can say. */
function mapping(of: Subject): MappingInput {
  return {
    name: `test-${of}`,
    of,
    source: 'test',
    recognise: COLUMNS.split(','),
    amounts: 'decimal',
    direction: 'signed',
    gross: { column: 'gross' },
    fee: { column: 'fee', cost: 'positive', empty: 'zero' },
    net: 'derived',
    currency: { column: 'currency' },
    kind: {
      column: 'kind',
      words: Object.fromEntries(
        ['payment', 'refund', 'chargeback', 'fee', 'payout', 'reserve', 'transfer', 'other'].map((kind) => [
          kind,
          kind as 'payment',
        ]),
      ),
    },
    booked: { column: 'day', empty: 'unknown' },
    references: ['reference', 'other'],
    id: ['id'],
    group: 'payout',
    text: ['text'],
  };
}

export const READERS: Readonly<Record<Subject, StatementReader>> = {
  balance: csvReader(mappingSchema.parse(mapping('balance'))),
  payouts: csvReader(mappingSchema.parse(mapping('payouts'))),
  bank: csvReader(mappingSchema.parse(mapping('bank'))),
};

/** What one line says; what is left out is empty. */
export interface SaidLine {
  readonly kind?: string;
  readonly reference?: string;
  readonly other?: string;
  readonly currency?: string;
  readonly gross: string;
  readonly fee?: string;
  readonly day?: string;
  readonly id?: string;
  readonly payout?: string;
  readonly text?: string;
}

/** A statement's text. */
export function saying(...lines: readonly SaidLine[]): string {
  const records = lines.map((line) =>
    [
      line.kind ?? (line.gross.startsWith('-') ? 'refund' : 'payment'),
      line.reference ?? '',
      line.other ?? '',
      line.currency ?? 'USD',
      line.gross,
      line.fee ?? '',
      line.day ?? '2026-11-20',
      line.id ?? '',
      line.payout ?? '',
      line.text ?? '',
    ].join(','),
  );
  return `${[COLUMNS, ...records].join('\n')}\n`;
}

export interface Said {
  readonly of?: Subject;
  readonly name?: string;
  readonly text: string;
  readonly reader?: StatementReader;
}

export const TERMS: ReconcileTerms = {
  since: undefined,
  lag: 0,
  bankLag: 0,
  window: 5,
  severity: { medium: { amount: 100, days: 7 }, high: { amount: 10_000, days: 30 } },
  fees: [],
};

export interface Asked {
  readonly terms?: Partial<ReconcileTerms>;
  readonly from?: string;
  readonly to?: string;
  readonly gateway?: string;
  readonly address?: string;
}

/** Loads statements, compares, and says how it stands. */
export async function reconciling(
  sandbox: Sandbox,
  said: readonly Said[],
  { terms, from, to, gateway = 'engine', address }: Asked = {},
): Promise<DocumentBody> {
  const { database, folders } = sandbox;
  const all = { ...TERMS, ...terms };
  const [account] = await sandbox.accounts();
  const reconciled = await reconcile(
    { database, snapshot: () => Database.openSnapshot(folders.database), actor: 'test', now: sandbox.now },
    {
      account: account!,
      gateway,
      address: address ?? null,
      terms: all,
      files: said.map(({ of = 'balance', name = `${of}.csv`, text, reader }) => ({
        path: sandbox.file(name, text),
        reader: async () => reader ?? READERS[of],
      })),
      from,
      to,
    },
  );
  return documentBody(database.reads, reconciled, { from: from ?? null, to: to ?? null }, all.severity);
}

/** Breaks as short text, in the order of their texts: `missing_in_ledger T9 USD – 5.00`. */
export function told({ breaks }: Pick<DocumentBody, 'breaks'>): readonly string[] {
  return breaks
    .map((one) =>
      [
        ...(one.state === 'open' ? [] : [one.state]),
        one.kind,
        one.reference || '–',
        one.currency ?? 'lines',
        one.ledger ?? '–',
        (one.statement ?? '–') + (one.statement_currency === null ? '' : ` ${one.statement_currency}`),
      ].join(' '),
    )
    .toSorted();
}
