/** The built reader of bank statements; says at its end what it has read and how much memory it had at most. */
import { CAMT_053 } from '../../dist/reconcile/statements/camt.js';

let lines = 0;
let sum = 0;
for await (const part of CAMT_053.read(process.argv[2])) {
  if (part.is !== 'lines') continue;
  lines += part.lines.length;
  for (const { net } of part.lines) sum += net;
}
process.stdout.write(JSON.stringify({ lines, sum, peak: process.resourceUsage().maxRSS * 1024 }));
