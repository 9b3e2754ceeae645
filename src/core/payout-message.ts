/** The payout request of the specification with all its nested fields, and its flat form in files. */
import * as z from 'zod';
import { day, decimal, email, freeText, id, name, url } from './text.ts';

const text = name.optional();

const address = { city: text, country_code: text, postcode: text, state: text, street_address: text };

const beneficiary = z.strictObject({
  additional_info: z
    .strictObject({
      business_area: text,
      business_phone_number: text,
      business_registration_number: text,
      personal_email: email.optional(),
      personal_id_number: text,
      personal_id_type: text,
      personal_mobile_number: text,
      personal_net_monthly_average_income: text,
      personal_phone_country_code: text,
      personal_phone_area_code: text,
      personal_fiscal_country: text,
    })
    .optional(),
  address: z.strictObject({ ...address, street: text, number: text, complement: text }).optional(),
  person_documents: z
    .array(
      z.strictObject({
        file_type: text,
        file_url: url.optional(),
        labels: z.array(name).max(20, 'at most 20 labels').optional(),
      }),
    )
    .max(20, 'at most 20 documents')
    .optional(),
  bank_details: z
    .strictObject({
      account_currency: text,
      account_name: text,
      owner_document_number: text,
      account_number: text,
      bank_account_category: text,
      bank_branch: text,
      bank_country_code: text,
      bank_code: text,
      bank_name: text,
      bank_street_address: text,
      binding_mobile_number: text,
      iban: text,
      swift_code: text,
      transaction_reference: text,
    })
    .optional(),
  company_name: text,
  date_of_birth: day.optional(),
  entity_type: name,
  first_name: text,
  last_name: text,
});

const payer = z.strictObject({
  additional_info: z
    .strictObject({
      business_registration_number: text,
      business_registration_type: text,
      external_id: text,
      personal_email: email.optional(),
      personal_id_number: text,
      job: text,
    })
    .optional(),
  address: z.strictObject(address).optional(),
  company_name: text,
  date_of_birth: day.optional(),
  entity_type: text,
  first_name: text,
  last_name: text,
});

const fields = z.strictObject({
  request_id: id,
  beneficiary_id: id.optional(),
  client_data: freeText.optional(),
  fee_paid_by: z.enum(['PAYER', 'BENEFICIARY', 'SHARED'], 'PAYER, BENEFICIARY or SHARED').optional(),
  payment_amount: decimal.optional(),
  payment_currency: id,
  payment_date: day.optional(),
  payment_method: id,
  reason: freeText.optional(),
  reference: name.optional(),
  source_amount: decimal.optional(),
  source_currency: id,
  swift_charge_option: id.optional(),
  fund_source: id.optional(),
  notify_url: url.optional(),
  beneficiary,
  payer: payer.optional(),
});

/** A payout request without its envelope (merchant_id, account_id, encryption_data). */
export const payoutMessage = fields.superRefine(requireChoices, {
  // Also where other fields are malformed: what is missing comes first in the order of codes.
  when: ({ value }) => typeof value === 'object' && value !== null,
});

/** Of some fields one is required. The rest of the message may be malformed here. */
function requireChoices(message: Partial<z.infer<typeof fields>>, context: z.core.$RefinementCtx): void {
  const missing = (path: string[], what: string) =>
    context.addIssue({ code: 'custom', path, message: what, params: { missing: true } });
  if (message.payment_amount === undefined && message.source_amount === undefined) {
    missing(['payment_amount'], 'payment_amount or source_amount');
  }
  if (typeof message.beneficiary !== 'object' || message.beneficiary === null) return;
  const { company_name, first_name, last_name, bank_details } = message.beneficiary;
  if (company_name === undefined && (first_name === undefined || last_name === undefined)) {
    missing(['beneficiary', 'company_name'], 'beneficiary.company_name, or first_name and last_name');
  }
  const byNumber = bank_details?.account_number !== undefined && bank_details.bank_country_code !== undefined;
  if (bank_details?.iban === undefined && !byNumber) {
    missing(
      ['beneficiary', 'bank_details', 'iban'],
      'beneficiary.bank_details.iban, or account_number with bank_country_code',
    );
  }
}

export type PayoutMessage = z.infer<typeof payoutMessage>;

/** Dotted names of all fields, in the order of the schema; a list stands with its first element. */
export const PAYOUT_COLUMNS: readonly string[] = flatNames(fields, '');

function flatNames(schema: z.ZodType, path: string): string[] {
  if (schema instanceof z.ZodOptional) return flatNames(schema.unwrap() as z.ZodType, path);
  if (schema instanceof z.ZodArray) return flatNames(schema.element as z.ZodType, `${path}.0`);
  if (!(schema instanceof z.ZodObject)) return [path];
  return Object.entries(schema.shape).flatMap(([key, inner]) =>
    flatNames(inner as z.ZodType, path === '' ? key : `${path}.${key}`),
  );
}

type Nested = { [key: string]: string | Nested | Nested[] | string[] };

/**
 * Dotted fields as the nested message: `payer.address.city` becomes `{payer: {address: {city}}}`, a number in the path
 * a list element. Gaps in a list close up, so that leaving out columns never makes empty elements.
 * @param omit fields of the line that are not part of the message
 */
export function nestPayoutFields(fields: Readonly<Record<string, string>>, omit: readonly string[]): unknown {
  const root: Nested = {};
  for (const [path, value] of Object.entries(fields)) {
    if (!omit.includes(path)) place(root, path.split('.'), value);
  }
  return listsFromNumbers(root);
}

function place(root: Nested, path: readonly string[], value: string): void {
  let at = root;
  for (const key of path.slice(0, -1)) {
    const next = at[key] ?? {};
    if (typeof next === 'string' || Array.isArray(next)) return;
    at[key] = next;
    at = next;
  }
  at[path.at(-1)!] = value;
}

/** Objects whose keys are all numbers are lists. */
function listsFromNumbers(node: string | Nested): unknown {
  if (typeof node === 'string') return node;
  const entries = Object.entries(node) as [string, string | Nested][];
  const isList = entries.length > 0 && entries.every(([key]) => /^\d+$/.test(key));
  return isList
    ? entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, value]) => listsFromNumbers(value))
    : Object.fromEntries(entries.map(([key, value]) => [key, listsFromNumbers(value)]));
}
