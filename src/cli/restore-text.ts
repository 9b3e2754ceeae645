/** What `restore` has done, in words. */
import type { LaterActs } from '../batch/backup/later-acts.ts';
import type { LaterReport } from '../batch/backup/promises.ts';
import type { PutBack } from '../batch/backup/put-back.ts';
import type { Restoration, TakenBack } from '../batch/backup/take-back.ts';
import { EMBEDDED } from '../core/gateway.ts';
import { counted, printable } from './output.ts';

/** What was put in place of what. */
export function putBackText(folder: string, { kept, restored, different }: PutBack): readonly string[] {
  return [
    `the ledger is the one of ${folder}`,
    ...(kept === undefined ? [] : [`the database that was here: ${kept}`]),
    ...(restored.length === 0 ? [] : [`${counted(restored.length, 'file')} of it put back`]),
    ...different.map((name) => `${name} is another than in the backup and stays; compare ${folder}/${name}`),
  ];
}

/** What people did about statements and breaks, and have to do again. */
export function laterActsText(acts: LaterActs | undefined): readonly string[] {
  const { statements, decisions } = acts ?? { statements: 0, decisions: 0 };
  return [
    ...(statements === 0
      ? []
      : [`${counted(statements, 'statement')} loaded since: load again with batchgate reconcile`]),
    ...(decisions === 0
      ? []
      : [
          `${counted(decisions, 'decision')} on breaks since: decide again once the statements are loaded; batchgate break decide takes the same files again`,
        ]),
  ];
}

/** What was taken back, what differs, and what is lost. */
export function restorationText(restoration: Restoration): readonly string[] {
  const { takenBack, lost, later, gaps, unfinished } = restoration;
  return [
    ...takenBack.flatMap(takenBackText),
    ...(unfinished === undefined
      ? []
      : [
          `${unfinished.batch} ${printable(unfinished.file)}: not executed to its end; those after it wait`,
          ...unfinished.errors.map(({ code, message }) => `    ${code} ${message}`),
        ]),
    ...lost.map(
      ({ batch, file, where, why }) =>
        `${batch} ${printable(file ?? '')}: cannot be brought back: ${printable(why)} (${where})`,
    ),
    ...later.map(laterText),
    ...gapsText(restoration),
    ...(takenBack.length + lost.length + later.length === 0 && unfinished === undefined
      ? ['the ledger knows everything that is proved to be done; nothing to take back']
      : [
          `taken back: ${counted(takenBack.length, 'file')}; lost: ${lost.length}; gaps in the ledger: ${gaps.length}`,
        ]),
  ];
}

/** To order it again is right only where this ledger alone has executed it. */
function laterText({ batch, revision, path, gateway }: LaterReport): string {
  const what = `${batch} revision ${revision}: what a person ordered then is not brought back`;
  return gateway === EMBEDDED
    ? `${what}; order it again (${path})`
    : `${what}, and ${printable(gateway ?? 'its gateway')} may have executed it; its result says what, ask there before anything is ordered again (${path})`;
}

function takenBackText({ batch, file, document, same, differences }: TakenBack): readonly string[] {
  const how = document.gateway === EMBEDDED ? '' : ' from its result, and nothing was sent';
  const as = document.batch === batch ? '' : ` as ${document.batch}`;
  const taken = `${batch} ${printable(file)}: taken back${as}${how}`;
  if (same) return [`${taken}; every line ended as it did then`];
  if (differences === undefined) return [`${taken}; its old result is gone, compare by other means`];
  const { count, first } = differences;
  if (count === 0) return [`${taken}; every line ended as it did then, its result differs in other columns`];
  return [
    `${taken}; ${counted(count, 'line')} ended otherwise than then`,
    ...first.map(({ line, before, after }) => `    line ${line}: ${before} then, ${after} now`),
    ...(count > first.length ? [`    … and ${count - first.length} more`] : []),
  ];
}

function gapsText({ gaps }: Restoration): readonly string[] {
  if (gaps.length === 0) return [];
  return [
    'entries of the ledger that no file here has made (requests over HTTP, acts of people, imports, expiries); they are lost:',
    ...gaps.map(({ from, to, lost }) =>
      lost === to - from + 1
        ? `    ${from === to ? `entry ${from}` : `entries ${from} to ${to}`}`
        : `    ${lost} of the entries ${from} to ${to}`,
    ),
    'after the last file there may have been more',
  ];
}
