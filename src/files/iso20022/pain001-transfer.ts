/** One credit transfer of a payment initiation → the fields of a payout. */
import { isValidBIC, isValidIBAN } from 'ibantools';
import { type Code, type Reason, reason } from '../../core/code.ts';
import { isInvalid, parseInstruction } from '../../core/instruction.ts';
import type { AmountStyle } from '../../core/money.ts';
import { quote } from '../../core/quote.ts';
import { Unreadable } from '../unreadable.ts';
import { dayOf, identifier } from './iso-values.ts';
import { rewrittenAmount } from './pain001-amount.ts';
import { beneficiaryOf, oneLine } from './pain001-beneficiary.ts';
import { hasCardNumber } from './pain001-cards.ts';
import type { PayoutTerms } from './pain001-terms.ts';
import { all, attribute, type Element, maybe, rawText, textAt } from './xml.ts';

/** By the (dotted) name of a payout's field. */
type Fields = Readonly<Record<string, string>>;

export interface ReadTransfer {
  readonly fields: Fields;
  /** What is written where a field could not be read. */
  readonly unread: Fields;
  /** Everything that is wrong with it, in the order of codes. */
  readonly faults: readonly Reason[];
}

/**
 * Reads a transfer.
 * @param payment the PmtInf that it stands in, which says what all of its transfers have in common
 * @param number of the transfer in its file, from 1
 * @param style in which its amounts are rewritten: the one in which lines of this sender are read
 */
export function readTransfer(
  payment: Element,
  transfer: Element,
  number: number,
  terms: PayoutTerms,
  style: AmountStyle,
): ReadTransfer {
  const reading = new Reading(payment, transfer, number, terms, style);
  const faults = reading.read();
  return { fields: reading.fields, unread: reading.unread, faults };
}

class Reading {
  readonly fields: Record<string, string> = {};
  readonly unread: Record<string, string> = {};
  readonly #faults: Reason[] = [];
  readonly #payment: Element;
  readonly #transfer: Element;
  readonly #number: number;
  readonly #terms: PayoutTerms;
  readonly #style: AmountStyle;

  constructor(payment: Element, transfer: Element, number: number, terms: PayoutTerms, style: AmountStyle) {
    this.#payment = payment;
    this.#transfer = transfer;
    this.#number = number;
    this.#terms = terms;
    this.#style = style;
  }

