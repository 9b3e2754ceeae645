/** The CSV formats that are shipped. */
import type { StatementReader } from '../statement.ts';
import { csvReader } from './csv.ts';
import { mappingSchema } from './mapping.ts';
import { ADYEN_SETTLEMENT_DETAILS } from './profiles/adyen.ts';
import { BATCHGATE } from './profiles/batchgate.ts';
import { CHECKOUT_COM } from './profiles/checkout-com.ts';
import { MERCADOPAGO } from './profiles/mercadopago.ts';
import { PAYPAL_ACTIVITY, PAYPAL_SETTLEMENT } from './profiles/paypal.ts';
import { STRIPE_BALANCE, STRIPE_PAYOUTS, STRIPE_RECONCILIATION } from './profiles/stripe.ts';

/** No two of them know the same file. */
export const CSV_READERS: readonly StatementReader[] = [
  BATCHGATE,
  STRIPE_BALANCE,
  STRIPE_PAYOUTS,
  STRIPE_RECONCILIATION,
  MERCADOPAGO,
  ADYEN_SETTLEMENT_DETAILS,
  PAYPAL_ACTIVITY,
  PAYPAL_SETTLEMENT,
  CHECKOUT_COM,
].map((mapping) => csvReader(mappingSchema.parse(mapping)));
