/** `batchgate batch show`: one batch, with its attempts, its revisions and what people did with it. */

import { EXIT } from '../../../batch/exit.ts';
import { type BatchStory, storyOf } from '../../../batch/overview.ts';
import { loadConfig } from '../../../config.ts';
import { namedBatch } from '../../batch-act.ts';
import { command } from '../../command.ts';
import { inData } from '../../compose.ts';
import { withData, withJson } from '../../options.ts';
import { counted, print, printable, printJson, showsColor } from '../../output.ts';
import { batchSummary, colorsOf, errorLine } from '../../summary.ts';
import { listing, table } from '../../table.ts';

export const batchShowCommand = command({
  usage: 'show <batch>',
  describe: 'one batch: outcomes, attempts, reports, and who did what with it',
  examples: [['batch show B0123456789ABCDEF --json', 'for programs']],
  build: (yargs) =>
    withJson(withData(yargs)).positional('batch', {
      type: 'string',
      demandOption: true,
      describe: 'id of the batch',
    }),
  run: (args) => {
    const config = loadConfig(args);
    return inData(config, async (opened) => {
      const story = await storyOf(opened, await namedBatch(opened.database.reads, args.batch));
      if (args.json) printJson({ environment: opened.environment, ...story });
      else print(text(story, showsColor(config.color)));
      return EXIT.done;
    });
  },
});

function text(story: BatchStory, color: boolean): string {
  const { document } = story;
  const facts = listing([
    ['status', `${story.status}${story.closed ? ', closed' : story.open ? ', open' : ''}`],
    ['received', story.received_at],
    ['SHA-256', `${story.sha256 || '–'} (${counted(story.bytes, 'byte')})`],
    ...story.attempts.map(
      ({ number, state, lines }) =>
        [`attempt ${number}`, `${state}${lines === null ? '' : `, lines ${lines}`}`] as const,
    ),
    ...story.revisions.map(
      ({ revision, started_at, finished }) =>
        [`revision ${revision}`, `${finished ? 'finished' : 'being made'}, begun ${started_at}`] as const,
    ),
  ]);
  const summary =
    document === null
      ? [printable(story.file), ...story.errors.map((error) => errorLine(error, colorsOf(color)))].join('\n')
      : batchSummary(document, color).trimEnd();
  const acts = story.acts.map(({ at, who, act, detail }) => [at, printable(who), act, inWords(detail)]);
  return [summary, facts, ...(acts.length === 0 ? [] : [table(['time', 'who', 'act', 'detail'], acts)])].join(
    '\n',
  );
}

/** The particulars of an act that fit a table. */
function inWords(detail: unknown): string {
  if (typeof detail !== 'object' || detail === null) return '';
  const parts = Object.entries(detail).flatMap(([name, value]) =>
    (typeof value === 'string' && value !== '') || typeof value === 'number'
      ? [`${name} ${printable(String(value))}`]
      : [],
  );
  const text = parts.join(', ');
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
