/** Forking: a program is loaded once, and does each job in a process of its own that the preloaded shim (shim.c) spoils. */
import { randomUUID } from 'node:crypto';
import { readSync, rmdirSync, writeFileSync } from 'node:fs';

/** The next job, waited for without the event loop: the process is idle when it is forked. */
function nextJob() {
  const bytes = Buffer.alloc(64 * 1024);
  let length = 0;
  do {
    const read = readSync(0, bytes, length, bytes.length - length, null);
    if (read === 0) process.exit(0);
    length += read;
  } while (bytes[length - 1] !== 0x0a);
  return JSON.parse(bytes.toString('utf8', 0, length));
}

/** True in the child; false in the parent, when the child is dead and its end has been told. */
function fork() {
  try {
    rmdirSync('shim:fork');
    return true;
  } catch {
    return false;
  }
}

/**
 * Does the first job in this process and throws it away, and every other one in a child.
 * @param run does a job; resolves with its exit code and what else is to be told
 */
export async function serveJobs(run) {
  const warming = nextJob();
  writeFileSync(warming.answer, JSON.stringify(await run(warming)));
  console.log('warm');
  let job;
  do job = nextJob();
  while (!fork());
  rmdirSync(['shim:arm', job.root, job.lost, job.seed, job.seconds, job.plan].join('\n'));
  // Node keeps a stock of 128 random ids; those that the parent has drawn would be the same in every child.
  for (let drawn = 0; drawn < 128; drawn += 1) randomUUID();
  const answer = await run(job);
  writeFileSync(job.answer, JSON.stringify(answer));
  rmdirSync(`shim:exit/${answer.exit}`);
}
