/**
 * What people decide about a break, and what that makes of it. Pure: the same decision on the same break, with the same
 * past, always ends alike. A decision that stands already changes nothing, so that it may be handed in again.
 */
import type { Break } from '../core/break.ts';

export type Decision =
  /** Null: nobody. */
  | { readonly is: 'assign'; readonly to: string | null }
  | { readonly is: 'comment'; readonly text: string }
  | { readonly is: 'resolve'; readonly reason: string }
  | { readonly is: 'reopen'; readonly reason: string };

export type DecisionKind = Decision['is'];

export const DECISION_KINDS = [
  'resolve',
  'reopen',
  'assign',
  'comment',
] as const satisfies readonly DecisionKind[];

/** What somebody did with the break before. */
export interface PastAct {
  readonly is: DecisionKind;
  readonly who: string;
  /** Day, `YYYY-MM-DD`. */
  readonly day: string;
  /** Reason, or text of a comment; empty for who has to see to it. */
  readonly said: string;
}

/** Why something cannot be done, in one sentence, and what can be done about it. */
export interface BreakRefusal {
  readonly refusal: string;
  readonly hint: string;
}

/** The break as it is then; `unchanged` where nothing has to be done. */
export type Effect = { readonly after: Break } | 'unchanged' | BreakRefusal;

/** Whether the past has to be known to decide: looking it up takes long. */
export function asksForPast({ state }: Break, { is }: Decision): boolean {
  return is === 'comment' || (is === 'resolve' ? state === 'resolved' : is === 'reopen' && isLeft(state));
}

/**
 * @param past acts on this break, oldest first
 * @param today in the account's time zone, `YYYY-MM-DD`
 */
export function decided(one: Break, decision: Decision, past: readonly PastAct[], today: string): Effect {
  switch (decision.is) {
    case 'assign':
      return one.assignee === decision.to ? 'unchanged' : { after: { ...one, assignee: decision.to } };
    case 'comment': {
      const isSaid = past.some(({ is, said }) => is === 'comment' && said === decision.text);
      return isSaid ? 'unchanged' : { after: one };
    }
    case 'resolve':
      return resolved(one, decision.reason, past);
    case 'reopen':
      return reopened(one, decision.reason, past, today);
  }
}

function resolved(one: Break, reason: string, past: readonly PastAct[]): Effect {
  if (isLeft(one.state)) return { after: { ...one, state: 'resolved', resolution: reason } };
  if (one.state === 'closed')
    return {
      refusal: `it is closed${since(one)}: the ledger or a later statement has explained it`,
      hint: 'Nothing is left to resolve.',
    };
  if (one.resolution === reason) return 'unchanged';
  const by = past.findLast(({ is }) => is === 'resolve');
  return {
    refusal: `it was resolved already${by === undefined ? '' : `, by ${by.who} on ${by.day}`}: ${shortened(one.resolution ?? '')}`,
    hint: `To give another reason, reopen it first: batchgate break reopen ${one.id} --reason TEXT`,
  };
}

function reopened(one: Break, reason: string, past: readonly PastAct[], today: string): Effect {
  if (one.state === 'resolved') {
    const state = one.due !== null && today < one.due ? 'expected' : 'open';
    return { after: { ...one, state, resolution: null } };
  }
  if (one.state === 'closed')
    return {
      refusal: `it is closed${since(one)}: the ledger or a later statement has explained it`,
      hint: 'If it is found again, it opens by itself.',
    };
  const last = past.findLast(({ is }) => is === 'resolve' || is === 'reopen');
  if (last?.is === 'reopen' && last.said === reason) return 'unchanged';
  return {
    refusal: `it is ${one.state} already`,
    hint: 'Only what somebody has resolved can be reopened.',
  };
}

/** Somebody has to explain it, now or later. */
function isLeft(state: Break['state']): boolean {
  return state === 'open' || state === 'expected';
}

function since({ closed }: Break): string {
  return closed === null ? '' : ` since ${closed}`;
}

/** A reason within a sentence. */
const MOST_SHOWN = 120;

function shortened(text: string): string {
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN - 1)}…` : text;
}
