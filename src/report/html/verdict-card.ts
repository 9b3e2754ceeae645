/** The card at the top of a report: a sentence that says it all, what to do now, and what the exit code means. */
import { type Html, html, type Part } from './template.ts';

export type Tone = 'good' | 'waiting' | 'attention' | 'bad';

export const SIGNS: Readonly<Record<Tone, string>> = { good: '✓', waiting: '…', attention: '!', bad: '✕' };

/** Sums of more currencies or operations than this are left to the totals. */
export const MOST_SENTENCES = 3;

interface Exit {
  readonly tone: Tone;
  readonly meaning: string;
}

/** What the exit codes mean. Contract, "Exit codes". */
const EXITS: Readonly<Record<number, Exit>> = {
  0: { tone: 'good', meaning: 'every line succeeded, or there was nothing to do' },
  1: { tone: 'bad', meaning: 'unexpected error' },
  2: { tone: 'bad', meaning: 'usage or configuration' },
  3: { tone: 'attention', meaning: 'finished; some lines refused, invalid or duplicate' },
  4: { tone: 'bad', meaning: 'credentials, signature or IP refused by the gateway' },
  5: { tone: 'attention', meaning: 'temporary trouble; nothing is unknown' },
  6: { tone: 'bad', meaning: 'file rejected; nothing was executed' },
  7: { tone: 'bad', meaning: 'some outcomes are unknown, or there is an alarm' },
  8: { tone: 'waiting', meaning: 'waiting for approval' },
  9: { tone: 'waiting', meaning: 'finished; some lines pending, all others succeeded' },
  10: { tone: 'attention', meaning: 'reconciliation finished with open breaks' },
  130: { tone: 'attention', meaning: 'interrupted after a checkpoint' },
  143: { tone: 'attention', meaning: 'interrupted after a checkpoint' },
};

export function exitOf(code: number): Exit {
  return EXITS[code] ?? { tone: 'attention', meaning: 'see below' };
}

export interface Verdict {
  readonly tone: Tone;
  /** A character for those who see no colours. */
  readonly sign: string;
  readonly status: string;
  readonly headline: Part;
  readonly details: readonly Part[];
  /** What to do next; never empty. */
  readonly steps: readonly Part[];
  readonly exit: number;
  readonly meaning: string;
}

export function verdictCard({ tone, sign, status, headline, details, steps, exit, meaning }: Verdict): Html {
  return html`<section id="verdict" class="verdict ${tone}" aria-labelledby="verdict-title">
<div class="seal" aria-hidden="true">${sign}</div>
<div>
<p class="status">${status}</p>
<h2 id="verdict-title">${headline}</h2>
${details.map((sentence) => html`<p>${sentence}</p>\n`)}<h3>What to do next</h3>
<ul>
${steps.map((step) => html`<li>${step}</li>\n`)}</ul>
<p class="exit">Exit code <strong>${exit}</strong>: ${meaning}.</p>
</div>
</section>
`;
}
