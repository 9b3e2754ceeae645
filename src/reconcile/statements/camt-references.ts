/** By which names the ledger may know a movement, the most exact first. */
import { identifier } from '../../files/iso20022/iso-values.ts';
import { all, type Element, maybe, textAt } from '../../files/iso20022/xml.ts';

/** From the sender's own reference, which goes through all banks unchanged, to what names many payments. */
const NAMES = ['EndToEndId', 'TxId', 'InstrId', 'UETR', 'PmtInfId', 'AcctSvcrRef', 'MsgId', 'MndtId'];

/**
 * @param detail of one transaction
 * @param entry of which it is the only one; undefined where the entry holds others too
 */
export function detailReferences(detail: Element, entry: Element | undefined): readonly string[] {
  const remittance = all(maybe(detail, 'RmtInf'), 'Strd').map((structured) =>
    textAt(structured, 'CdtrRefInf', 'Ref'),
  );
  const named = NAMES.flatMap((name) => [textAt(detail, 'Refs', name), ...entryReferences(entry, name)]);
  return distinct([...named, ...remittance]);
}

/** Names of an entry as a whole; those of single payments in it would be names of a part of its amount. */
export function batchReferences(entry: Element): readonly string[] {
  return distinct(NAMES.flatMap((name) => entryReferences(entry, name)));
}

function entryReferences(entry: Element | undefined, name: string): readonly (string | undefined)[] {
  if (name === 'AcctSvcrRef') return [textAt(entry, name)];
  if (name !== 'PmtInfId' && name !== 'MsgId') return [];
  return all(entry, 'NtryDtls').map((group) => textAt(group, 'Btch', name));
}

function distinct(texts: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(texts.map(identifier).filter((text) => text !== undefined))];
}
