/** The page that redirect checkout answers with, from the side that asks: where it leads. The other side is checkout.ts. */
import { readForms } from '../html-form.ts';
import { isWebAddress } from './payment-answer.ts';

/** What a merchant needs to know of the page; the shopper gets it as it is. */
export interface AnsweredCheckout {
  /** Where its form goes. */
  readonly address: string;
  /** `gbc_id`; empty where the page does not say it. */
  readonly transactionId: string;
  /** `signInfo`: the signature of the request, where the page has it. */
  readonly signature: string | undefined;
  /** Order number, currency and amount as it repeats them. */
  readonly orderNo: string | undefined;
  readonly currency: string | undefined;
  readonly amount: string | undefined;
}

/**
 * Reads the page.
 * @returns also in words why it is not the page of a checkout
 */
export function readCheckoutPage(html: string): AnsweredCheckout | { readonly fault: string } {
  const forms = readForms(html);
  if (forms === undefined) return { fault: 'its page cannot be read' };
  const [form, ...others] = forms;
  if (form === undefined || others.length > 0) return { fault: 'its page does not have exactly one form' };
  if (form.method !== 'post' || !isWebAddress(form.action))
    return { fault: 'the form of its page is not posted to an http or https address' };
  const { inputs } = form;
  return {
    address: form.action,
    transactionId: inputs.get('gbc_id') ?? '',
    signature: inputs.get('signInfo'),
    orderNo: inputs.get('order_no'),
    currency: inputs.get('currency'),
    amount: inputs.get('amount'),
  };
}
