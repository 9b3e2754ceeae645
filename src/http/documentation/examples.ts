/** Example messages: signed where the key of their account may be used for it, so that they work as they stand. */
import type { JsonFields } from '../../wire/canonical.ts';
import { API_OPERATIONS, type ApiOperation, PATHS } from '../../wire/paths.ts';
import type { OpenApiDocument } from './document.ts';

/** A message without its signature, and what it shows. */
export interface Example {
  readonly operation: ApiOperation;
  readonly name: string;
  readonly summary: string;
  readonly message: JsonFields;
}

export interface ExampleMessages {
  readonly examples: readonly Example[];
  /** Signs a message; undefined where the key may not be used, and a placeholder stands for the signature. */
  readonly sign: ((message: JsonFields) => string) | undefined;
  /** Letters that no order number has had yet: a payment needs a new one. */
  readonly fresh: () => string;
}

const PLACEHOLDER = '0'.repeat(64);

/** An operation whose order_no is used up by it. */
const USES_ORDER_NO: ReadonlySet<ApiOperation> = new Set(['authorise', 'checkout']);

/** The document with examples of requests in it. */
export function withExamples(document: OpenApiDocument, messages: ExampleMessages): OpenApiDocument {
  const paths = API_OPERATIONS.map((operation) => {
    const path = PATHS[operation];
    const post = document.paths?.[path]?.post;
    const body = post?.requestBody;
    if (body === undefined || !('content' in body)) throw new Error(`${path} is not in the document`);
    const json = { ...body.content[JSON_TYPE], examples: examplesOf(operation, messages) };
    const requestBody = { ...body, content: { ...body.content, [JSON_TYPE]: json } };
    return [path, { post: { ...post, requestBody } }];
  });
  return { ...document, paths: Object.fromEntries(paths) };
}

const JSON_TYPE = 'application/json';

function examplesOf(operation: ApiOperation, { examples, sign, fresh }: ExampleMessages) {
  const own = examples.filter((example) => example.operation === operation);
  return Object.fromEntries(
    own.map(({ name, summary, message }) => {
      const current = USES_ORDER_NO.has(operation)
        ? { ...message, order_no: `${String(message.order_no)}-${fresh()}` }
        : message;
      const encryption_data = sign === undefined ? PLACEHOLDER : sign(current);
      return [name, { summary, value: { ...current, encryption_data } }];
    }),
  );
}
