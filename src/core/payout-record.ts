/** An accepted payout as it is answered and kept. */

/** All figures of an accepted payout, in minor units. */
export interface PayoutFigures {
  readonly sourceAmount: number;
  /** What leaves the merchant's balance, fee included. */
  readonly payerPays: number;
  readonly fee: number;
  /** In the payment currency. */
  readonly beneficiaryReceives: number;
}

/** An accepted payout: what the response adds to the request. Times in epoch milliseconds. */
export interface PayoutRecord extends PayoutFigures {
  readonly status: 'SCHEDULED' | 'COMPLETED';
  readonly transactionId: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}
