/** `batchgate verify`: makes everything anew from the ledger and compares. */
import { EXIT } from '../../batch/exit.ts';
import { Folders } from '../../batch/folders.ts';
import type { Finding } from '../../batch/verify/finding.ts';
import { verify } from '../../batch/verify.ts';
import { loadConfig } from '../../config.ts';
import { Database } from '../../ledger/database.ts';
import { command } from '../command.ts';
import { withData, withJson } from '../options.ts';
import { counted, print, printable, printJson, showsColor } from '../output.ts';
import { progressFor } from '../progress.ts';
import { type Colors, colorsOf } from '../summary.ts';

export const verifyCommand = command({
  usage: 'verify',
  describe: 'recompute balances, totals and chains from the ledger and compare; changes nothing',
  examples: [
    ['verify', 'exit 0: everything agrees; 11: something does not'],
    ['verify --json', 'every check with its first differences'],
  ],
  build: (yargs) => withJson(withData(yargs)),
  run: async (args) => {
    const config = loadConfig(args);
    const folders = new Folders(config.data, config.drop);
    const database = await Database.openSnapshot(folders.database);
    const progress = progressFor('verify', args.quiet);
    try {
      const findings = await verify({ database, folders }, (_, count) =>
        progress.on('reading', count, undefined),
      );
      progress.end();
      const exit = findings.every(({ ok }) => ok) ? EXIT.done : EXIT.wrong;
      if (args.json) printJson({ exit, checks: findings.map(described) });
      else print(text(findings, colorsOf(showsColor(config.color))));
      return exit;
    } finally {
      progress.end();
      await database.close();
    }
  },
});

function described({ name, expected, ok, checked, named, more }: Finding) {
  return { name, expected, ok, checked, differences: named, more };
}

function text(findings: readonly Finding[], colors: Colors): string {
  const width = Math.max(...findings.map(({ name }) => name.length));
  const wrong = findings.filter(({ ok }) => !ok).length;
  return [
    ...findings.flatMap(({ name, expected, ok, checked, named, more }) => [
      `${ok ? colors.green('✓') : colors.red('✗')} ${name.padEnd(width)}  ${expected} ${colors.dim(`(${checked} checked)`)}`,
      ...named.map((difference) => `    ${printable(difference)}`),
      ...(more > 0 ? [`    … and ${counted(more, 'difference')} more`] : []),
    ]),
    wrong === 0
      ? colors.green('everything agrees')
      : colors.red(`${counted(wrong, 'check')} found differences`),
  ].join('\n');
}
