/** Examples of answers that a schema cannot make up: XML, and what each error says. */
import { type Code, reason } from '../../core/code.ts';
import { writeXml } from '../../wire/xml.ts';
import { refusal, refusalFields } from '../refusal.ts';
import { FIELD_EXAMPLES } from './field-examples.ts';

/** The two answers of authorise. */
export function paymentExamples(): Readonly<
  Record<string, { readonly summary: string; readonly value: string }>
> {
  return {
    payment: {
      summary: 'A direct payment, approved',
      value: respon({
        ...values('merchant_id', 'account_id', 'order_no', 'amount', 'currency', 'transaction_id', 'card'),
        order_status: '1',
        ...values('result_info', 'token_id', 'connector'),
        threeds_result: '-',
        risk_action: 'accept',
        risk_score: '0',
        risk_reasons: [{ name: 'amount', status: 'pass' }],
        ...values('encryption_data'),
      }),
    },
    issuer: {
      summary: 'An alternative method: the shopper goes on elsewhere',
      value: respon(
        values(
          'merchant_id',
          'account_id',
          'order_no',
          'amount',
          'currency',
          'issuer_url',
          'encryption_data',
        ),
      ),
    },
  };
}

function values(...names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, FIELD_EXAMPLES[name]!]));
}

function respon(fields: Parameters<typeof writeXml>[1]): string {
  const written = writeXml('respon', fields);
  if ('fault' in written) throw new Error(written.fault);
  return written.xml;
}

/** An error answer with this code, as far as it can be told without its signature. */
export function errorExample(code: Code, detail: string | undefined): object {
  const ids = { merchantId: FIELD_EXAMPLES.merchant_id!, accountId: FIELD_EXAMPLES.account_id! };
  return refusalFields(refusal(reason(code, detail)), ids, FIELD_EXAMPLES.request_id!);
}
