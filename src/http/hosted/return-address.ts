/** Where the shopper goes back to, with a result that the merchant can check. Contract, "HTTP: Return from hosted pages". */
import type { HostedOrder, HostedStep } from '../../core/hosted.ts';
import { resultInfo } from '../../wire/messages/values.ts';
import { type Key, signMessage } from '../../wire/signature.ts';

type Over = Extract<HostedStep, { readonly is: 'over' }>;

/**
 * The merchant's address with the result as query parameters; its own query and fragment stay.
 * @param key the account's newest; without one the result is not signed, and no merchant should believe it
 * @returns undefined when the address is not one of the web
 */
export function returnAddress(order: HostedOrder, over: Over, key: Key | undefined): string | undefined {
  if (!URL.canParse(over.returnTo)) return undefined;
  const address = new URL(over.returnTo);
  if (address.protocol !== 'https:' && address.protocol !== 'http:') return undefined;
  const result = resultOf(order, over);
  const signed = key === undefined ? result : { ...result, encryption_data: signMessage(result, key) };
  // What the merchant wrote is kept as it stands, except under the names of the result: nobody can read a name twice.
  const own = address.search
    .slice(1)
    .split('&')
    .filter(
      (pair) =>
        pair !== '' && ![...new URLSearchParams(pair).keys()].some((name) => Object.hasOwn(signed, name)),
    );
  address.search = [...own, new URLSearchParams(signed).toString()].join('&');
  return address.href;
}

function resultOf(order: HostedOrder, { orderStatus, reason }: Over): Record<string, string> {
  return {
    order_no: order.orderNo,
    transaction_id: order.transactionId,
    order_status: String(orderStatus),
    result_info: resultInfo(reason),
  };
}
