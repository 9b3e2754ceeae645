/** `batchgate batch list`. */

import { EXIT } from '../../../batch/exit.ts';
import { type BatchOverview, overview } from '../../../batch/overview.ts';
import type { Running } from '../../../batch/running.ts';
import { loadConfig } from '../../../config.ts';
import { EMBEDDED } from '../../../core/gateway.ts';
import { OUTCOMES } from '../../../core/outcome.ts';
import { command } from '../../command.ts';
import { inData } from '../../compose.ts';
import { withData, withJson } from '../../options.ts';
import { counted, print, printable, printJson, say } from '../../output.ts';
import { table } from '../../table.ts';

export const batchListCommand = command({
  usage: 'list',
  describe: 'what ran, runs or waits',
  examples: [
    ['batch list --open', 'only what somebody may still have to do something about'],
    ['batch list --json', 'for programs'],
  ],
  build: (yargs) =>
    withJson(withData(yargs)).option('open', {
      type: 'boolean',
      default: false,
      describe: 'without rejected and closed batches, and those where every line succeeded',
    }),
  run: (args) =>
    inData(loadConfig(args), async (opened) => {
      const batches = (await overview(opened)).filter(({ open }) => open || !args.open);
      if (args.json) printJson({ environment: opened.environment, batches });
      else if (batches.length === 0)
        say(args.open ? 'no batch is open' : 'no batch yet; execute a file: batchgate run FILE');
      else
        print(
          table(
            ['batch', 'received', 'file', 'operation', 'status', ['lines', 'right'], 'of which'],
            batches.map(row),
          ),
        );
      if (!args.json)
        for (const batch of batches) if (batch.running !== null) print(atWork(batch, batch.running));
      return EXIT.done;
    }),
});

function row({
  batch,
  received_at,
  file,
  operation,
  gateway,
  status,
  closed,
  lines,
}: BatchOverview): readonly string[] {
  const time = `${received_at.slice(0, 10)} ${received_at.slice(11, 19)}Z`;
  const counted = lines === null ? [] : OUTCOMES.filter((outcome) => lines[outcome] > 0);
  const outcomes = counted.map((outcome) => `${lines![outcome]} ${outcome.replace('_', ' ')}`);
  return [
    batch,
    time,
    shortened(printable(file)),
    (operation || '–') + (gateway === EMBEDDED ? '' : ` at ${shortened(gateway)}`),
    closed ? `${status}, closed` : status,
    lines === null ? '–' : String(lines.total),
    outcomes.join(', ') || '–',
  ];
}

/** Who executes a batch, how far that is, and how much longer it takes. */
function atWork(
  { batch }: BatchOverview,
  { pid, host, chunks, lines_per_second, seconds_left }: Running,
): string {
  const rate = lines_per_second === null ? '' : `, ${lines_per_second} lines/s`;
  const left = seconds_left === null ? '' : `, ${seconds_left} s left`;
  return `${batch} runs on ${printable(host)}, process ${pid}: ${chunks.done} of ${counted(chunks.planned, 'chunk')}${rate}${left}`;
}

function shortened(name: string): string {
  return name.length > 32 ? `${name.slice(0, 31)}…` : name;
}
