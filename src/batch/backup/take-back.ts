/**
 * Taking back what a restored ledger does not know: every file that is proved to be done is executed again, in the order
 * in which they were executed, at the time at which they were. Money moves in this ledger alone, so the same file brings
 * the same effects and identities back, under the same batch; how its lines end is compared with what was reported
 * then. Where a remote gateway has executed it nothing is sent: its lines end as they were reported. Faults, F106.
 */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { EMBEDDED } from '../../core/gateway.ts';
import { hashOf } from '../../files/hash.ts';
import { appendAct } from '../../ledger/audit.ts';
import { GIVEN_UP, RESTORED, TAKEN_BACK } from '../../ledger/restored.ts';
import { lastSequence } from '../../ledger/transactions.ts';
import type { BatchDocument } from '../../report/document.ts';
import type { BatchContext } from '../context.ts';
import { runFile } from '../run.ts';
import type { Submission } from '../submission.ts';
import { compareResults, type Differences } from './differences.ts';
import { type Gap, gapsOf, type Span } from './missing.ts';
import { type LaterReport, type Lost, laterReports, type Promised, promisesOf } from './promises.ts';
import type { Proof } from './proof.ts';
import { keepCopy } from './put-back.ts';
import { replay, type Then, unfit } from './replay.ts';
import { newestResult } from './reported.ts';
import { unreadable } from './result-file.ts';

/** A batch that was executed again. */
export interface TakenBack {
  readonly batch: string;
  readonly file: string;
  readonly document: BatchDocument;
  /** Whether every line ended as it did then. */
  readonly same: boolean;
  /** What ended otherwise; undefined when the old result is gone, or nothing did. */
  readonly differences: Differences | undefined;
}

export interface Restoration {
  readonly takenBack: readonly TakenBack[];
  readonly lost: readonly Lost[];
  readonly later: readonly LaterReport[];
  /** Entries of the ledger that nothing here could bring back. */
  readonly gaps: readonly Gap[];
  /** The batch that could not be executed to its end now; those after it were not begun. */
  readonly unfinished: BatchDocument | undefined;
}

export interface TakingBack extends Pick<BatchContext, 'database' | 'folders' | 'clock' | 'actor'> {
  /** A context with the embedded engine, which decides as if it were this time (epoch milliseconds). */
  readonly contextAt: (at: number) => BatchContext;
}

/** Takes back all that can be; whatever interrupts it, the same call goes on. */
export async function takeBack(taking: TakingBack): Promise<Restoration> {
  const { database } = taking;
  const last = await lastSequence(database.reads);
  const { promised, lost: unreadable } = await promisesOf(taking);
  const takenBack: TakenBack[] = [];
  const lost: Lost[] = [...unreadable];
  const spans: Span[] = [];
  let unfinished: BatchDocument | undefined;
  for (const one of promised) {
    const before = await lastSequence(database.reads);
    const ended = await takeBackOne(taking, one);
    if ('status' in ended) {
      unfinished = ended;
      break;
    }
    if ('why' in ended) lost.push(ended);
    else takenBack.push(ended);
    const { ledger_sequence_from: from, ledger_sequence: to } = one.proof;
    spans.push({ from, to, own: (await lastSequence(database.reads)) - before });
  }
  const gaps = gapsOf(last, spans);
  if (promised.length > 0 && unfinished === undefined) await answer(taking, promised, takenBack, lost, gaps);
  return { takenBack, lost, later: await laterReports(taking), gaps, unfinished };
}

/** @returns the document of a batch that could not be executed to its end */
async function takeBackOne(
  taking: TakingBack,
  promised: Promised,
): Promise<TakenBack | Lost | BatchDocument> {
  const { proof, place, where } = promised;
  const lost = (why: string): Lost => ({ batch: proof.batch, file: proof.file, where, why });
  const hopeless = hopelessness(proof);
  if (hopeless !== undefined) return lost(hopeless);
  const path = await intact(promised.files, proof.sha256);
  if (path === undefined) return lost('its file is gone or has changed');
  const isRemote = proof.gateway !== EMBEDDED;
  const old = await oldResult(taking, promised);
  const unusable = isRemote ? await unusability(old, proof) : undefined;
  if (unusable !== undefined) return lost(unusable);
  const at = Date.parse(proof.started_at);
  const given = taking.contextAt(at);
  const context = { ...given, folders: given.folders.at(place), out: undefined };
  const submission = submissionOf(proof, path);
  const then: Then = { batch: proof.batch, at, result: old.path };
  const misfit = isRemote ? await unfit(context, submission, path, then) : undefined;
  if (misfit !== undefined) return lost(`${misfit}; mend that, then restore once more`);
  const document = isRemote
    ? await replay(context, submission, path, then)
    : await runFile(context, submission, path);
  if (document.status === 'interrupted') return document;
  if (document.status === 'rejected') {
    const [first] = document.errors;
    return lost(
      `it is rejected now: ${first === undefined ? 'a line is invalid' : `${first.code} ${first.message}`}`,
    );
  }
  const { result } = document.reports;
  const isSame =
    document.batch === proof.batch && old.sha256 !== undefined && old.sha256 === (await hashOf(result!));
  await remember(taking, TAKEN_BACK, proof.batch, {
    as: document.batch,
    same: isSame,
    ledger_sequence: proof.ledger_sequence,
    // What was ordered later is executed again by nobody; what a remote gateway did then is in its newest result.
    ...(isRemote ? { revision: old.revision } : {}),
  });
  return {
    batch: proof.batch,
    file: proof.file,
    document,
    same: isSame,
    differences: isSame ? undefined : await compareResults(old.path, result, document.read.delimiter),
  };
}

