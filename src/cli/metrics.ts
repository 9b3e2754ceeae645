/** The outcome of a run in Prometheus' text format, for a node exporter's textfile collector. */
import { OUTCOMES } from '../core/outcome.ts';
import type { RunDocument } from '../report/document.ts';

export function metricsText({ batches, exit, environment }: RunDocument): string {
  const label = `environment="${environment}"`;
  const lines = OUTCOMES.map((outcome) => {
    const count = batches
      .filter(({ repeat }) => !repeat)
      .reduce((sum, batch) => sum + batch.lines[outcome], 0);
    return `batchgate_run_lines{${label},outcome="${outcome}"} ${count}`;
  });
  return [
    '# HELP batchgate_run_exit_code Exit code of the last run.',
    '# TYPE batchgate_run_exit_code gauge',
    `batchgate_run_exit_code{${label}} ${exit}`,
    '# HELP batchgate_run_batches Files of the last run.',
    '# TYPE batchgate_run_batches gauge',
    `batchgate_run_batches{${label}} ${batches.length}`,
    '# HELP batchgate_run_lines Lines of the last run by outcome; files executed before do not count.',
    '# TYPE batchgate_run_lines gauge',
    ...lines,
    '',
  ].join('\n');
}
