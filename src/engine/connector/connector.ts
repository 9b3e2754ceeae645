/** What the engine needs of an acquirer. It is asked outside any database transaction, after the payment is reserved. */
import type { Card } from '../../core/payment.ts';
import type { ConnectorAnswer } from '../../core/payment-decision.ts';
import type { Authentication } from '../../core/payment-threeds.ts';

/** A request for an authorisation. */
export interface ConnectorRequest {
  /** The engine's own reference: unique, and the name under which the request is asked about later. */
  readonly reference: string;
  readonly card: Card;
  readonly currency: string;
  /** Minor units. */
  readonly amount: number;
  readonly authentication: Authentication;
}

/** Asking twice under one reference never charges twice: the second answer is the first one. */
export interface Connector {
  /** Name in results. */
  readonly name: string;
  /** Whether anybody issues cards of this number. What nobody does is declined unasked, and nothing of it is kept. */
  recognises(cardNumber: string): boolean;
  authorise(request: ConnectorRequest): Promise<ConnectorAnswer>;
  /** How the shopper did in the challenge that the connector wanted. */
  completeChallenge(reference: string, passed: boolean): Promise<ConnectorAnswer>;
  /** What became of a request. One that never arrived will be refused if it arrives later: nothing happened, for good. */
  resolve(reference: string): Promise<ConnectorAnswer>;
}
