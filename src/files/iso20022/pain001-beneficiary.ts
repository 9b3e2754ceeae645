/** Who is paid and where, in the words of a payout; what the transfer does not say is undefined. */
import { all, type Element, maybe, rawText, textAt } from './xml.ts';

/** A name cannot be told to be first or last: it is given whole, as a company's. */
export function beneficiaryOf(transfer: Element, entityType: string): object {
  const creditor = maybe(transfer, 'Cdtr');
  return {
    entity_type: entityType,
    company_name: textAt(creditor, 'Nm'),
    address: addressOf(maybe(creditor, 'PstlAdr')),
    bank_details: bankOf(transfer),
  };
}

function addressOf(address: Element | undefined): object {
  const lines = all(address, 'AdrLine').map((line) => rawText(line).trim());
  return {
    country_code: textAt(address, 'Ctry'),
    state: textAt(address, 'CtrySubDvsn'),
    city: textAt(address, 'TwnNm'),
    postcode: textAt(address, 'PstCd'),
    street: textAt(address, 'StrtNm'),
    number: textAt(address, 'BldgNb'),
    street_address: lines.length === 0 ? undefined : lines.join(', '),
  };
}

function bankOf(transfer: Element): object {
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
