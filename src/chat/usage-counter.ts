import type { ModelCall, Usage } from './models.ts';
import { estimatedTokens } from './tokens.ts';

interface Counted {
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
}

/** Adds up the tokens of the steps of an answer: as the endpoint counts them, else estimated. */
export function createUsageCounter({ prompt, onUsage }: Pick<ModelCall, 'prompt' | 'onUsage'>) {
  const total = { inputTokens: 0, outputTokens: 0, isEstimated: false };
  let written = '';
  let step = '';
  let exchangedTokens = 0;
  /** What a model reads in a step: the prompt, and the calls and results of the steps before. */
  let inputTokens = 0;
  const report = (input: number, output: number, isEstimated: boolean): Usage => {
    const usage = {
      inputTokens: total.inputTokens + input,
      outputTokens: total.outputTokens + output,
      isEstimated: total.isEstimated || isEstimated,
    };
    onUsage(usage);
    return usage;
  };
  return {
    begin(): void {
      step = '';
      inputTokens = prompt.inputTokens + exchangedTokens;
      report(inputTokens, 0, true);
    },
    wrote(text: string): void {
      step += text;
      written += text;
    },
    exchanged(input: string, result: string): void {
      step += input;
      exchangedTokens += estimatedTokens(input) + estimatedTokens(result);
    },
    end(counted: Counted): void {
      const exact = countedOf(counted);
      const [input, output] = exact ?? [inputTokens, estimatedTokens(step)];
      Object.assign(total, report(input, output, exact === null));
    },
    /** The text of all steps. */
    get written() {
      return written;
    },
  };
}

/** What the endpoint has counted; null where it has not. It may say anything. */
function countedOf({ inputTokens, outputTokens }: Counted): readonly [number, number] | null {
  const isCount = (count: number | undefined): count is number =>
    count !== undefined && Number.isInteger(count) && count >= 0 && count < 100_000_000;
  return isCount(inputTokens) && isCount(outputTokens) && inputTokens > 0 ? [inputTokens, outputTokens] : null;
}
