/** What a bank says of a movement in words: who, what for, and what became of it. */
import { all, type Element, maybe, rawText, textAt } from '../../files/iso20022/xml.ts';

/** Characters; an entry may have thousands of details. */
const LONGEST = 1000;

/** What cutting leaves of a character of two halves. */
const HALF = /[\ud800-\udbff]$/;

export function textOfEntry(entry: Element, details: readonly Element[], reversal: boolean): string {
  return shortened([
    ...(reversal ? ['reversal'] : []),
    ...details.slice(0, 20).flatMap((detail) => wordsOf(entry, detail, reversal)),
    textAt(entry, 'AddtlNtryInf'),
  ]);
}

export function textOfDetail(entry: Element, detail: Element, reversal: boolean): string {
  return shortened([
    ...(reversal ? ['reversal'] : []),
    ...wordsOf(entry, detail, reversal),
    textAt(entry, 'AddtlNtryInf'),
  ]);
}

function wordsOf(entry: Element, detail: Element, reversal: boolean): readonly (string | undefined)[] {
  const returned = textAt(detail, 'RtrInf', 'Rsn', 'Cd') ?? textAt(detail, 'RtrInf', 'Rsn', 'Prtry');
  const remittance = all(maybe(detail, 'RmtInf'), 'Ustrd').map((line) => rawText(line).trim());
  return [
    otherParty(entry, detail, reversal),
    remittance.join(' '),
    textAt(detail, 'AddtlTxInf'),
    returned === undefined ? undefined : `returned: ${returned}`,
  ];
}

/** Who gave, or who got: the one that the account's owner is not, in the original of a reversal too. Since version 04 a party has its name inside. */
function otherParty(entry: Element, detail: Element, reversal: boolean): string | undefined {
  const credited = (textAt(detail, 'CdtDbtInd') ?? textAt(entry, 'CdtDbtInd')) === 'CRDT';
  const party = credited === reversal ? 'Cdtr' : 'Dbtr';
  const parties = maybe(detail, 'RltdPties');
  return textAt(parties, party, 'Nm') ?? textAt(parties, party, 'Pty', 'Nm');
}

function shortened(texts: readonly (string | undefined)[]): string {
  const said = [...new Set(texts.filter((text) => text !== undefined && text !== ''))];
  const text = said.join('; ').replace(/\s+/g, ' ');
  return text.length > LONGEST ? `${text.slice(0, LONGEST).replace(HALF, '')}…` : text;
}
