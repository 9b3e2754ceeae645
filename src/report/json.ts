/** `report.json`: the same bytes for the same content, whatever order its members were made in. */
import type { ReportDocument } from './document.ts';

/** The order of members: what a reader asks first comes first. Other names, such as currencies, follow by alphabet. */
const ORDER: readonly string[] = [
  ...['schema_version', 'environment', 'batch', 'merchant', 'account', 'file', 'sha256', 'repeat', 'gateway'],
  ...['line', 'operation', 'status', 'revision', 'exit', 'read', 'encoding', 'delimiter', 'decimal', 'rows'],
  ...[
    'from',
    'to',
    'outcome',
    'subject',
    'order',
    'currency',
    'amount',
    'code',
    'sentence',
    'message',
    'hint',
    'column',
  ],
  ...['lines', 'total', 'totals', 'amounts', 'instructed'],
  ...['succeeded', 'pending', 'refused', 'invalid', 'duplicate', 'unknown', 'not_sent'],
  ...['moved_in', 'moved_out', 'fees', 'unreadable_amounts', 'breakdown', 'chunks', 'planned', 'done'],
  ...['reports', 'result', 'fixme', 'held', 'pain002', 'json', 'html', 'errors', 'exceptions', 'changes'],
  ...[
    'evidence',
    'submitted_by',
    'submitted_from',
    'received_at',
    'started_at',
    'finished_at',
    'program_version',
  ],
  ...[
    'options',
    'control_totals',
    'stated',
    'calculated',
    'ledger_sequence',
    'balances',
    'before',
    'after',
    'audit_head',
  ],
  ...['listed', 'unlisted'],
];

const RANK: ReadonlyMap<string, number> = new Map(ORDER.map((name, at) => [name, at]));

/** The document as JSON text with a final line end. */
export function reportJson(document: ReportDocument): string {
  return `${JSON.stringify(document, (_, value: unknown) => inOrder(value), 2)}\n`;
}

function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => compareNames(a, b)));
}

function compareNames(a: string, b: string): number {
  const byRank = (RANK.get(a) ?? ORDER.length) - (RANK.get(b) ?? ORDER.length);
  return byRank !== 0 ? byRank : a < b ? -1 : 1;
}
