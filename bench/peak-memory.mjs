/** Preloaded into a measured process: writes its peak resident memory in MB to the file that BENCH_RSS names. */
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  writeFileSync(process.env.BENCH_RSS, String(Math.round(process.resourceUsage().maxRSS / 1024)));
});
