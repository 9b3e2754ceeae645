/** Where each operation is asked for. Specification, "Endpoints": all by POST. */
export const PATHS = {
  authorise: '/v1/authorise',
  checkout: '/v1/checkout',
  query: '/v1/retrievalTrans',
  capture: '/v1/capture',
  cancel: '/v1/cancel',
  review: '/v1/review',
  refund: '/v1/refund',
  payout: '/v1/payout',
} as const;

/** All eight operations of the API. */
export type ApiOperation = keyof typeof PATHS;

export const API_OPERATIONS = Object.keys(PATHS) as readonly ApiOperation[];
