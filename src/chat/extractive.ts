import type { Passage } from '../documents/index.ts';
import { bestSentences } from './best-sentences.ts';
import type { Claim } from './claims.ts';
import { contentWords, overlap } from './words.ts';

/** Quotations of one answer, and characters of one. */
const quotationsMax = 3;
const quotationMax = 500;

const nothingFound =
  'No passage of your documents answers this. No language model is configured, so answers are quoted from your documents.';
const introduction = 'From your documents:';
const explanation = 'These are quotations. No language model is configured that could sum them up.';

/** The answer without documents. */
export const withoutContext =
  'No language model is configured, so answers are quoted from your documents, and this question was asked without them.';

/**
 * An answer without a language model: the sentences of the best passages that share most with the question, quoted and
 * cited.
 *
 * @returns Pieces of the answer, and their quotations.
 */
export function quote(question: string, passages: readonly Passage[]): { pieces: string[]; claims: Claim[] } {
  const wanted = contentWords(question);
  const found = passages.flatMap((passage, index): Claim[] => {
    const span = bestSentences(wanted, passage.text, quotationMax);
    if (span === null) return [];
    return [{ number: index + 1, sentence: passage.text.slice(span.start, span.end), span, isQuoted: true }];
  });
  // A passage that was found by its meaning alone is quoted only where no other has a word of the question.
  const telling = found.filter(({ sentence }) => overlap(wanted, sentence) > 0);
  const claims = telling.length > 0 ? telling.slice(0, quotationsMax) : found.slice(0, 1);
  if (claims.length === 0) return { pieces: [nothingFound], claims };
  const quotations = claims.map(({ number, sentence }) => `\n\n> ${sentence.replaceAll('\n', '\n> ')} [${number}]`);
  return { pieces: [introduction, ...quotations, `\n\n${explanation}`], claims };
}
