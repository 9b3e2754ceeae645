/** What was promised of batches that the ledger does not know the end of: found in done/, reports/ and work/. */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Database } from '../../ledger/database.ts';
import { actsOn } from '../../ledger/history.ts';
import { batchIds } from '../../ledger/journal.ts';
import { newestRevisions, TAKEN_BACK } from '../../ledger/restored.ts';
import type { Folders } from '../folders.ts';
import { keptPath } from '../kept-file.ts';
import { unsettled } from './behind.ts';
import { doneBatches, placesIn } from './done.ts';
import { type Proof, readProof, readReportedProof } from './proof.ts';
import { firstReport, idsIn } from './reported.ts';

/** A batch that can be executed again. */
export interface Promised {
  readonly proof: Proof;
  /** Where it is proved. */
  readonly where: string;
  readonly place: readonly string[];
  /** Where its file may lie. */
  readonly files: readonly string[];
  /** Folder of its old reports. */
  readonly reports: string;
}

/** A batch of which nothing can be brought back, and why. */
export interface Lost {
  readonly batch: string;
  readonly file: string | undefined;
  /** Where it is proved, or where its copy lies. */
  readonly where: string;
  readonly why: string;
}

export interface Promises {
  /** In the order in which they were executed. */
  readonly promised: readonly Promised[];
  readonly lost: readonly Lost[];
}

type Looking = { readonly database: Database; readonly folders: Folders };

/** Looks through everything that lies there. */
export async function promisesOf({ database, folders }: Looking): Promise<Promises> {
  const promised: Promised[] = [];
  const lost: Lost[] = [];
  const seen = new Set<string>();
  const add = (batch: string, where: string, one: Promised | undefined) => {
    seen.add(batch);
    if (one === undefined)
      lost.push({ batch, file: undefined, where, why: 'what is proved of it cannot be read' });
    else if (one.proof.status !== 'rejected') promised.push(one);
  };
  for (const { id, place, folder, ok } of await unsettled(database.reads, await doneBatches(folders))) {
    if (!existsSync(ok) || seen.has(id)) continue;
    const proof = await readProof(ok);
    const files = proof === undefined ? [] : [join(folder, basename(proof.file)), keptPath(folders, { id })];
    add(id, ok, proof && { proof, where: ok, place, files, reports: folders.at(place).outbox });
  }
  for (const { id } of await unsettled(database.reads, await idsIn(folders.reports))) {
    const path = seen.has(id) ? undefined : await firstReport(folders.reportsOf(id), id);
    if (path === undefined) continue;
    const proof = await readReportedProof(path);
    add(
      id,
      path,
      proof && {
        proof,
        where: path,
        place: [],
        files: [keptPath(folders, { id })],
        reports: folders.reportsOf(id),
      },
    );
  }
  return {
    promised: promised.sort(byOrder),
    lost: [...lost, ...(await unreported({ database, folders }, seen))],
  };
}

function byOrder({ proof: a }: Promised, { proof: b }: Promised): number {
  return (
    a.ledger_sequence - b.ledger_sequence ||
    Date.parse(a.finished_at) - Date.parse(b.finished_at) ||
    (a.batch < b.batch ? -1 : 1)
  );
}

/** Copies of files that the ledger has never heard of, and of which nobody says how they ended. */
async function unreported(
  { database, folders }: Looking,
  seen: ReadonlySet<string>,
): Promise<readonly Lost[]> {
  const ids = (await idsIn(folders.work)).map(({ id }) => id);
  const known = new Set((await batchIds(database.reads, ids)).values());
  const why =
    'it was not finished, or its reports lie elsewhere; run the file again when it is to be executed, but ask the gateway first where it was for another than engine';
  return (
    await unsettled(
      database.reads,
      ids.map((id) => ({ id })),
    )
  )
    .filter(({ id }) => !known.has(id) && !seen.has(id) && existsSync(keptPath(folders, { id })))
    .map(({ id }) => ({ batch: id, file: undefined, where: keptPath(folders, { id }), why }));
}

/** A report of what a person ordered later (retry, release, resolve), and that the ledger does not know. */
export interface LaterReport {
  readonly batch: string;
  readonly revision: number;
  readonly path: string;
  /** Where it was executed; null when that cannot be read. */
  readonly gateway: string | null;
}

/** Looks at the names of all reports. */
export async function laterReports({ database, folders }: Looking): Promise<readonly LaterReport[]> {
  const newest = await newestRevisions(database.reads);
  const places = (await placesIn(folders)).map((place) => folders.at(place).outbox);
  const own = (await idsIn(folders.reports)).map(({ id }) => folders.reportsOf(id));
  const found: LaterReport[] = [];
  for (const folder of [...places, ...own]) {
    for (const name of existsSync(folder) ? await readdir(folder) : []) {
      const [, batch, digits] = /\.(B[0-9A-Z]{16})\.r(\d{1,6})\.report\.json$/.exec(name) ?? [];
      const revision = Number(digits);
      if (batch === undefined || revision <= (newest.get(batch) ?? 0)) continue;
      if (revision <= (await takenBackTo(database.reads, batch))) continue;
      const path = join(folder, name);
      found.push({ batch, revision, path, gateway: (await readReportedProof(path))?.gateway ?? null });
    }
  }
  return found;
}

/** Up to which revision what a remote gateway has executed was taken back; 0 when nothing was. */
async function takenBackTo(reads: Database['reads'], batch: string): Promise<number> {
  const acts = (await actsOn(reads, batch)).filter(({ act }) => act === TAKEN_BACK);
  return Math.max(
    0,
    ...acts.map(({ detail }) => (JSON.parse(detail) as { readonly revision?: number }).revision ?? 0),
  );
}
