import type { Cost } from '../support/process-cost.ts';
import { type Check, errorMsMax, type Outcome, outcomeOf, type Severity, seen } from './check.ts';
import type { Reply, Target } from './target.ts';

/** What one request may cost. Source: docs/decisions/0028-what-a-request-may-cost.md. */
export interface Figures {
  readonly cpuMs: number;
  readonly bytes: number;
}

const mebibyte = 1_024 * 1_024;

/** Until it is authorised and counted against a budget. */
export const beforeCounted: Figures = { cpuMs: 50, bytes: 16 * mebibyte };
/** In all. */
export const afterCounted: Figures = { cpuMs: 250, bytes: 64 * mebibyte };

/** A busy neighbour, or code that runs for the first time, makes a request dearer and never cheaper. */
const triesMax = 3;

export const isOver = ({ cpuMs, bytes }: Cost, figures: Figures): boolean =>
  cpuMs > figures.cpuMs || bytes > figures.bytes;

export const shown = ({ cpuMs, bytes }: Cost): string =>
  `${cpuMs.toFixed(0)} ms CPU, ${(bytes / mebibyte).toFixed(1)} MiB`;

/** Does something up to three times while it is over the figures. @returns The last result, and the least of each figure. */
export async function leastCost<Result>(
  { measure }: NonNullable<Target['meter']>,
  figures: Figures,
  work: () => Promise<Result>,
): Promise<{ result: Result; cost: Cost }> {
  let { result, cost } = await measure(work);
  for (let tries = 1; tries < triesMax && isOver(cost, figures); tries++) {
    const again = await measure(work);
    result = again.result;
    cost = { cpuMs: Math.min(cost.cpuMs, again.cost.cpuMs), bytes: Math.min(cost.bytes, again.cost.bytes) };
  }
  return { result, cost };
}

/** An attack of one request that must stay within figures, and be answered soon and without a fault of ours. */
export function costly(
  name: string,
  severity: Severity,
  figures: Figures,
  request: (target: Target) => Promise<Reply>,
): Check {
  return {
    name,
    severity,
    async attack(target): Promise<Outcome> {
      const { meter } = target;
      if (meter === null) {
        const reply = await request(target);
        return outcomeOf(isFault(reply) || reply.milliseconds > errorMsMax, `${seen(reply)}; time alone`);
      }
      const { result: reply, cost } = await leastCost(meter, figures, () => request(target));
      return outcomeOf(
        isFault(reply) || isOver(cost, figures) || !meter.isWhole(),
        `${shown(cost)}; ${meter.isWhole() ? seen(reply) : 'a process of the product ended'}`,
      );
    },
  };
}

/** What is refused before all of it was sent may not be read by its sender, who finds the connection closed. */
const isCutOff = ({ status, text }: Reply): boolean =>
  status === 0 && /ECONNRESET|EPIPE|other side closed|closed with \d{4}|terminated/i.test(text);

const isFault = (reply: Reply): boolean =>
  (reply.status === 0 && !isCutOff(reply)) ||
  (reply.status >= 500 && reply.status !== 503) ||
  /SERVER_ERROR/.test(reply.text);
