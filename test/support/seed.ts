/** Property tests draw a new seed each time; `FC_SEED` fixes it, so that a run can be repeated. */
import fc from 'fast-check';

const seed = process.env.FC_SEED;
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) });
