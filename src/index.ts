/**
 * The library: a typed client for the merchant API, and what its requests and answers are made of. Everything else of
 * batchgate is its command line.
 */
export { GatewayClient } from './client/gateway-client.ts';
export type { GatewayClientOptions, KeysOf } from './client/options.ts';
export type { Profile } from './client/profile.ts';
export type { Code, Reason, Retry } from './core/code.ts';
export { hintOf, retryHelps } from './core/code.ts';
export { digitsOf } from './core/currency.ts';
export type {
  Answer,
  CallOptions,
  EntriesRequest,
  Entry,
  Gateway,
  Movement,
  Payout,
  PayoutRequest,
  Result,
} from './core/gateway.ts';
export { formatAmount, parseAmount } from './core/money.ts';
export type {
  AuthoriseAnswer,
  AuthoriseRequest,
  Card,
  CheckoutAnswer,
  CheckoutRequest,
  HostedSession,
  Means,
  Order,
  PaymentResult,
} from './core/payment.ts';
export type { QueriedTransaction, QueryAnswer, QueryRecord, QueryRequest, Selection } from './core/query.ts';
export type { State } from './core/state.ts';
export { readAuthorise, readCheckout } from './wire/messages/payment.ts';
export { readPayout } from './wire/messages/payout.ts';
export { type Key, parseKey, signMessage, verifySignature } from './wire/signature.ts';
