/**
 * The reference model's own reading of a line: straight from the contract's words, sharing nothing with the program.
 */

export interface Style {
  readonly decimal: 'dot' | 'comma';
  readonly thousands: 'none' | 'dot' | 'comma' | 'space';
}

export type Operation = 'capture' | 'cancel' | 'review' | 'refund' | 'payout';

/** ISO 4217 digits of the currencies that the test uses. */
export const DIGITS: Readonly<Record<string, number>> = { USD: 2, EUR: 2, JPY: 0, KWD: 3 };

const LARGEST = 999_999_999_999_999n;

export interface ReadLine {
  readonly line: number;
  /** Empty where nothing says it. */
  readonly merchantId: string;
  readonly accountId: string;
  readonly operation: string;
  /** The acted-on amount, where it can be read. */
  readonly amount: bigint | undefined;
  readonly currency: string;
  readonly fault: { readonly code: string; readonly column: string } | undefined;
  /** Number of the account; 0 for an invalid line. */
  readonly account: number;
  readonly fields: Readonly<Record<string, string>>;
  /** By field name, in minor units. */
  readonly amounts: Readonly<Record<string, bigint>>;
}

export interface AccountIds {
  readonly number: number;
  readonly merchantId: string;
  readonly accountId: string;
}

export interface GivenLine {
  readonly line: number;
  readonly fields: Readonly<Record<string, string>>;
  /** False for a CSV record whose length is wrong: no cell of it can be trusted. */
  readonly whole: boolean;
}

export interface Bounds {
  readonly operation: string | undefined;
  readonly merchantId: string | undefined;
  readonly accountId: string | undefined;
}

const NEEDED: Readonly<Record<Operation, readonly string[]>> = {
  capture: ['transaction_id', 'order_no', 'currency', 'amount'],
  cancel: ['transaction_id', 'order_no', 'currency', 'amount'],
  review: ['transaction_id', 'order_no', 'currency', 'amount', 'review_flag'],
  refund: ['transaction_id', 'order_no', 'currency', 'amount', 'refund_amount'],
  payout: ['request_id', 'payment_method', 'source_currency', 'payment_currency', 'beneficiary.entity_type'],
};

const COMMON = ['operation', 'merchant_id', 'account_id', 'repeat_of'];
const ENTRY = [...COMMON, 'reference', 'transaction_id', 'order_no', 'currency', 'amount'];

const ALLOWED: Readonly<Record<Operation, readonly string[]>> = {
  capture: ENTRY,
  cancel: ENTRY,
  review: [...ENTRY, 'review_flag'],
  refund: [...ENTRY, 'refund_amount', 'refund_reason'],
  payout: [
    ...COMMON,
    ...NEEDED.payout,
    'payment_amount',
    'source_amount',
    'payment_date',
    'fee_paid_by',
    'swift_charge_option',
    'reason',
    'reference',
    'beneficiary.company_name',
    'beneficiary.first_name',
    'beneficiary.last_name',
    'beneficiary.bank_details.iban',
    'beneficiary.bank_details.swift_code',
    'beneficiary.bank_details.account_number',
    'beneficiary.bank_details.bank_country_code',
  ],
};

const AMOUNTS = ['amount', 'refund_amount', 'source_amount', 'payment_amount'];

/** Fields that hold ids of at most 64 printable characters. */
const IDS = [
  'transaction_id',
  'order_no',
  'currency',
  'reference',
  'repeat_of',
  'request_id',
  'payment_method',
];

