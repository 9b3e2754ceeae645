/** Requests as the writer gathers them. */
import type { CallOptions, EntriesRequest, PayoutRequest } from '../core/gateway.ts';
import type { EntryOperation } from '../core/operation.ts';
import type { KnownAccount } from '../ledger/accounts.ts';

export type GroupRequest = { readonly options: CallOptions } & (
  | { readonly operation: EntryOperation; readonly request: EntriesRequest }
  | { readonly operation: 'payout'; readonly request: PayoutRequest }
);

/** A request of a known account that has not been answered before. */
export type OpenRequest = GroupRequest & { readonly account: KnownAccount };
