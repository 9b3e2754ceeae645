/** One credit transfer of a payment initiation → the message of a payout. */
import { isValidBIC, isValidIBAN } from 'ibantools';
import { digitsOf } from '../../core/currency.ts';
import { formatAmount } from '../../core/money.ts';
import { type PayoutMessage, payoutMessage } from '../../core/payout-message.ts';
import { quote } from '../../core/quote.ts';
import { Unreadable } from '../unreadable.ts';
import { dayOf, identifier, minorUnits } from './iso-values.ts';
import { beneficiaryOf } from './pain001-beneficiary.ts';
import { all, attribute, type Element, maybe, rawText, textAt } from './xml.ts';

/** What a payout must say and a credit transfer does not. */
export interface PayoutTerms {
  readonly payment_method: string;
  readonly entity_type: string;
}

type Read = { readonly message: PayoutMessage } | { readonly faults: readonly string[] };

/**
 * @param payment the PmtInf that it stands in, which says what all of its transfers have in common
 * @returns the message, or everything that is wrong with it
 */
export function messageOf(payment: Element, transfer: Element, terms: PayoutTerms): Read {
  const faults: string[] = [];
  const note = <Value>(read: () => Value): Value | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      faults.push(error.message);
      return undefined;
    }
  };
  const message = note(() => withoutGaps(fieldsOf(payment, transfer, terms, note)));
  faults.push(...accountFaults(transfer));
  if (faults.length > 0) return { faults };
  const checked = payoutMessage.safeParse(message);
  if (checked.success) return { message: checked.data };
  return { faults: checked.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}.`) };
}

function fieldsOf(
  payment: Element,
  transfer: Element,
  terms: PayoutTerms,
  note: <Value>(read: () => Value) => Value | undefined,
): object {
  return {
    request_id: note(() => requestId(transfer)),
    payment_method: terms.payment_method,
    payment_date: note(() => dateOf(payment)),
    fee_paid_by: feePaidBy(payment, transfer),
    ...note(() => amountsOf(payment, transfer)),
    ...remittanceOf(transfer),
    beneficiary: beneficiaryOf(transfer, terms.entity_type),
    ...note(() => refuseCheque(payment)),
  };
}

/** The reference that the beneficiary gets too, else the one that the bank gets. */
function requestId(transfer: Element): string {
  const id =
    identifier(textAt(transfer, 'PmtId', 'EndToEndId')) ?? identifier(textAt(transfer, 'PmtId', 'InstrId'));
  if (id === undefined) throw new Unreadable('It has neither EndToEndId nor InstrId.');
  return id;
}

function refuseCheque(payment: Element): object {
  const method = textAt(payment, 'PmtMtd');
  if (method === 'CHK') throw new Unreadable('It is to be paid by cheque (PmtMtd CHK).');
  return {};
}

/** Until version 07 a date, then a date or a moment inside. */
function dateOf(payment: Element): string | undefined {
  const text =
    textAt(payment, 'ReqdExctnDt', 'Dt') ??
    textAt(payment, 'ReqdExctnDt', 'DtTm') ??
    textAt(payment, 'ReqdExctnDt');
  return text === undefined ? undefined : dayOf(text);
}

/** What the beneficiary is to get; or, with EqvtAmt, what it may cost in another currency. */
function amountsOf(payment: Element, transfer: Element): object {
  const amount = maybe(transfer, 'Amt');
  const equivalent = maybe(amount, 'EqvtAmt');
  if (equivalent !== undefined) {
    const { currency, text } = amountOf(maybe(equivalent, 'Amt'));
    return {
      source_currency: currency,
      source_amount: text,
      payment_currency: textAt(equivalent, 'CcyOfTrf'),
    };
  }
  const { currency, text } = amountOf(maybe(amount, 'InstdAmt'));
  return {
    source_currency: textAt(payment, 'DbtrAcct', 'Ccy') ?? currency,
    payment_currency: currency,
    payment_amount: text,
  };
}

/** With exactly the decimals of its currency. */
function amountOf(element: Element | undefined): { readonly currency: string; readonly text: string } {
  const currency = element === undefined ? undefined : attribute(element, 'Ccy');
  if (element === undefined || currency === undefined) {
    throw new Unreadable('It has no amount with a currency.');
  }
  const minor = minorUnits(rawText(element).trim(), currency);
  if (typeof minor === 'string') throw new Unreadable(`The amount ${minor}.`);
  if (minor === 0) throw new Unreadable('The amount is zero.');
  return { currency, text: formatAmount(minor, digitsOf(currency)!) };
}

const BEARERS: Readonly<Record<string, PayoutMessage['fee_paid_by']>> = {
  DEBT: 'PAYER',
  CRED: 'BENEFICIARY',
  SHAR: 'SHARED',
};

/** SLEV leaves it to the rules of the service level; those of SEPA let each side pay its own bank. */
function feePaidBy(payment: Element, transfer: Element): PayoutMessage['fee_paid_by'] {
  const bearer = textAt(transfer, 'ChrgBr') ?? textAt(payment, 'ChrgBr');
  if (bearer === undefined) return undefined;
  const level = textAt(transfer, 'PmtTpInf', 'SvcLvl', 'Cd') ?? textAt(payment, 'PmtTpInf', 'SvcLvl', 'Cd');
  if (bearer === 'SLEV') return level === 'SEPA' ? 'SHARED' : undefined;
  return Object.hasOwn(BEARERS, bearer) ? BEARERS[bearer] : undefined;
}

/** The creditor's own reference where there is one, and words beside it; words alone are the reference. */
function remittanceOf(transfer: Element): object {
  const information = maybe(transfer, 'RmtInf');
  const references = all(information, 'Strd').map((structured) => textAt(structured, 'CdtrRefInf', 'Ref'));
  const words = all(information, 'Ustrd').map((line) => rawText(line).trim());
  const text = words.filter((line) => line !== '').join(' ');
  const reference = references.find((one) => one !== undefined);
  const said = text === '' ? undefined : text;
  return reference === undefined ? { reference: said } : { reference, reason: said };
}

function accountFaults(transfer: Element): readonly string[] {
  const iban = textAt(transfer, 'CdtrAcct', 'Id', 'IBAN');
  const bank = maybe(maybe(transfer, 'CdtrAgt'), 'FinInstnId');
  const bic = textAt(bank, 'BICFI') ?? textAt(bank, 'BIC');
  return [
    ...(iban === undefined || isValidIBAN(iban.replaceAll(' ', ''))
      ? []
      : [`The IBAN ${quote(iban)} of the creditor is not valid.`]),
    ...(bic === undefined || isValidBIC(bic)
      ? []
      : [`The BIC ${quote(bic)} of the creditor's bank is not valid.`]),
  ];
}

/** Without fields and objects that hold nothing. */
function withoutGaps(value: object): object {
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    const kept = typeof inner === 'object' && inner !== null ? withoutGaps(inner) : inner;
    const isEmpty = kept === undefined || (typeof kept === 'object' && Object.keys(kept).length === 0);
    return isEmpty ? [] : [[name, kept] as const];
  });
  return Object.fromEntries(entries);
}
