/** Files to begin with: the fields that an operation needs, the usual others, and one line that is valid. */
import { stringify } from 'csv-stringify/sync';
import { digitsOf } from '../core/currency.ts';
import { formatAmount } from '../core/money.ts';
import { OPERATIONS, type Operation } from '../core/operation.ts';
import { nestPayoutFields } from '../core/payout-message.ts';

export interface TemplateAccount {
  readonly merchantId: string;
  readonly accountId: string;
  readonly currency: string;
}

type Fields = Readonly<Record<string, string>>;

/** 1,050 minor units: 10.50 USD, 1050 JPY. */
const EXAMPLE_AMOUNT = 1_050;
const EXAMPLE_REFUND = 250;

/** The IBAN that Germany publishes as its example. */
const EXAMPLE_IBAN = 'DE89370400440532013000';

export function csvTemplate(operation: Operation, account: TemplateAccount): string {
  const fields = {
    operation,
    merchant_id: account.merchantId,
    account_id: account.accountId,
    ...EXAMPLES[operation](account),
  };
  return stringify([Object.keys(fields), Object.values(fields)]);
}

/** The message of the API: an envelope with its list, or one payout. */
export function jsonTemplate(operation: Operation, account: TemplateAccount): string {
  const ids = { merchant_id: account.merchantId, account_id: account.accountId };
  const { list } = OPERATIONS[operation];
  const fields = EXAMPLES[operation](account);
  const message =
    list === undefined
      ? { operation, ...ids, ...(nestPayoutFields(fields, []) as object) }
      : { ...ids, [list]: [fields] };
  return `${JSON.stringify(message, undefined, 2)}\n`;
}

const EXAMPLES: Readonly<Record<Operation, (account: TemplateAccount) => Fields>> = {
  capture: entry,
  cancel: entry,
  review: (account) => ({ ...entry(account), review_flag: '1' }),
  refund: (account) => {
    const { reference, ...fields } = entry(account);
    return {
      ...fields,
      refund_amount: amount(EXAMPLE_REFUND, account),
      refund_reason: 'item returned',
      reference: reference!,
    };
  },
  payout: ({ currency, ...account }) => ({
    request_id: 'PAY-0001',
    payment_method: 'SWIFT',
    source_currency: currency,
    payment_currency: currency,
    source_amount: amount(EXAMPLE_AMOUNT, { ...account, currency }),
    fee_paid_by: 'PAYER',
    reference: 'Invoice 4711',
    'beneficiary.entity_type': 'COMPANY',
    'beneficiary.company_name': 'Muster GmbH',
    'beneficiary.bank_details.iban': EXAMPLE_IBAN,
    'beneficiary.bank_details.bank_country_code': 'DE',
  }),
};

function entry(account: TemplateAccount): Fields {
  return {
    transaction_id: 'T0001',
    order_no: 'ORDER-0001',
    currency: account.currency,
    amount: amount(EXAMPLE_AMOUNT, account),
    reference: 'my-key-0001',
  };
}

function amount(minor: number, { currency }: TemplateAccount): string {
  return formatAmount(minor, digitsOf(currency) ?? 2);
}
