/** All that a run leaves behind, in a form that two runs can be compared in. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { Folders } from '../../../src/batch/folders.ts';
import { verify } from '../../../src/batch/verify.ts';
import { Database } from '../../../src/ledger/database.ts';
import type { BatchDocument } from '../../../src/report/document.ts';
import { effects } from '../../property/state.ts';
import type { Sandbox } from '../../support/ledger.ts';

/** What must be the same however often a run was disturbed; each as text. */
export interface Inspection {
  /** What the program says of the batch, but for `repeat` and the folder. */
  readonly document: string;
  /** Bytes of the line files. */
  readonly 'line files': Readonly<Record<string, string>>;
  /** Text of report.json and report.html but for named times. */
  readonly reports: Readonly<Record<string, string>>;
  /** Transfers, payouts, balances, answers, chunks. */
  readonly ledger: string;
  /** The same without who did it and in which order. */
  readonly effects: string;
  /** Batches, revisions and acts. */
  readonly journal: string;
  /** What `verify` and SQLite's own check find wrong. */
  readonly verify: string;
  /** What lies about and belongs to nothing. */
  readonly leftovers: string;
}

export async function inspect(root: string, document: BatchDocument): Promise<Inspection> {
  const folders = new Folders(root);
  const database = await Database.open(folders.database);
  try {
    const { reads } = database;
    const findings = await verify({ database, folders });
    const reports = visibleReports(root);
    const transfers = await reads.all('SELECT txn, payout, kind, amount FROM transfer ORDER BY 1, 2, 3, 4');
    const balances = await reads.all('SELECT * FROM balance ORDER BY account, currency, book');
    return {
      document: documentText(root, document),
      'line files': only(reports, (name) => !isDocument(name)),
      reports: only(reports, isDocument),
      ledger: JSON.stringify(await effects({ database } as Sandbox)),
      effects: JSON.stringify([transfers, balances]),
      journal: JSON.stringify([
        await reads.all('SELECT number, id, status, revision, stop_requested FROM batch ORDER BY number'),
        await reads.all('SELECT batch, revision, document IS NULL AS open FROM batch_revision ORDER BY 1, 2'),
        await reads.all('SELECT batch, number, lines, state FROM attempt ORDER BY 1, 2'),
        await reads.all('SELECT number, act, subject FROM audit ORDER BY number'),
      ]),
      verify: JSON.stringify(findings.filter(({ ok }) => !ok).map(({ name, named }) => [name, named])),
      leftovers: JSON.stringify(leftovers(root)),
    };
  } finally {
    await database.close();
  }
}

/** The document without what depends on how often and where it was asked for. */
function documentText(root: string, { repeat, ...document }: BatchDocument): string {
  return JSON.stringify(document).replaceAll(root, '');
}

/** Everything that has a report's name, by that name, with its text; times are blanked in the documents. */
export function visibleReports(root: string): Readonly<Record<string, string>> {
  const folder = join(root, 'reports');
  const paths = filesUnder(folder).filter((path) => /\.(?:csv|json|ndjson|html)$/.test(path));
  return Object.fromEntries(
    paths.map((path) => {
      const text = readFileSync(path, 'utf8');
      return [basename(path), isDocument(path) ? timeless(text) : text];
    }),
  );
}

function isDocument(name: string): boolean {
  return /\.report\.(?:json|html)$/.test(name);
}

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const HEAD = /(audit_head": "|Head of the audit chain\W[\s\S]{0,80}?)[0-9a-f]{64}/;

function timeless(text: string): string {
  return text.replace(TIME, 'TIME').replace(HEAD, '$1HEAD');
}

function only<T>(record: Readonly<Record<string, T>>, keep: (name: string) => boolean) {
  return Object.fromEntries(Object.entries(record).filter(([name]) => keep(name)));
}

/** Copies that no batch has, and reports in the making. */
function leftovers(root: string): readonly string[] {
  const paths = filesUnder(root).map((path) => relative(root, path));
  return paths.filter((path) => /^work\/incoming-|^reports\/.*\.tmp$/.test(path)).sort();
}

export function filesUnder(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
