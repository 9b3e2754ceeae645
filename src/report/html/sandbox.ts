/** What every report of a sandbox says, so that nobody takes it for real money. Contract, "Environment". */
import { EMBEDDED } from '../../core/gateway.ts';
import type { ReportDocument } from '../document.ts';

/** The sentence; undefined for real money. */
export function sandboxSentence({
  environment,
  gateway,
}: Pick<ReportDocument, 'environment' | 'gateway'>): string | undefined {
  if (environment !== 'sandbox') return undefined;
  return gateway === EMBEDDED
    ? 'SANDBOX: no money moved outside this ledger'
    : `SANDBOX: ${gateway} is a sandbox; no real money moved`;
}
