/** Alternative payment methods: which there are, for which money, and what they need to know. Engine decisions, "APM". */
import { type Reason, reason } from './code.ts';
import type { Order } from './payment.ts';

interface Method {
  /** The one currency it moves; undefined means any. */
  readonly currency?: string;
  /** A field without which it cannot be used, and where that stands. */
  readonly needs?: { readonly field: string; readonly in: (order: Order) => string | undefined };
}

export const APM_METHODS = {
  pix: { currency: 'BRL' },
  boleto: {
    currency: 'BRL',
    needs: { field: 'person.document_number', in: ({ message }) => message.person?.document_number },
  },
  oxxo: { currency: 'MXN' },
  spei: { currency: 'MXN' },
  pse: { currency: 'COP', needs: { field: 'bank_code', in: ({ message }) => message.bank_code } },
  bank_transfer: {},
  wallet: {},
} as const satisfies Readonly<Record<string, Method>>;

/** Why an order cannot be paid by a method: I0002, V0003, I0001; undefined when it can. */
export function apmFault(name: string, order: Order): Reason | undefined {
  if (!Object.hasOwn(APM_METHODS, name)) {
    const known = Object.keys(APM_METHODS).join(', ');
    return reason('I0002', `payment_method must be one of ${known}`, { column: 'payment_method' });
  }
  const { currency, needs }: Method = APM_METHODS[name as keyof typeof APM_METHODS];
  if (currency !== undefined && order.currency !== currency)
    return reason('V0003', `${name} is paid in ${currency}`, { column: 'currency' });
  if (needs !== undefined && needs.in(order) === undefined)
    return reason('I0001', `${needs.field}, which ${name} needs`, { column: needs.field });
  return undefined;
}
