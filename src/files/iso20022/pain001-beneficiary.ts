/** Who is paid and where, in the words of a payout; what the transfer does not say is undefined. */
import { all, type Element, maybe, rawText, textAt } from './xml.ts';

type Fields = Readonly<Record<string, string | undefined>>;

/**
 * A name cannot be told to be first or last: it is given whole, as a company's.
 * @returns fields by their dotted names
 */
export function beneficiaryOf(transfer: Element, entityType: string): Fields {
  const creditor = maybe(transfer, 'Cdtr');
  return {
    'beneficiary.entity_type': entityType,
    'beneficiary.company_name': oneLine(textAt(creditor, 'Nm')),
    ...under('beneficiary.address', addressOf(maybe(creditor, 'PstlAdr'))),
    ...under('beneficiary.bank_details', bankOf(transfer)),
  };
}

function under(path: string, fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, text]) => [`${path}.${name}`, oneLine(text)]));
}

function addressOf(address: Element | undefined): Fields {
  return {
    country_code: textAt(address, 'Ctry'),
    state: textAt(address, 'CtrySubDvsn'),
    city: textAt(address, 'TwnNm'),
    postcode: textAt(address, 'PstCd'),
    street: textAt(address, 'StrtNm'),
    number: textAt(address, 'BldgNb'),
    street_address: all(address, 'AdrLine')
      .map((line) => rawText(line).trim())
      .join(', '),
  };
}

function bankOf(transfer: Element): Fields {
  const account = maybe(transfer, 'CdtrAcct');
  const bank = maybe(maybe(transfer, 'CdtrAgt'), 'FinInstnId');
  const bic = textAt(bank, 'BICFI') ?? textAt(bank, 'BIC');
  return {
    iban: textAt(account, 'Id', 'IBAN')?.replaceAll(' ', ''),
    account_number: textAt(account, 'Id', 'Othr', 'Id'),
    account_name: textAt(account, 'Nm'),
    account_currency: textAt(account, 'Ccy'),
    swift_code: bic,
    // The fifth and sixth letter of a BIC are the country.
    bank_country_code: textAt(bank, 'PstlAdr', 'Ctry') ?? bic?.slice(4, 6),
    bank_code: textAt(bank, 'ClrSysMmbId', 'MmbId'),
    bank_name: textAt(bank, 'Nm'),
  };
}

/** Words on one line: programs that lay out XML break long texts, and no name has a line break. */
export function oneLine(text: string | undefined): string | undefined {
  const line = text?.replace(/\s*[\t\r\n]\s*/g, ' ').trim();
  return line === '' ? undefined : line;
}
