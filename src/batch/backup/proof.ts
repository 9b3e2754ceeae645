/**
 * What was promised about a batch that is done: `OK` beside its file in done/, and report.json of a batch that `run`
 * executed. Both say how the file was read and executed, so that it can be executed in the same way once more.
 */
import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { OPERATION_NAMES } from '../../core/operation.ts';

/** How the file was read and executed, as the evidence of its report has it. */
export const optionsSchema = z.object({
  policy: z.enum(['valid-lines', 'atomic']),
  repeats: z.enum(['hold', 'allow']),
  decimal: z.enum(['dot', 'comma']),
  thousands: z.enum(['none', 'dot', 'comma', 'space']),
  encoding: z.string().optional(),
  delimiter: z.string().optional(),
  operation: z.enum(OPERATION_NAMES).optional(),
  sequence: z.int().positive().optional(),
  merchant: z.string().optional(),
  account: z.string().optional(),
  payment_method: z.string().optional(),
  entity_type: z.string().optional(),
});

const reportSchema = z.object({ name: z.string(), sha256: z.string().nullable() });

const okSchema = z.object({
  batch: z.string(),
  file: z.string(),
  sha256: z.string(),
  status: z.string(),
  revision: z.int().positive(),
  gateway: z.string(),
  operation: z.string(),
  options: optionsSchema,
  submitted_by: z.string(),
  submitted_from: z.string(),
  reports: z.record(z.string(), reportSchema),
  audit_head: z.string(),
  ledger_sequence_from: z.int().nonnegative(),
  ledger_sequence: z.int().nonnegative(),
  started_at: z.iso.datetime(),
  finished_at: z.iso.datetime(),
});

/** The file `OK`: SHA-256 of file and reports, head of the audit chain, ledger sequence, and how it came about. */
export type Proof = z.output<typeof okSchema>;

/** What is used of report.json. */
const reportDocumentSchema = z.object({
  ...okSchema.pick({
    batch: true,
    file: true,
    sha256: true,
    status: true,
    revision: true,
    gateway: true,
    operation: true,
  }).shape,
  reports: z.record(z.string(), z.string().nullable()),
  evidence: z.object({
    submitted_by: z.string(),
    submitted_from: z.string(),
    started_at: z.iso.datetime(),
    finished_at: z.iso.datetime(),
    options: optionsSchema,
    ledger_sequence: z.object({ from: z.int().nonnegative(), to: z.int().nonnegative() }),
    audit_head: z.string(),
  }),
});

/** Reads `OK`; undefined when it says nothing that can be used. */
export async function readProof(path: string): Promise<Proof | undefined> {
  return parsed(await textOf(path), okSchema);
}

/** Reads report.json; undefined when it says nothing that can be used. Of its reports it knows the names alone. */
export async function readReportedProof(path: string): Promise<Proof | undefined> {
  const document = parsed(await textOf(path), reportDocumentSchema);
  if (document === undefined) return undefined;
  const { evidence, reports, ...rest } = document;
  const { ledger_sequence, ...when } = evidence;
  const named = Object.entries(reports).flatMap(([kind, name]) =>
    name === null ? [] : [[kind, { name, sha256: null }]],
  );
  return {
    ...rest,
    ...when,
    ledger_sequence_from: ledger_sequence.from,
    ledger_sequence: ledger_sequence.to,
    reports: Object.fromEntries(named),
  };
}

async function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}

function parsed<Schema extends z.ZodType>(text: string, schema: Schema): z.output<Schema> | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
