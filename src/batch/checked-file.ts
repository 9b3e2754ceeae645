/** What `validate` and `plan` say of a file, as a document for programs and for the text that people see. */
import { CODES, type Code, type Reason } from '../core/code.ts';
import { isKnownField } from '../core/instruction.ts';
import type { FileShape } from '../core/row.ts';
import type { CheckedFile, ForeseenCode, LineCounts, PlannedFile } from '../report/document.ts';
import { reportError } from './document.ts';
import { EXIT } from './exit.ts';
import type { Plan } from './plan.ts';
import type { Preflight } from './preflight.ts';
import type { Submission } from './submission.ts';

/** A file that was only read. */
export function checkedFile(submission: Submission, sha256: string, checked: Preflight): CheckedFile {
  const lines = checked.tally.counts();
  return {
    ...readAs(submission, sha256, checked),
    lines: { total: lines.total, valid: lines.not_sent, invalid: lines.invalid },
    breakdown: checked.tally
      .breakdown()
      .map(({ merchant, account, operation, currency, lines, amounts, unreadable_amounts }) => ({
        merchant,
        account,
        operation,
        currency,
        lines: { total: lines.total, valid: lines.not_sent, invalid: lines.invalid },
        amounts: { total: amounts.instructed, valid: amounts.not_sent, invalid: amounts.invalid },
        unreadable_amounts,
      })),
    exit: refusedWhole(submission, checked)
      ? EXIT.rejected
      : checked.invalid > 0
        ? EXIT.someFailed
        : EXIT.done,
  };
}

/** A file whose outcomes were foreseen. */
export function plannedFile(
  submission: Submission,
  sha256: string,
  { preflight: checked, foreseen, unforeseen, before, failure }: Plan,
): PlannedFile {
  const executed = before?.is === 'executed' ? before.document : undefined;
  const lines = executed?.lines ?? checked.tally.counts();
  const mixed = checked.operation === 'mixed';
  const read = readAs(submission, sha256, checked);
  return {
    ...read,
    errors: failure === undefined ? read.errors : [reportError(failure), ...read.errors],
    gateway: submission.gateway,
    lines,
    totals: executed?.totals ?? (mixed ? null : checked.tally.totals()),
    breakdown: executed?.breakdown ?? checked.tally.breakdown(),
    foreseen: [...foreseen].map(foreseenCode).sort((a, b) => b.lines - a.lines || (a.code < b.code ? -1 : 1)),
    unforeseen,
    executed_before: executed?.batch ?? null,
    goes_on_with: before?.is === 'begun' ? before.batch : null,
    same_as: before?.is === 'planned' ? before.name : null,
    exit: refusedWhole(submission, checked)
      ? EXIT.rejected
      : failure === undefined
        ? exitOfForeseen(lines, before?.is === 'planned')
        : exitOfFailure(failure),
  };
}

function readAs(submission: Submission, sha256: string, checked: Preflight) {
  const { shape } = checked;
  const { decimal, thousands } = submission.reading.style;
  const errors = [...checked.rejections, ...checked.listed];
  const listed = checked.rejections.length > 0 ? 0 : checked.listed.length;
  return {
    file: submission.name,
    sha256,
    operation: checked.operation,
    read: {
      format: shape === undefined ? '' : shape.format === 'json' ? shape.form : shape.format,
      encoding: shape?.encoding ?? '',
      delimiter: shape?.format === 'csv' ? shape.delimiter : null,
      decimal,
      thousands,
      rows: checked.rows,
      blank: checked.blank,
      columns: columnsOf(shape),
    },
    totals_calculated: checked.calculated.totals,
    chunks: checked.chunks,
    errors: errors.map(reportError),
    unlisted: checked.rejections.length > 0 ? 0 : checked.invalid - listed,
  };
}

/** The columns of a CSV file by what becomes of them. */
function columnsOf(shape: FileShape | undefined): CheckedFile['read']['columns'] {
  const columns = shape?.format === 'csv' ? shape.columns : [];
  const isOurs = (column: string) => isKnownField(column) || column === '_line_of';
  return {
    understood: columns.filter(isOurs),
    kept: columns.filter((column) => !isOurs(column) && !column.startsWith('_')),
    ignored: columns.filter((column) => !isOurs(column) && column.startsWith('_')),
  };
}

/** Running it would execute nothing of it. */
function refusedWhole({ policy }: Submission, { rejections, invalid }: Preflight): boolean {
  return rejections.length > 0 || (policy === 'atomic' && invalid > 0);
}

/** Pending is no failure; a file that stands earlier in the same plan adds none of its own. */
function exitOfForeseen(lines: LineCounts, planned: boolean): number {
  const failing =
    lines.refused + lines.invalid + lines.duplicate + lines.unknown + (planned ? 0 : lines.not_sent);
  return failing > 0 ? EXIT.someFailed : EXIT.done;
}

/** As running the file would end now. */
function exitOfFailure({ code }: Reason): number {
  return code === 'I0013' ? EXIT.credentials : EXIT.temporary;
}

function foreseenCode([code, lines]: readonly [Code, number]): ForeseenCode {
  const { sentence, hint } = CODES[code];
  return { code, sentence, hint, lines };
}
