import { challengeRules } from './challenge-rules.ts';
import { hasNoResponse, type Observation } from './observation.ts';
import { resourceRules } from './resource-rules.ts';
import { serverRules } from './server-rules.ts';
import {
  notApplicable,
  type Outcome,
  type Rule,
  type RuleSeverity,
  type Stage,
  unknown,
  type Verdict,
} from './verdict.ts';

/** A to D: no rule failed; rules of the severity low failed, medium, high. */
export const grades = ['A', 'B', 'C', 'D'] as const;
export type Grade = (typeof grades)[number];

const gradeOf: Readonly<Record<RuleSeverity, Grade>> = { low: 'B', medium: 'C', high: 'D' };

export interface EvaluatedRule {
  readonly rule: string;
  readonly verdict: Verdict;
}

/** A report as it follows from one observation. */
export interface Report {
  readonly grade: Grade | null;
  readonly counts: Readonly<Record<Outcome, number>>;
  readonly evaluated: readonly EvaluatedRule[];
}

/** All rules, in the order in which they are shown. */
export const rulesOf = (isEndpoint: (value: unknown) => boolean): readonly Rule[] => [
  ...challengeRules,
  ...resourceRules,
  ...serverRules(isEndpoint),
];

/** The closed list, for those who show it. */
export const rules: ReadonlyMap<string, Pick<Rule, 'title' | 'source' | 'severity'>> = new Map(
  rulesOf(() => false).map(({ id, title, source, severity }) => [id, { title, source, severity }]),
);

/** Pure: the report of an observation. */
export function reportOf(observation: Observation, all: readonly Rule[]): Report {
  const evaluated = all.map((rule) => ({
    rule,
    verdict: hindrance(observation, rule.stage) ?? rule.evaluate(observation),
  }));
  const count = (outcome: Outcome) => evaluated.filter(({ verdict }) => verdict.outcome === outcome).length;
  const counts = {
    passed: count('passed'),
    failed: count('failed'),
    not_applicable: count('not_applicable'),
    unknown: count('unknown'),
  };
  return {
    grade: grade(evaluated, observation),
    counts,
    evaluated: evaluated.map(({ rule, verdict }) => ({ rule: rule.id, verdict })),
  };
}

function grade(evaluated: readonly { rule: Rule; verdict: Verdict }[], observation: Observation): Grade | null {
  const severitiesOf = (outcome: Outcome) =>
    new Set(evaluated.filter(({ verdict }) => verdict.outcome === outcome).map(({ rule }) => rule.severity));
  const broken = severitiesOf('failed');
  if (broken.has('high')) return gradeOf.high;
  if (severitiesOf('unknown').has('high') || isOpen(observation)) return null;
  return broken.has('medium') ? gradeOf.medium : broken.has('low') ? gradeOf.low : 'A';
}

/** Whether the server asks for no authorization: it answers without one, and publishes nothing about it. */
const isOpen = ({ probe, resource }: Observation): boolean =>
  probe !== null && probe.status >= 200 && probe.status < 300 && resource === null;

/** The reason why a rule cannot be decided; null if it can. */
function hindrance(observation: Observation, stage: Stage): Verdict | null {
  const { probe, resource, issuer, server, resourcePlaces } = observation;
  if (stage === 'server') return null;
  if (probe === null) return unknown('The server did not answer');
  if (probe.status === 429 || probe.status >= 500)
    return unknown('The server could not answer', { name: 'status', value: String(probe.status) });
  if (isOpen(observation) && !resourcePlaces.some(hasNoResponse))
    return notApplicable('The server asks for no authorization');
  if (stage === 'challenge') return null;
  if (resource === null)
    return resourcePlaces.some(hasNoResponse) ? unreadable : notApplicable('There is no such metadata');
  if (stage === 'resource') return null;
  if (issuer === null || !server?.isSecure) return notApplicable('There is no authorization server to ask');
  if (stage === 'issuer' || server.found) return null;
  return server.places.some(hasNoResponse)
    ? unreadable
    : notApplicable('The authorization server publishes no metadata');
}

const unreadable = unknown('The metadata could not be read');
