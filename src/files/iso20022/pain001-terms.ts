/** What a payout must say and a credit transfer does not. */
export interface PayoutTerms {
  readonly payment_method: string;
  readonly entity_type: string;
}

/** The same, as far as somebody has said it. */
export type GivenTerms = { readonly [Name in keyof PayoutTerms]?: string | undefined };

/** As in the gateway's own example of a payout; merchant API, "Payouts". */
const USUAL: PayoutTerms = { payment_method: 'SWIFT', entity_type: 'COMPANY' };

export function termsOf({ payment_method, entity_type }: GivenTerms = {}): PayoutTerms {
  return {
    payment_method: payment_method ?? USUAL.payment_method,
    entity_type: entity_type ?? USUAL.entity_type,
  };
}