  /** Fills the fields; returns everything that is wrong. */
  read(): readonly Reason[] {
    this.#set({ payment_method: this.#terms.payment_method });
    const parts = [
      () => this.#requestId(),
      () => this.#method(),
      () => this.#date(),
      () => this.#bearer(),
      () => this.#amounts(),
      () => this.#set(remittanceOf(this.#transfer)),
      () => this.#set(beneficiaryOf(this.#transfer, this.#terms.entity_type)),
    ];
    // Of one that is not built as it should be, fields are missing only because of that.
    if (parts.map((part) => this.#attempt(part)).every((done) => done)) this.#require();
    this.#account();
    if (hasCardNumber(this.#transfer)) this.#refuse('B0012', 'a text of the transfer holds a card number');
    // What a field lacks (I…) comes before what a gateway would find (V0013), and a card number (B0012) before all.
    return this.#faults.sort((a, b) => (a.code < b.code ? -1 : a.code > b.code ? 1 : 0));
  }

  #set(fields: Readonly<Record<string, string | undefined>>): void {
    for (const [name, text] of Object.entries(fields)) if (text !== undefined) this.fields[name] = text;
  }

  #refuse(code: Code, detail: string, column?: string): void {
    this.#add(reason(code, detail, column === undefined ? {} : { column }));
  }

  /** What is found in lines of every format. */
  #require(): void {
    const given = { ...this.fields, ...this.unread };
    const parsed = parseInstruction('payout', this.#number, given, this.#style);
    if (isInvalid(parsed)) this.#add(parsed.reason);
  }

  /** Once where two checks have found the same. */
  #add(fault: Reason): void {
    const { code, column } = fault;
    if (column !== undefined && this.#faults.some((one) => one.code === code && one.column === column))
      return;
    this.#faults.push({ ...fault, line: this.#number });
  }

  /** @returns false when an element stands twice, of which nobody knows which one is meant */
  #attempt(part: () => void): boolean {
    try {
      part();
      return true;
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      this.#refuse('I0002', detailOf(error));
      return false;
    }
  }

  /** The reference that the beneficiary gets too, else the one that the bank gets. */
  #requestId(): void {
    const id =
      identifier(textAt(this.#transfer, 'PmtId', 'EndToEndId')) ??
      identifier(textAt(this.#transfer, 'PmtId', 'InstrId'));
    this.#set({ request_id: id });
    if (id === undefined) {
      this.#refuse('I0001', 'request_id: it has neither EndToEndId nor InstrId', 'request_id');
    }
  }

  #method(): void {
    if (textAt(this.#payment, 'PmtMtd') !== 'CHK') return;
    this.#refuse('I0002', 'it is to be paid by cheque (PmtMtd CHK)', 'payment_method');
  }

  /** Until version 07 a date, then a date or a moment inside. */
  #date(): void {
    const text =
      textAt(this.#payment, 'ReqdExctnDt', 'Dt') ??
      textAt(this.#payment, 'ReqdExctnDt', 'DtTm') ??
      textAt(this.#payment, 'ReqdExctnDt');
    if (text === undefined) return;
    try {
      this.#set({ payment_date: dayOf(text) });
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      this.unread.payment_date = text;
      this.#refuse('I0002', `ReqdExctnDt: ${detailOf(error)}`, 'payment_date');
    }
  }

  /** SLEV leaves it to the rules of the service level; those of SEPA let each side pay its own bank. */
  #bearer(): void {
    const code = textAt(this.#transfer, 'ChrgBr') ?? textAt(this.#payment, 'ChrgBr');
    if (code === undefined) return;
    if (code === 'SLEV') {
      const level =
        textAt(this.#transfer, 'PmtTpInf', 'SvcLvl', 'Cd') ??
        textAt(this.#payment, 'PmtTpInf', 'SvcLvl', 'Cd');
      if (level === 'SEPA') this.#set({ fee_paid_by: 'SHARED' });
    } else if (Object.hasOwn(BEARERS, code)) {
      this.#set({ fee_paid_by: BEARERS[code] });
    } else {
      this.unread.fee_paid_by = code;
      this.#refuse('I0002', `ChrgBr is ${quote(code)}, not DEBT, CRED, SHAR or SLEV`, 'fee_paid_by');
    }
  }

  /** What the beneficiary is to get; or, with EqvtAmt, what it may cost in another currency. */
  #amounts(): void {
    const amount = maybe(this.#transfer, 'Amt');
    const equivalent = maybe(amount, 'EqvtAmt');
    if (equivalent !== undefined) {
      this.#amount('source', maybe(equivalent, 'Amt'));
      this.#set({ payment_currency: textAt(equivalent, 'CcyOfTrf') });
      return;
    }
    this.#amount('payment', maybe(amount, 'InstdAmt'));
    this.#set({
      source_currency: textAt(this.#payment, 'DbtrAcct', 'Ccy') ?? this.fields.payment_currency,
    });
  }

  /** Whether it is an amount of its currency is asked where those of all lines are. */
  #amount(side: 'source' | 'payment', element: Element | undefined): void {
    const column = `${side}_amount`;
    if (element === undefined) {
      this.#refuse('I0001', `${column}: it has no amount (Amt)`, column);
      return;
    }
    const currency = attribute(element, 'Ccy');
    this.#set({ [`${side}_currency`]: currency });
    const text = rawText(element).trim();
    const written = rewrittenAmount(text, currency, this.#style);
    if (written !== undefined) {
      this.#set({ [column]: written });
      return;
    }
    this.unread[column] = text;
    this.#refuse('I0021', `${column} is ${quote(text)}`, column);
  }

  #account(): void {
    const iban = this.fields['beneficiary.bank_details.iban'];
    const bic = this.fields['beneficiary.bank_details.swift_code'];
    if (iban !== undefined && !isValidIBAN(iban)) {
      this.#refuse('V0013', `the IBAN ${quote(iban)} is not valid`, 'beneficiary.bank_details.iban');
    }
    if (bic !== undefined && !isValidBIC(bic)) {
      this.#refuse('V0013', `the BIC ${quote(bic)} is not valid`, 'beneficiary.bank_details.swift_code');
    }
  }
}

/** The message of an error behind a colon. */
function detailOf({ message }: Unreadable): string {
  return message.replace(/^It/, 'it').replace(/\.$/, '');
}

const BEARERS: Readonly<Record<string, string>> = {
  DEBT: 'PAYER',
  CRED: 'BENEFICIARY',
  SHAR: 'SHARED',
};

/** The creditor's own reference where there is one, and words beside it; words alone are the reference. */
function remittanceOf(transfer: Element): { readonly reference?: string; readonly reason?: string } {
  const information = maybe(transfer, 'RmtInf');
  const references = all(information, 'Strd').map((structured) => textAt(structured, 'CdtrRefInf', 'Ref'));
  const words = all(information, 'Ustrd').map((line) => oneLine(rawText(line)));
  const text = words.filter((line) => line !== undefined).join(' ');
  const reference = references.find((one) => one !== undefined);
  const said = text === '' ? undefined : text;
  if (reference === undefined) return said === undefined ? {} : { reference: said };
  return said === undefined ? { reference } : { reference, reason: said };
}
