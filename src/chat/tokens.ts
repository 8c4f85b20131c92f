/**
 * Bytes of UTF-8 that count as a token: an estimate that is rather too high, because models' tokenizers take about 4 bytes of English for
 * one, and fewer of other languages and of code.
 */
export const bytesOfToken = 3;

/** How many tokens a text has, as an estimate. */
export const estimatedTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / bytesOfToken);

/** The tokens of a message without its text. */
const tokensOfMessage = 6;

export interface Turn {
  readonly question: string;
  readonly answer: string;
}

/**
 * The turns that a model is given: whole turns, the newest first, as long as they are within the budget. The first that does not fit
 * ends the history, so that it has no gaps.
 *
 * @param turns The newest first.
 * @returns The oldest first, and how many tokens they take.
 */
export function historyWithin(turns: readonly Turn[], budget: number): { history: Turn[]; tokens: number } {
  const history: Turn[] = [];
  let tokens = 0;
  for (const turn of turns) {
    const cost = estimatedTokens(turn.question) + estimatedTokens(turn.answer) + 2 * tokensOfMessage;
    if (tokens + cost > budget) break;
    tokens += cost;
    history.unshift(turn);
  }
  return { history, tokens };
}
