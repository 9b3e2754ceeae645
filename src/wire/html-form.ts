/** The forms of an HTML page: where they go and what they carry. Scripts and styles are not looked into. */
import { XMLParser } from 'fast-xml-parser';

/** In characters: a page of a checkout repeats one request, and no request may be larger. */
const LONGEST = 4 * 1024 * 1024;

export interface HtmlForm {
  readonly action: string;
  /** In lower case. */
  readonly method: string;
  /** Inputs by name. A name that stands twice is left out: nobody knows which one counts. */
  readonly inputs: ReadonlyMap<string, string>;
}

const ATTRIBUTE = '@_';

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: ATTRIBUTE,
  allowBooleanAttributes: true,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  processEntities: true,
  htmlEntities: true,
  unpairedTags: ['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'wbr'],
  stopNodes: ['..script', '..style'],
});

/** Undefined for a text that is no page. */
export function readForms(html: string): readonly HtmlForm[] | undefined {
  // A page has no entities of its own, and one that declares some could grow without end.
  if (html.length > LONGEST || /<!ENTITY/i.test(html)) return undefined;
  try {
    return formsIn(parser.parse(html) as readonly Node[]);
  } catch {
    // The parser throws for what it cannot read; its message may quote the page.
    return undefined;
  }
}

/** An element: its name with what is inside, and beside it its attributes. */
type Node = Readonly<Record<string, readonly Node[] | Readonly<Record<string, string | true>>>>;

const ATTRIBUTES = ':@';

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | true>>;
  readonly inside: readonly Node[];
}

function elementsOf(nodes: readonly Node[]): readonly Element[] {
  return nodes.flatMap((node) => {
    const attributes = (node[ATTRIBUTES] ?? {}) as Element['attributes'];
    return Object.entries(node).flatMap(([name, inside]) =>
      name !== ATTRIBUTES && Array.isArray(inside) ? [{ name: name.toLowerCase(), attributes, inside }] : [],
    );
  });
}

function formsIn(nodes: readonly Node[]): readonly HtmlForm[] {
  return elementsOf(nodes).flatMap((element) =>
    element.name === 'form' ? [formOf(element)] : formsIn(element.inside),
  );
}

function formOf(form: Element): HtmlForm {
  const inputs = new Map<string, string>();
  const twice = new Set<string>();
  for (const input of inputsIn(form.inside)) {
    const name = attribute(input, 'name');
    if (inputs.has(name)) twice.add(name);
    inputs.set(name, attribute(input, 'value'));
  }
  for (const name of twice) inputs.delete(name);
  return { action: attribute(form, 'action'), method: attribute(form, 'method').toLowerCase(), inputs };
}

function inputsIn(nodes: readonly Node[]): readonly Element[] {
  return elementsOf(nodes).flatMap((element) =>
    element.name === 'input' ? [element] : inputsIn(element.inside),
  );
}

function attribute({ attributes }: Element, name: string): string {
  const value = attributes[`${ATTRIBUTE}${name}`];
  return typeof value === 'string' ? value : '';
}
