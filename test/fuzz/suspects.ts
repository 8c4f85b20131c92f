import { afterCounted, beforeCounted, isOver, leastCost, shown } from '../attacks/cost.ts';
import type { CostMeter } from '../support/process-cost.ts';
import type { Incoming, Outgoing } from './exchange.ts';
import type { Fault } from './oracle.ts';

/** Of the inputs that are suspected most, so many are sent again: each takes a second or so. */
const replayedMax = 60;

interface Suspected<Suspect> {
  readonly suspect: Suspect;
  readonly cpuMs: number;
}

/**
 * Inputs during which the product took more CPU or memory than one of them may cost. Others were under way beside them: which
 * one it was is known when each has been sent alone.
 */
export function createSuspects<Suspect extends { readonly request: Outgoing }>(meter: CostMeter | undefined) {
  const suspected: Suspected<Suspect>[] = [];

  /** Makes an exchange, and notes its input if the product was too busy meanwhile. */
  async function watched<Answer>(suspect: Suspect, exchanged: () => Promise<Answer>): Promise<Answer> {
    if (!meter) return exchanged();
    const [cpuMs, resident] = [meter.cpuMs(), meter.residentBytes()];
    const answer = await exchanged();
    const cost = { cpuMs: meter.cpuMs() - cpuMs, bytes: meter.residentBytes() - resident };
    if (isOver(cost, figuresOf(suspect.request))) suspected.push({ suspect, cpuMs: cost.cpuMs });
    return answer;
  }

  /** Sends the suspects again, each alone and up to three times. @returns Those that cost too much by themselves. */
  async function replay(
    send: (request: Outgoing) => Promise<Incoming | { failure: string; milliseconds: number }>,
  ): Promise<{ fault: Fault; suspect: Suspect }[]> {
    const found: { fault: Fault; suspect: Suspect }[] = [];
    if (!meter) return found;
    for (const { suspect } of mostSuspected()) {
      const figures = figuresOf(suspect.request);
      const { cost } = await leastCost(meter, figures, () => send(suspect.request));
      if (isOver(cost, figures)) found.push({ fault: { kind: 'cost', text: shown(cost) }, suspect });
    }
    return found;
  }

  const mostSuspected = () => suspected.toSorted((a, b) => b.cpuMs - a.cpuMs).slice(0, replayedMax);

  return { watched, replay, count: () => mostSuspected().length };
}

const figuresOf = ({ headers }: Outgoing) =>
  headers.some(([name]) => /^(authorization|cookie)$/i.test(name)) ? afterCounted : beforeCounted;
