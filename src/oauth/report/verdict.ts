import type { Observation } from './observation.ts';

export const outcomes = ['passed', 'failed', 'not_applicable', 'unknown'] as const;
export type Outcome = (typeof outcomes)[number];

export const severities = ['high', 'medium', 'low'] as const;
export type RuleSeverity = (typeof severities)[number];

/** The observation: a status, a URL without its query, or advertised names. */
export interface Fact {
  readonly name: 'status' | 'url' | 'advertised';
  readonly value: string;
}

/** The result of one rule for a server. */
export interface Verdict {
  readonly outcome: Outcome;
  /** A sentence of the platform: it repeats no text of the other side. */
  readonly evidence: string;
  readonly facts: readonly Fact[];
}

/** Facts that a rule needs. */
export type Stage = 'server' | 'challenge' | 'resource' | 'issuer' | 'metadata';

/** A rule of the report. Its outcome follows from an observation alone. */
export interface Rule {
  readonly id: string;
  /** The rule as a sentence that is true where it passes, without a full stop. */
  readonly title: string;
  /** Where it stands, such as `RFC 9728, 3.3`. */
  readonly source: string;
  readonly severity: RuleSeverity;
  readonly stage: Stage;
  evaluate(observation: Observation): Verdict;
}

export const passed = (evidence: string, ...facts: readonly Fact[]): Verdict => ({
  outcome: 'passed',
  evidence,
  facts,
});
export const failed = (evidence: string, ...facts: readonly Fact[]): Verdict => ({
  outcome: 'failed',
  evidence,
  facts,
});
export const notApplicable = (evidence: string, ...facts: readonly Fact[]): Verdict => ({
  outcome: 'not_applicable',
  evidence,
  facts,
});
export const unknown = (evidence: string, ...facts: readonly Fact[]): Verdict => ({
  outcome: 'unknown',
  evidence,
  facts,
});

const urlMax = 300;
const namesMax = 12;
/** A name that a registry could hold. Anything else that was advertised is counted, and not shown. */
const registrable = /^[A-Za-z0-9][A-Za-z0-9_.:/+ -]{0,63}$/;

export const status = (code: number): Fact => ({ name: 'status', value: String(code) });

/** Of a URL the scheme, host and path: a query may hold a key. Anything else is not shown. */
export function url(text: unknown): Fact {
  if (typeof text !== 'string' || !URL.canParse(text)) return { name: 'url', value: 'not a URL' };
  const { protocol, host, pathname } = new URL(text);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  return { name: 'url', value: isWeb ? `${protocol}//${host}${pathname}`.slice(0, urlMax) : 'not an https URL' };
}

export function advertised(names: readonly string[]): Fact {
  const shown = names.filter((name) => registrable.test(name)).slice(0, namesMax);
  const rest = names.length - shown.length;
  const value = [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
  return { name: 'advertised', value: value === '' ? 'none' : value };
}
