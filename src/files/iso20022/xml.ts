/**
 * An ISO 20022 document as a tree, read safely: refused first is all that is not well-formed and all that a payment message
 * never has (xml-guard.ts); nothing is fetched, nothing is expanded. All values stay text.
 */
import { Unreadable } from '../unreadable.ts';
import { readXmlFile } from './xml-bytes.ts';
import { guardXml } from './xml-guard.ts';
import type { LongList } from './xml-outline.ts';
import { ATTRIBUTE, type Element, parserOf, TEXT } from './xml-parse.ts';
import { type Piece, Pieces } from './xml-pieces.ts';
import { lineAt } from './xml-refusal.ts';
import type { Message } from './xml-tag.ts';

export type { Element } from './xml-parse.ts';

/** What envelopes put around a document, at most. */
const ENVELOPES = 3;

export interface IsoDocument extends Message {
  /** Name of the element inside Document, for example BkToCstmrStmt. */
  readonly root: string;
  /** That element with all that it holds; a large tree, made when it is asked for. */
  readonly body: Element;
  /** That element without its long lists: only `skeletons` and `wholes` give what these hold. */
  readonly skeleton: Element;
  /** The elements of a long list, one after another, without the long lists inside them. @param around a skeleton */
  skeletons(around: Element, list: LongList): Generator<Piece>;
  /** The elements of a long list, one after another, with all that they hold. @param around a skeleton */
  wholes(around: Element, list: LongList): Generator<Piece>;
  /** Physical line on which a piece begins. */
  lineOf(piece: Piece): number;
}

/** @throws Unreadable */
export async function readIsoFile(path: string): Promise<IsoDocument> {
  return readIso(await readXmlFile(path));
}

/**
 * @param block characters that are parsed at a time, where not the usual number of them
 * @throws Unreadable
 */
export function readIso(text: string, block?: number): IsoDocument {
  const { message, outline } = guardXml(text);
  const pieces = new Pieces(text, outline, parserOf(message.prefix), block);
  const { root, body: skeleton } = bodyOf(pieces.root());
  return {
    ...message,
    root,
    skeleton,
    get body() {
      return pieces.filled(skeleton);
    },
    skeletons: (around, list) => pieces.skeletons(all(around, list)),
    wholes: (around, list) => pieces.wholes(all(around, list)),
    lineOf: ({ offset }) => lineAt(text, offset),
  };
}

/** What is inside Document, which may stand in an envelope. */
function bodyOf(document: Element): { readonly root: string; readonly body: Element } {
  const hint = 'Ask the sender for the message alone: an element Document that holds nothing else.';
  let around = document;
  for (let depth = 0; depth <= ENVELOPES; depth++) {
    const inside = maybe(around, 'Document');
    if (inside !== undefined) {
      const roots = names(inside);
      if (roots.length !== 1)
        throw new Unreadable('Its Document does not hold exactly one message.', { hint });
      return { root: roots[0]!, body: one(inside, roots[0]!) };
    }
    const next = names(around).find((name) => !/(?:^|:)AppHdr$/.test(name));
    const element = next === undefined ? undefined : maybe(around, next);
    if (element === undefined) break;
    around = element;
  }
  throw new Unreadable('It has no element Document.', { hint });
}

function names(element: Element): readonly string[] {
  if (typeof element === 'string') return [];
  return Object.keys(element).filter((name) => name !== TEXT && !name.startsWith(ATTRIBUTE));
}

/** The child of a name, where it is there. @throws Unreadable when it stands twice */
export function maybe(element: Element | undefined, name: string): Element | undefined {
  if (element === undefined || typeof element === 'string') return undefined;
  const child = element[name];
  if (child === undefined || !isList(child)) return child as Element | undefined;
  if (child.length > 1) throw new Unreadable(`Its element ${name} stands more than once in one place.`);
  return child[0];
}

/** The child of a name. @throws Unreadable when it is missing or stands twice */
export function one(element: Element, name: string): Element {
  const child = maybe(element, name);
  if (child === undefined) throw new Unreadable(`It lacks the element ${name}.`);
  return child;
}

/** All children of a name. */
export function all(element: Element | undefined, name: string): readonly Element[] {
  if (element === undefined || typeof element === 'string') return [];
  const children = element[name];
  if (children === undefined) return [];
  return isList(children) ? children : [children as Element];
}

function isList(child: Element | readonly Element[]): child is readonly Element[] {
  return Array.isArray(child);
}

/** Text at the end of a path of names, without blanks around it; undefined where it is missing or empty. */
export function textAt(element: Element | undefined, ...path: readonly string[]): string | undefined {
  let child = element;
  for (const name of path) child = maybe(child, name);
  const text = child === undefined ? undefined : rawText(child).trim();
  return text === '' ? undefined : text;
}

/** An element's own text as it stands. */
export function rawText(element: Element): string {
  if (typeof element === 'string') return element;
  const text = element[TEXT];
  return typeof text === 'string' ? text : '';
}

/** An attribute; undefined where it is missing. */
export function attribute(element: Element, name: string): string | undefined {
  if (typeof element === 'string') return undefined;
  const value = element[ATTRIBUTE + name];
  return typeof value === 'string' ? value : undefined;
}
