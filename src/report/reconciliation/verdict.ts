/** The first thing on the page: whether ledger and statements agree, and what to do now. */
import { SEVERITIES } from '../../core/break.ts';
import { difference, grouped, isZero } from '../html/decimal.ts';
import { type Html, html, type Part } from '../html/template.ts';
import { exitOf, MOST_SENTENCES, SIGNS, type Tone, verdictCard } from '../html/verdict-card.ts';
import { baseName, byName, code, count, given, list, moneyText } from '../html/words.ts';
import type { ReconciliationDocument } from './document.ts';
import { isProven } from './proofs.ts';
import { UNUSABLE } from './unusable.ts';
import { breaksAre, date, inState } from './words.ts';

/** What exit codes mean of a reconciliation, where that is not what they mean of a batch. */
const MEANINGS: Readonly<Record<number, string>> = {
  0: 'nothing is open: all is matched, expected or explained',
  6: 'a file could not be used; nothing of it counts',
};

const LOAD = 'batchgate reconcile --statement FILE';

export function verdict(document: ReconciliationDocument): Html {
  const proven = isProven(document);
  const tone = proven ? toneOf(document) : 'bad';
  return verdictCard({
    tone,
    sign: SIGNS[tone],
    status: proven ? statusWord(document) : 'Contradicts itself',
    headline: `${headline(document)}.`,
    details: [about(document), ...details(document)],
    steps: nextSteps(document, proven),
    exit: document.exit,
    meaning: MEANINGS[document.exit] ?? exitOf(document.exit).meaning,
  });
}

function toneOf({ exit, counts, ...document }: ReconciliationDocument): Tone {
  if (exit !== 0) return exitOf(exit).tone;
  if (counts.open > 0) return 'attention';
  return counts.expected > 0 || isEmpty(document) ? 'waiting' : 'good';
}

function statusWord({ counts, errors, ...document }: ReconciliationDocument): string {
  if (errors.length > 0) return 'Incomplete';
  if (counts.open > 0) return 'Open breaks';
  if (counts.expected > 0) return 'Waiting for statements';
  return isEmpty(document) ? 'Nothing to compare' : 'Agrees';
}

/** No statement, and no entry that one should explain. */
function isEmpty({
  statements,
  comparisons,
}: Pick<ReconciliationDocument, 'statements' | 'comparisons'>): boolean {
  return statements.length === 0 && comparisons.length === 0;
}

/** What came of it, as a sentence without its full stop. */
export function headline(document: ReconciliationDocument): string {
  const found = finding(document);
  const { errors } = document;
  if (errors.length === 0) return found;
  return `${count(errors.length, 'file')} could not be used; otherwise ${found.slice(0, 1).toLowerCase()}${found.slice(1)}`;
}

function finding(document: ReconciliationDocument): string {
  const { counts } = document;
  if (counts.open > 0) return `${breaksAre(counts.open)} open${severities(document)}`;
  if (counts.expected > 0)
    return `Nothing is open; ${breaksAre(counts.expected)} expected${lastDue(document)}`;
  if (counts.resolved > 0)
    return `Nothing is open; ${count(counts.resolved, 'break')} ${counts.resolved === 1 ? 'was' : 'were'} resolved by people`;
  return isEmpty(document) ? 'Nothing was compared: no statement is loaded' : 'Everything agrees';
}

/** ` (2 high, 1 low)`: of those that are listed, and it says so where not all are. */
function severities({ breaks, counts }: ReconciliationDocument): string {
  const open = inState(breaks, 'open');
  const parts = SEVERITIES.flatMap((severity) => {
    const number = open.filter((one) => one.severity === severity).length;
    return number === 0 ? [] : [`${grouped(number)} ${severity}`];
  });
  if (parts.length === 0) return '';
  return open.length === counts.open
    ? ` (${parts.join(', ')})`
    : ` (of the ${grouped(open.length)} listed: ${parts.join(', ')})`;
}

/** ` until 2026-11-25`, where every break that is waited for is listed and says until when. */
function lastDue({ breaks, counts }: ReconciliationDocument): string {
  const due = inState(breaks, 'expected').flatMap((one) => (one.due === null ? [] : [one.due]));
  return due.length === 0 || due.length < counts.expected ? '' : ` until ${due.toSorted().at(-1)}`;
}

function about({ account, merchant, gateway, day, period: { from, to } }: ReconciliationDocument): Part {
  const days =
    from !== null && to !== null
      ? html`, for ${date(from)} to ${date(to)}`
      : from !== null
        ? html`, from ${date(from)} on`
        : to !== null
          ? html`, up to ${date(to)}`
          : '';
  return html`Account ${given(account)} of merchant ${given(merchant)} at gateway ${given(gateway)}, as of ${date(day)}${days}.`;
}

function details({ counts, totals }: ReconciliationDocument): readonly Part[] {
  const others = [
    counts.open > 0 ? clause(counts.expected, 'is expected', 'are expected') : '',
    counts.open + counts.expected > 0
      ? clause(counts.resolved, 'was resolved by people', 'were resolved by people')
      : '',
    clause(counts.closed, 'was closed by this run', 'were closed by this run'),
  ].filter((words) => words !== '');
  const sums = byName(totals).map(([currency, { ledger, statement }]) => {
    const left = difference(statement, ledger);
    const ends = isZero(left) ? 'the same in both' : `a difference of ${moneyText(currency, left)}`;
    return `Ledger ${moneyText(currency, ledger)}, statements ${moneyText(currency, statement)}: ${ends}.`;
  });
  return [
    ...(others.length === 0 ? [] : [`Besides, ${list(others)}.`]),
    ...(sums.length > MOST_SENTENCES ? [] : sums),
  ];
}

/** `6 are expected`; nothing of none. */
function clause(number: number, one: string, many: string): string {
  return number === 0 ? '' : `${grouped(number)} ${number === 1 ? one : many}`;
}

function nextSteps(document: ReconciliationDocument, proven: boolean): readonly Part[] {
  const { counts, breaks, reports, errors } = document;
  const steps: Part[] = [];
  if (!proven)
    steps.push(
      html`A sum on this page does not hold and is marked ✗. Do not rely on the page; ${code('batchgate verify')} checks the ledger.`,
    );
  if (errors.length > 0)
    steps.push(html`Read “${UNUSABLE}” below first, then load them again: ${code(LOAD)}.`);
  const [first] = inState(breaks, 'open');
  if (counts.open > 0) {
    const show =
      first === undefined
        ? ''
        : html`, ${code(`batchgate break show ${first.id}`)} tells everything about the weightiest, and ${code(`batchgate break resolve ${first.id} --reason TEXT`)} settles it`;
    steps.push(
      html`Explain the open breaks: ${code('batchgate break list')} lists them${show}. They are also in ${given(baseName(reports.csv))}.`,
    );
  }
  if (counts.expected > 0)
    steps.push(html`Expected breaks are not due yet. Load the next statement when it comes: ${code(LOAD)}.`);
  if (isEmpty(document) && errors.length === 0) steps.push(html`Load a statement: ${code(LOAD)}.`);
  return steps.length > 0 ? steps : ['Nothing. Keep this report with the statements.'];
}