export function readLine(
  given: GivenLine,
  bounds: Bounds,
  style: Style,
  accounts: readonly AccountIds[],
): ReadLine {
  const fields = given.whole
    ? Object.fromEntries(Object.entries(given.fields).filter(([, text]) => text.trim() !== ''))
    : {};
  // Where nothing says whose the line is, it belongs to the only account there is.
  const only = accounts.length === 1 ? accounts[0] : undefined;
  const merchantId = bounds.merchantId ?? fields.merchant_id ?? only?.merchantId ?? '';
  const accountId = bounds.accountId ?? fields.account_id ?? only?.accountId ?? '';
  const word = (fields.operation ?? bounds.operation ?? '').trim().toLowerCase();
  const operation = word in ALLOWED ? word : '';
  const account = accounts.find((one) => one.merchantId === merchantId && one.accountId === accountId);
  const amounts: Record<string, bigint> = {};
  const faults = given.whole
    ? faultsOf(fields, operation, merchantId, accountId, account !== undefined, style, amounts)
    : [{ code: 'B0008', column: '' }];
  const [fault] = faults.sort((a, b) => (a.code < b.code ? -1 : a.code > b.code ? 1 : 0));
  const [field, currency] = actedOn(operation, fields);
  const digits = DIGITS[currency];
  const own = digits === undefined ? undefined : parse(fields[field] ?? '', digits, style);
  return {
    line: given.line,
    merchantId,
    accountId,
    operation,
    amount: typeof own === 'bigint' ? own : undefined,
    currency: digits === undefined ? '' : currency,
    fault,
    account: fault === undefined ? account!.number : 0,
    fields,
    amounts,
  };
}

/** Which field holds the acted-on amount, and what the currency of it is. */
function actedOn(operation: string, fields: Readonly<Record<string, string>>): [string, string] {
  if (operation === 'refund') return ['refund_amount', fields.currency ?? ''];
  if (operation !== 'payout') return ['amount', fields.currency ?? ''];
  return fields.payment_amount === undefined
    ? ['source_amount', fields.source_currency ?? '']
    : ['payment_amount', fields.payment_currency ?? ''];
}

type Fault = { code: string; column: string };

function faultsOf(
  fields: Readonly<Record<string, string>>,
  operation: string,
  merchantId: string,
  accountId: string,
  hasAccount: boolean,
  style: Style,
  amounts: Record<string, bigint>,
): Fault[] {
  if (operation === '')
    return [{ code: fields.operation === undefined ? 'I0001' : 'I0002', column: 'operation' }];
  if (merchantId === '') return [{ code: 'I0001', column: 'merchant_id' }];
  if (accountId === '') return [{ code: 'I0001', column: 'account_id' }];
  const damaged = Object.entries(fields).find(([name, text]) => isDamaged(name, text));
  if (damaged !== undefined) return [{ code: 'B0013', column: damaged[0] }];
  const faults: Fault[] = [
    ...missing(operation as Operation, fields),
    ...Object.keys(fields).flatMap((name) => malformed(operation as Operation, name, fields[name]!)),
  ];
  if (!hasAccount) faults.push({ code: 'I0013', column: 'account_id' });
  for (const name of AMOUNTS) {
    const text = fields[name];
    if (text === undefined || !ALLOWED[operation as Operation].includes(name)) continue;
    const currencyField = operation === 'payout' ? name.replace('amount', 'currency') : 'currency';
    const currency = fields[currencyField];
    if (currency === undefined) continue;
    const read = readAmount(text, DIGITS[currency], style);
    if (typeof read === 'bigint') amounts[name] = read;
    else faults.push({ code: read, column: read === 'I0022 currency' ? currencyField : name });
  }
  if (operation === 'payout') {
    for (const name of ['source_currency', 'payment_currency']) {
      const currency = fields[name];
      const amount = fields[name.replace('currency', 'amount')];
      if (currency !== undefined && amount === undefined && DIGITS[currency] === undefined) {
        faults.push({ code: 'I0022', column: name });
      }
    }
  }
  return faults.map(({ code, column }) => ({ code: code.slice(0, 5), column }));
}

function missing(operation: Operation, fields: Readonly<Record<string, string>>): Fault[] {
  const lacks = (name: string) => fields[name] === undefined;
  const faults = NEEDED[operation].filter(lacks).map((column) => ({ code: 'I0001', column }));
  if (operation !== 'payout') return faults;
  if (lacks('payment_amount') && lacks('source_amount')) {
    faults.push({ code: 'I0001', column: 'payment_amount' });
  }
  if (
    lacks('beneficiary.company_name') &&
    (lacks('beneficiary.first_name') || lacks('beneficiary.last_name'))
  ) {
    faults.push({ code: 'I0001', column: 'beneficiary.company_name' });
  }
  const bank = 'beneficiary.bank_details.';
  if (lacks(`${bank}iban`) && (lacks(`${bank}account_number`) || lacks(`${bank}bank_country_code`))) {
    faults.push({ code: 'I0001', column: `${bank}iban` });
  }
  return faults;
}

