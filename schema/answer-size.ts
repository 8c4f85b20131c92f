import type { GraphQLResolveInfo } from 'graphql';
import { Refusal } from '../src/platform/errors.ts';

/** Bytes of stored content in one answer. A page is at most 16 MB; aliases and `nodes` could ask for any number of them. */
const answerBytesMax = 32 * 1024 * 1024;

const bytesOfExecution = new WeakMap<object, number>();

/**
 * Counts content towards the answer that is being made.
 *
 * @throws {Refusal} `TOO_LARGE` when there is more than an answer may hold.
 */
export function countAnswerBytes({ variableValues }: GraphQLResolveInfo, bytes: number): void {
  // Its variables are made anew for each execution, also for each event of a subscription, whose context lasts.
  const total = (bytesOfExecution.get(variableValues) ?? 0) + bytes;
  bytesOfExecution.set(variableValues, total);
  if (total > answerBytesMax) throw new Refusal('TOO_LARGE', 'The answer is larger than 32 MB: ask for less at once');
}
