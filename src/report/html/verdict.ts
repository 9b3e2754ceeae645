/** The first thing on the page: what became of the file, in a sentence, and what to do now. */
import { CODES, type Code, retryHelps } from '../../core/code.ts';
import { OUTCOMES, type Outcome } from '../../core/outcome.ts';
import type { ReportDocument } from '../document.ts';
import { grouped } from './decimal.ts';
import { REJECTED, WARNINGS } from './exceptions.ts';
import { groupsOf } from './groups.ts';
import { LOOKS } from './outcome-look.ts';
import { type Html, html, type Part } from './template.ts';
import { exitOf, MOST_SENTENCES, SIGNS, verdictCard } from './verdict-card.ts';
import { baseName, code, count, given, list, moneyText } from './words.ts';

export function verdict(document: ReportDocument): Html {
  const { tone, meaning } = exitOf(document.exit);
  return verdictCard({
    tone,
    sign: document.lines.unknown > 0 ? '?' : SIGNS[tone],
    status: statusWord(document),
    headline: html`${given(document.file)} ${headline(document)}.`,
    details: details(document),
    steps: nextSteps(document),
    exit: document.exit,
    meaning,
  });
}

function statusWord({ status, lines, exit }: ReportDocument): string {
  switch (status) {
    case 'rejected':
      return 'Rejected';
    case 'awaiting_approval':
      return 'Waiting for approval';
    case 'interrupted':
      return 'Interrupted';
    case 'stopped':
      return 'Stopped';
    case 'unknown':
      return 'Outcome unknown';
    case 'completed':
      if (exit === 7) return 'Completed, with an alarm';
      if (lines.succeeded === lines.total) return 'Completed';
      return lines.succeeded + lines.pending === lines.total
        ? 'Completed, some pending'
        : 'Completed, with exceptions';
  }
}

/** What became of the file, to be read after its name. */
export function headline({ status, lines }: ReportDocument): string {
  if (status === 'rejected') return 'was rejected: nothing in it was executed';
  if (status === 'awaiting_approval')
    return `waits for approval: none of its ${count(lines.total, 'line')} was executed yet`;
  if (lines.total === 0) return 'has no lines: there was nothing to do';
  const succeeded =
    lines.succeeded === lines.total
      ? lines.total === 1
        ? 'its only line succeeded'
        : `all ${count(lines.total, 'line')} succeeded`
      : `${grouped(lines.succeeded)} of ${count(lines.total, 'line')} succeeded`;
  if (lines.unknown > 0) return `was executed: ${succeeded}, ${clause('unknown', lines.unknown)}`;
  if (status === 'stopped') return `was stopped: ${succeeded}`;
  if (status === 'interrupted') return `was interrupted: ${succeeded} so far`;
  return `was executed: ${succeeded}`;
}

/** `6 were refused`. */
function clause(outcome: Outcome, lines: number): string {
  const { one, many } = LOOKS[outcome];
  return `${grouped(lines)} ${lines === 1 ? one : many}`;
}

function details({ status, errors, lines, breakdown }: ReportDocument): readonly Part[] {
  if (status === 'rejected') return errors.slice(0, 1).map((error) => `${error.code}: ${error.message}`);
  const others = OUTCOMES.filter((outcome) => outcome !== 'succeeded' && lines[outcome] > 0);
  const clauses = others.map((outcome) => clause(outcome, lines[outcome]));
  const groups = groupsOf(breakdown).filter(({ currency }) => currency !== '');
  const sums = groups.map(({ operation, currency, amounts }) => {
    const succeeded = moneyText(currency, amounts.succeeded);
    return `${capitalised(operation)}: ${succeeded} of ${moneyText(currency, amounts.instructed)} succeeded.`;
  });
  return [
    ...(clauses.length === 0 ? [] : [`Of the others, ${list(clauses)}.`]),
    ...(sums.length > MOST_SENTENCES ? [] : sums),
  ];
}

function capitalised(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** One step per kind of trouble, the most urgent first. */
function nextSteps({ batch, status, lines, reports, exceptions, errors }: ReportDocument): readonly Part[] {
  const command = (words: string) => code(`batchgate batch ${words}`);
  const retry = exceptions.some(({ code: name }) => isCode(name) && retryHelps(name));
  const steps: readonly (readonly [applies: boolean, step: () => Part])[] = [
    [
      status === 'rejected',
      () => `Correct what is listed below under “${REJECTED}”, and send the file again.`,
    ],
    [errors.length > 0 && status !== 'rejected', () => `Read “${WARNINGS}” below first.`],
    [
      lines.unknown > 0,
      () =>
        html`Do not send the unknown lines again. ${command(`resolve ${batch}`)} asks the gateway what became of them.`,
    ],
    [
      status === 'awaiting_approval',
      () =>
        html`A second person looks at it and says ${command(`approve ${batch}`)} or ${command(`reject ${batch}`)}.`,
    ],
    [
      status === 'interrupted',
      () => html`${command(`resume ${batch}`)} goes on where it stopped; nothing is sent twice.`,
    ],
    [
      status === 'stopped',
      () => html`The lines not sent stay so, unless ${command(`resume ${batch}`)} goes on with them.`,
    ],
    [
      reports.fixme !== null && status !== 'interrupted',
      () =>
        html`Correct the lines in ${given(baseName(reports.fixme!))} and send that file. Only these lines are in it.`,
    ],
    [retry, () => html`For some lines trying again can help: ${command(`retry ${batch}`)}.`],
    [
      reports.held !== null,
      () =>
        html`Duplicates were not executed. If they are meant, name their first lines in the column ${code('repeat_of')} of ${given(baseName(reports.held!))} and send that file; or ${command(`release ${batch} --line N --reason TEXT`)} runs them as they are.`,
    ],
    [
      lines.pending > 0,
      () =>
        html`Pending lines are decided later, and a new revision of this report will say how. ${command(`resolve ${batch}`)} asks now.`,
    ],
  ];
  const due = steps.filter(([applies]) => applies).map(([, step]) => step());
  return due.length > 0 ? due : ['Nothing. Keep this report with the file.'];
}

function isCode(name: string): name is Code {
  return Object.hasOwn(CODES, name);
}