function malformed(operation: Operation, name: string, text: string): Fault[] {
  const fault = [{ code: 'I0002', column: name }];
  if (!ALLOWED[operation].includes(name)) return fault;
  if (IDS.includes(name) && !(operation === 'payout' && name === 'reference')) {
    return text.length > 64 || hasControl(text) ? fault : [];
  }
  if (name === 'review_flag') return text === '0' || text === '1' ? [] : fault;
  if (name === 'fee_paid_by') return ['PAYER', 'BENEFICIARY', 'SHARED'].includes(text) ? [] : fault;
  if (name === 'payment_date') return /^2026-(1[0-2]|0[1-9])-([0-2]\d|30)$/.test(text) ? [] : fault;
  return [];
}

function hasControl(text: string): boolean {
  return [...text].some((character) => character < ' ' || (character >= '\x7f' && character <= '\x9f'));
}

/** What the generator makes a spreadsheet do; the full list has tests of its own. */
function isDamaged(name: string, text: string): boolean {
  return /(^|_)(id|no)$/.test(name) && (/^\d\.\d+E\+\d+$/.test(text) || text.startsWith('='));
}

/** Minor units, or the code that says what is wrong. */
function readAmount(
  text: string,
  digits: number | undefined,
  style: Style,
): bigint | 'I0021' | 'I0022' | 'I0022 currency' {
  if (text.length > 64) return 'I0021';
  const parsed = parse(text, digits ?? 20, style);
  if (digits !== undefined) return parsed;
  return parsed === 'I0021' && !isTooLarge(text, style) ? 'I0021' : 'I0022 currency';
}

function isTooLarge(text: string, style: Style): boolean {
  const plain = dotted(text, style);
  return plain !== undefined && /[1-9]/.test(plain);
}

/** `1,234.5` and the like as `1234.5`; undefined when it is not written in the style. */
function dotted(text: string, { decimal, thousands }: Style): string | undefined {
  const mark = { none: '', dot: '.', comma: ',', space: ' ' }[thousands];
  const point = decimal === 'dot' ? '.' : ',';
  const [whole, fraction, ...rest] = text.split(point);
  if (whole === undefined || rest.length > 0) return undefined;
  if (fraction !== undefined && !/^[0-9]{1,20}$/.test(fraction)) return undefined;
  const groups = mark === '' ? [whole] : whole.split(mark);
  const fits = groups.every((group, at) =>
    groups.length === 1
      ? /^[0-9]{1,40}$/.test(group)
      : at === 0
        ? /^[0-9]{1,3}$/.test(group)
        : /^[0-9]{3}$/.test(group),
  );
  if (!fits) return undefined;
  return groups.join('') + (fraction === undefined ? '' : `.${fraction}`);
}

function parse(text: string, digits: number, style: Style): bigint | 'I0021' | 'I0022' {
  const plain = dotted(text, style);
  if (plain === undefined) return 'I0021';
  const [whole, fraction = ''] = plain.split('.');
  if (fraction.length > digits) return 'I0022';
  const minor = BigInt(whole + fraction.padEnd(digits, '0'));
  return minor > 0n && minor <= LARGEST ? minor : 'I0021';
}

/** Minor units as a decimal with a dot and all digits. */
export function decimalOf(minor: bigint, currency: string): string {
  const digits = DIGITS[currency]!;
  const sign = minor < 0n ? '-' : '';
  const text = String(minor < 0n ? -minor : minor).padStart(digits + 1, '0');
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** A file of ten lines or more with one in ten unreadable for one reason was read wrongly (B0020). */
export function isReadWrongly(lines: readonly ReadLine[]): boolean {
  const unreadable = new Map<string, number>();
  for (const { fault } of lines) {
    if (fault === undefined || !['I0002', 'I0021', 'I0022', 'B0008', 'B0013'].includes(fault.code)) continue;
    const what = `${fault.code} ${fault.column}`;
    unreadable.set(what, (unreadable.get(what) ?? 0) + 1);
  }
  return lines.length >= 10 && [...unreadable.values()].some((count) => count * 10 >= lines.length);
}
