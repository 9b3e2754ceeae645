/**
 * The OpenAPI 3.1 document, made of the very schemas by which messages are read and answers are judged. Words for fields
 * come from fields.ts.
 */
import { createRoute, OpenAPIHono } from '@hono/zod-openapi';
import * as z from 'zod';
import type { Code } from '../../core/code.ts';
import { API_OPERATIONS, type ApiOperation, PATHS } from '../../wire/paths.ts';
import { errorAnswer } from '../../wire/responses.ts';
import { errorExample, paymentExamples } from './answers.ts';
import { guide } from './guide.ts';
import { DOCUMENTED, type DocumentedOperation, type NamedSchemas } from './operations.ts';
import { withWords } from './words.ts';

export interface DocumentOptions {
  /** Address of this server, without a slash at its end. */
  readonly publicUrl: string;
  readonly version: string;
  readonly environment: string;
}

export type OpenApiDocument = ReturnType<OpenAPIHono['getOpenAPI31Document']>;

/** The whole document, but for examples of requests. */
export function openApiDocument({ publicUrl, version, environment }: DocumentOptions): OpenApiDocument {
  const { openAPIRegistry: registry, getOpenAPI31Document } = new OpenAPIHono();
  // A schema that was made before the library was loaded lacks what the library gives to schemas; a copy made now has it.
  const registered = (name: string, schema: z.ZodType) => registry.register(name, schema.clone());
  const register = (schemas: NamedSchemas) =>
    Object.entries(schemas).map(([name, schema]) => registered(name, schema));
  const error = registered('Error', errorAnswer);
  for (const operation of API_OPERATIONS) {
    const documented = DOCUMENTED[operation];
    const requests = oneOf(register(documented.requests));
    const answers = oneOf(register(documented.answer.schemas));
    registry.registerPath(routeOf(operation, documented, { requests, answers, error }));
  }
  const document = getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'batchgate', version, description: guide(environment) },
    servers: [{ url: publicUrl }],
    tags: TAGS.map(([name, description]) => ({ name, description })),
  });
  const { components } = document;
  return { ...document, components: { ...components, schemas: withWords(components?.schemas ?? {}) } };
}

const TAGS = [
  ['Payments', 'Direct, by alternative methods, and by redirect to the hosted page.'],
  ['Transactions', 'What happens to a payment afterwards, and what is known of it.'],
  ['Payouts', 'Money that leaves.'],
] as const;

function oneOf(schemas: readonly z.ZodType[]): z.ZodType {
  const [first, second, ...more] = schemas;
  if (first === undefined) return z.string();
  return second === undefined ? first : z.union([first, second, ...more]);
}

interface Parts {
  readonly requests: z.ZodType;
  readonly answers: z.ZodType;
  readonly error: z.ZodType;
}

function routeOf(
  operation: ApiOperation,
  { tag, summary, description, answer, errors, changes }: DocumentedOperation,
  { requests, answers, error }: Parts,
) {
  const failures = FAILURES.filter(({ status, some }) => some !== true || errors.includes(status));
  const content = {
    schema: answers,
    ...(answer.type === 'application/xml' ? { examples: paymentExamples() } : {}),
  };
  return createRoute({
    method: 'post',
    path: PATHS[operation],
    operationId: operation,
    tags: [tag],
    summary,
    description,
    request: {
      body: { required: true, content: bodies(operation, requests) },
      ...(changes ? { headers: idempotencyHeader } : {}),
    },
    responses: {
      200: {
        description: answer.description,
        headers: RESPONSE_HEADERS,
        content: { [answer.type]: content },
      },
      ...Object.fromEntries(failures.map((failure) => [failure.status, failureResponse(failure, error)])),
    },
  });
}

/** Every form in which the operation takes its message. */
function bodies(operation: ApiOperation, schema: z.ZodType) {
  return {
    'application/json': { schema },
    'application/x-www-form-urlencoded': { schema },
    ...(operation === 'checkout' ? { 'application/xml': { schema } } : {}),
  };
}

const idempotencyHeader = z.object({
  'Idempotency-Key': z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/)
    .optional()
    .describe('The first answer under a key, per account and operation, is given again.'),
});

const RESPONSE_HEADERS = {
  'X-Request-Id': {
    description: 'What the log of the gateway calls the request.',
    schema: { type: 'string' as const },
  },
  'X-Batchgate-Environment': {
    description: 'sandbox or live.',
    schema: { type: 'string' as const, enum: ['sandbox', 'live'] },
  },
};

const RETRY_AFTER = {
  'Retry-After': {
    description: 'Seconds after which it may be tried again.',
    schema: { type: 'integer' as const },
  },
};

interface Failure {
  readonly status: string;
  readonly description: string;
  /** Code and detail of the example. */
  readonly example: readonly [code: Code, detail?: string];
  /** Only operations that say so have it. */
  readonly some?: true;
  /** Says when it may be tried again. */
  readonly retry?: true;
}

const FAILURES: readonly Failure[] = [
  { status: '400', description: 'Invalid input.', example: ['I0001', 'currency'] },
  {
    status: '401',
    description: 'The merchant or account is unknown, or the signature is wrong.',
    example: ['I0013'],
  },
  {
    status: '403',
    description: 'The address is not registered for queries.',
    example: ['I0013'],
    some: true,
  },
  {
    status: '404',
    description: 'Record not found: there is no such token_id.',
    example: ['I0002', 'there is no such token_id'],
    some: true,
  },
  {
    status: '409',
    description:
      'The order_no is in use, the same request is in progress, or the idempotency key belongs to another request.',
    example: ['I0062'],
    some: true,
    retry: true,
  },
  {
    status: '413',
    description: 'The body is larger than 1 MiB.',
    example: ['I0002', 'the body is too large'],
  },
  {
    status: '415',
    description: 'The media type is not supported.',
    example: ['I0002', 'the media type is not supported'],
  },
  { status: '429', description: 'Too many requests. Nothing happened.', example: ['E0002'], retry: true },
  {
    status: '500',
    description:
      'E0003: an internal error, nothing happened. E0001: the outcome is unknown, a query tells it.',
    example: ['E0001'],
  },
  {
    status: '503',
    description: 'The gateway is unavailable. Nothing happened.',
    example: ['E0002'],
    retry: true,
  },
];

function failureResponse({ description, example: [code, detail], retry }: Failure, error: z.ZodType) {
  return {
    description,
    headers: retry === true ? { ...RESPONSE_HEADERS, ...RETRY_AFTER } : RESPONSE_HEADERS,
    content: { 'application/json': { schema: error, example: errorExample(code, detail) } },
  };
}
