/** `batchgate break show`. */
import { EXIT } from '../../../batch/exit.ts';
import { loadConfig } from '../../../config.ts';
import { booksIn } from '../../../reconcile/decisions/books.ts';
import { storiesOf } from '../../../reconcile/decisions/story.ts';
import { command } from '../../command.ts';
import { inData } from '../../compose.ts';
import { UsageError } from '../../errors.ts';
import { withData, withJson } from '../../options.ts';
import { print, printJson, sayNext, showsColor } from '../../output.ts';
import { colorsOf } from '../../summary.ts';
import { idsIn, lookingWith } from './choice.ts';
import { nextFor, storyText } from './story-text.ts';

export const breakShowCommand = command({
  usage: 'show <ids..>',
  describe: 'everything about a break: both sides, who did what with it, and what to do next',
  examples: [
    ['break show K0123456789ABCDEF', 'in words'],
    ['break show K0123456789ABCDEF K1123456789ABCDEF --json', 'for programs'],
  ],
  build: (yargs) =>
    withJson(withData(yargs)).positional('ids', {
      type: 'string',
      array: true,
      demandOption: true,
      describe: 'ids of breaks, as `break list` shows them',
    }),
  run: (args) => {
    const config = loadConfig(args);
    const ids = idsIn(args.ids);
    return inData(config, async ({ database: { reads }, environment }) => {
      const stories = await storiesOf(reads, await booksIn(reads, lookingWith(config)), ids);
      const missing = ids.find((id) => !stories.some((story) => story.id === id));
      if (missing !== undefined)
        throw new UsageError(`there is no break ${missing}`, 'See: batchgate break list --state all');
      if (args.json) printJson({ environment, breaks: stories });
      else {
        const colors = colorsOf(showsColor(config.color));
        print(stories.map((story) => storyText(story, colors)).join('\n\n'));
        const [only, ...others] = stories;
        const next = others.length === 0 ? nextFor(only!) : undefined;
        if (next !== undefined) sayNext(next);
      }
      return EXIT.done;
    });
  },
});
