/** The built command line; says at its end how much memory it had at most. */
import { main } from '../../dist/cli/main.js';

await main(process.argv.slice(2));
process.stderr.write(`maxRSS ${process.resourceUsage().maxRSS}\n`);