/** What must not be executed again although its file is there. */
function hopelessness({ gateway, status }: Proof): string | undefined {
  return gateway === EMBEDDED && status === 'stopped'
    ? 'it was stopped, and would now be executed whole; its result says which lines were sent'
    : undefined;
}

/** Why the old result cannot say what a remote gateway has executed. */
async function unusability(old: OldResult, { gateway }: Proof): Promise<string | undefined> {
  const ask = `nothing else says what ${gateway} has executed; ask there, and do not send the file again`;
  if (old.is !== 'there') return `its result ${old.is === 'gone' ? 'is gone' : 'has changed'}; ${ask}`;
  const fault = await unreadable(old.path);
  return fault === undefined ? undefined : `its result cannot be read: ${fault}; ${ask}`;
}

async function intact(paths: readonly string[], sha256: string): Promise<string | undefined> {
  for (const path of paths) if (existsSync(path) && (await hashOf(path)) === sha256) return path;
  return undefined;
}

interface OldResult {
  readonly path: string;
  readonly sha256: string | undefined;
  readonly is: 'there' | 'gone' | 'changed';
  readonly revision: number;
}

/**
 * The result that was written then; of a remote gateway the newest, because that says of every line what it has done by
 * now. Where the same name is going to be written, a copy is kept of what is there.
 */
async function oldResult({ folders, clock }: TakingBack, { proof, reports }: Promised): Promise<OldResult> {
  const { result } = proof.reports;
  const name = basename(result?.name ?? '');
  const own = folders.reportsOf(proof.batch);
  let folder = reports;
  if (reports === own) {
    folder = join(folders.keptAside(clock()), 'reports', proof.batch);
    await keepCopy(own, folder);
  }
  const path = join(folder, name);
  const found = name !== '' && existsSync(path) ? await hashOf(path) : undefined;
  const promised = result?.sha256 ?? found;
  const is = found === undefined ? 'gone' : found === promised ? 'there' : 'changed';
  const first: OldResult = { path, sha256: promised, is, revision: proof.revision };
  if (proof.gateway === EMBEDDED || is !== 'there') return first;
  const newest = newestResult(path, proof.revision);
  return { ...newest, sha256: await hashOf(newest.path), is };
}

/** As it was handed in then. */
function submissionOf(proof: Proof, path: string): Submission {
  const { policy, repeats, decimal, thousands, encoding, delimiter, merchant, account, operation, sequence } =
    proof.options;
  const { payment_method, entity_type } = proof.options;
  return {
    path,
    name: proof.file,
    ...(merchant === undefined ? {} : { merchantId: merchant }),
    ...(account === undefined ? {} : { accountId: account }),
    ...(operation === undefined ? {} : { operation }),
    reading: {
      ...(encoding === undefined ? {} : { encoding }),
      ...(delimiter === undefined ? {} : { delimiter }),
      style: { decimal, thousands },
      ...(payment_method === undefined ? {} : { pain001: { payment_method, entity_type } }),
    },
    gateway: proof.gateway,
    policy,
    repeats,
    control: sequence === undefined ? [] : [{ sequence }],
    submittedBy: proof.submitted_by,
    submittedFrom: proof.submitted_from,
  };
}

/** From now on the ledger answers for everything up to the last number that was proved. */
function answer(
  taking: TakingBack,
  promised: readonly Promised[],
  takenBack: readonly TakenBack[],
  lost: readonly Lost[],
  gaps: readonly Gap[],
): Promise<void> {
  return remember(taking, RESTORED, 'batchgate.db', {
    answered_to: Math.max(...promised.map(({ proof }) => proof.ledger_sequence)),
    taken_back: takenBack.length,
    lost: lost.map(({ batch }) => batch),
    missing: gaps,
  });
}

/** A person has decided that nothing more is to be expected of these batches. */
export async function giveUp(taking: TakingBack, lost: readonly Lost[], reason: string): Promise<void> {
  for (const { batch, file, why } of lost) await remember(taking, GIVEN_UP, batch, { reason, file, why });
}

function remember(
  { database, clock, actor }: TakingBack,
  act: string,
  subject: string,
  detail: object,
): Promise<void> {
  return database.write((statements) =>
    appendAct(statements, { at: clock(), who: actor, act, subject, detail: JSON.stringify(detail) }),
  );
}
