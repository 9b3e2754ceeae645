/**
 * 3-D Secure as an order asks for it or brings it. The specification shows `open3d: do3DS` and the fields of `mpi_info`
 * and no meaning; what they mean here is this project's choice, after what card schemes do.
 */
import type { ThreeDsResult } from './payment.ts';
import type { PaymentMessage } from './payment-message.ts';

const ASKS = 'do3DS';

/** Electronic commerce indicators: of Visa and others, and of Mastercard. */
const AUTHENTICATED: ReadonlySet<string> = new Set(['05', '02']);
const ATTEMPTED: ReadonlySet<string> = new Set(['06', '01']);
const NOT_AUTHENTICATED: ReadonlySet<string> = new Set(['07', '00']);

/** How an order stands to 3-D Secure: whether the connector is to authenticate, else the result that was brought. */
export interface Authentication {
  readonly asks: boolean;
  readonly result: ThreeDsResult;
}

/** A result from outside comes before asking: nobody is authenticated twice. */
export function authenticationOf(message: PaymentMessage): Authentication {
  const brought = message.additional_information?.find(
    ({ mpi_info }) => mpi_info?.eci !== undefined,
  )?.mpi_info;
  if (brought === undefined) return { asks: message.open3d === ASKS, result: '-' };
  return { asks: false, result: resultOf(brought.eci!, brought) };
}

/**
 * Authenticated needs its proof; a claim without one is worth nothing and counts as unavailable. A transaction that was
 * not authenticated has failed where a directory server or an issuer was reached (they leave an id), else nobody was.
 */
function resultOf(
  eci: string,
  {
    cavv,
    xid,
    dsTransID,
  }: { cavv?: string | undefined; xid?: string | undefined; dsTransID?: string | undefined },
): ThreeDsResult {
  if (AUTHENTICATED.has(eci)) return cavv === undefined ? 'U' : 'Y';
  if (ATTEMPTED.has(eci)) return 'A';
  if (NOT_AUTHENTICATED.has(eci)) return xid !== undefined || dsTransID !== undefined ? 'N' : 'U';
  return 'U';
}
