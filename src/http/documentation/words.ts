/**
 * Puts into a generated document what the schemas do not carry: words and examples for fields, and lengths that people
 * can read.
 */
import { FIELD_EXAMPLES } from './field-examples.ts';
import { FIELD_WORDS } from './fields.ts';

/** A schema of the document as far as it is looked at here. */
interface SchemaNode {
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, object>>;
}

/** The node with all below it, a description for every property that has none. */
export function withWords<T>(node: T): T {
  if (Array.isArray(node)) return node.map(withWords) as T;
  if (typeof node !== 'object' || node === null) return node;
  const inner = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, withWords(value)]));
  return { ...inner, ...lengthsOf(inner), ...described(inner) } as T;
}

/** A pattern such as `^[^…]{1,64}$` as minLength and maxLength. */
function lengthsOf({ pattern }: SchemaNode): { readonly minLength?: number; readonly maxLength?: number } {
  const match = typeof pattern === 'string' ? /^\^\[[^\]]+\]\{(\d+),(\d+)\}\$$/.exec(pattern) : null;
  return match === null ? {} : { minLength: Number(match[1]), maxLength: Number(match[2]) };
}

function described({ properties }: SchemaNode): { readonly properties?: object } {
  if (typeof properties !== 'object') return {};
  return {
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => {
        const words = FIELD_WORDS[name] === undefined ? {} : { description: FIELD_WORDS[name] };
        const example = FIELD_EXAMPLES[name] === undefined ? {} : { examples: [FIELD_EXAMPLES[name]] };
        return [name, { ...words, ...schema, ...example }];
      }),
    ),
  };
}
