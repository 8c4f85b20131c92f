import type { Reply, Target } from './target.ts';

export type Severity = 'high' | 'medium' | 'low' | 'info';

/** One attack. The severity is that of its success. */
export interface Check {
  readonly name: string;
  readonly severity: Severity;
  /** Why it may succeed: a success is then worth `info`. */
  readonly decided?: string;
  attack(target: Target): Promise<Outcome>;
}

export interface Outcome {
  readonly verdict: 'refused' | 'exposed' | 'skipped';
  /** What was seen, in a line. */
  readonly evidence: string;
}

/** Answers to what is refused by its form come sooner than this, also on a machine that is busy. */
export const errorMsMax = 3_000;

const hasData = ({ json }: Reply) =>
  Boolean(json?.data && Object.values(json.data).some((value) => value !== null)) || Array.isArray(json);

export function seen({ status, text, json, milliseconds }: Reply): string {
  const error = json?.errors?.[0];
  const said = error ? `${error.extensions?.code ?? 'no code'}: ${error.message}` : text;
  return `${status || 'no answer'} in ${Math.round(milliseconds)} ms, ${said.replace(/\s+/g, ' ').slice(0, 90)}`;
}

export const outcomeOf = (isExposed: boolean, evidence: string): Outcome => ({
  verdict: isExposed ? 'exposed' : 'refused',
  evidence,
});

export const skipped = (evidence: string): Outcome => ({ verdict: 'skipped', evidence });

/** Holds when the attack was answered soon, by an error of the client's, and with nothing of what it asked for. */
export const refusedOutright = (reply: Reply): Outcome =>
  outcomeOf(
    reply.status === 0 ||
      reply.status >= 500 ||
      hasData(reply) ||
      !reply.json?.errors ||
      reply.milliseconds > errorMsMax,
    seen(reply),
  );

/** Holds when the answer is of the client's mistake or of what was asked, soon, and of no fault of ours. */
export const survived = (reply: Reply): Outcome =>
  outcomeOf(
    reply.status === 0 || reply.status >= 500 || reply.milliseconds > errorMsMax || /SERVER_ERROR/.test(reply.text),
    seen(reply),
  );
