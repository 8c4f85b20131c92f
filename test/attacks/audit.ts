import { type Check, type Outcome, type Severity, skipped } from './check.ts';
import { exposure } from './exposure.ts';
import { forgery } from './forgery.ts';
import { overload } from './overload.ts';
import { StillLimited, type Target } from './target.ts';

export interface Finding extends Outcome {
  readonly name: string;
  /** Null where the attack did not succeed. */
  readonly severity: Severity | null;
}

const severities: readonly Severity[] = ['high', 'medium', 'low', 'info'];

/** The attacks that audits of GraphQL servers make. */
export const audits: readonly Check[] = [...exposure, ...forgery, ...overload];

/** Makes attacks one after the other, so that none hides behind what another does to the server. */
export async function audit(
  target: Target,
  checks: Iterable<Check>,
  onFinding?: (finding: Finding) => void,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const check of checks) {
    const finding = findingOf(check, await check.attack(target).catch(skippedWhenLimited));
    findings.push(finding);
    onFinding?.(finding);
  }
  return findings;
}

function skippedWhenLimited(error: unknown): Outcome {
  if (error instanceof StillLimited) return skipped(error.message);
  throw error;
}

function findingOf({ name, severity, decided }: Check, { verdict, evidence }: Outcome): Finding {
  if (verdict !== 'exposed') return { name, severity: null, verdict, evidence };
  return decided
    ? { name, severity: 'info', verdict, evidence: `${evidence} (${decided})` }
    : { name, severity, verdict, evidence };
}

export const countOf = (findings: readonly Finding[], severity: Severity) =>
  findings.filter((finding) => finding.severity === severity).length;

/** `0 high, 0 medium, 0 low, 4 info` */
export const summaryOf = (findings: readonly Finding[]) =>
  severities.map((severity) => `${countOf(findings, severity)} ${severity}`).join(', ');
