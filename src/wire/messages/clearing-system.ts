/** The local clearing system of a bank, by its country. The specification shows the field and no values. */

const SYSTEMS: Readonly<Record<string, string>> = {
  AU: 'NPP',
  BR: 'PIX',
  CA: 'EFT',
  CH: 'SIC',
  CN: 'CNAPS',
  GB: 'FPS',
  HK: 'FPS',
  IN: 'IMPS',
  JP: 'ZENGIN',
  MX: 'SPEI',
  PL: 'ELIXIR',
  SE: 'BANKGIRO',
  SG: 'FAST',
  US: 'ACH',
};

/** Countries whose currency is the euro. */
const EURO = 'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' ');

/** @returns for example `SEPA`; empty for a country that is not in the table */
export function clearingSystemOf(country: string | undefined): string {
  if (country === undefined) return '';
  const code = country.toUpperCase();
  if (EURO.includes(code)) return 'SEPA';
  return Object.hasOwn(SYSTEMS, code) ? SYSTEMS[code]! : '';
}
