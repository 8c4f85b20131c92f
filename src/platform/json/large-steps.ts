import { isHighSurrogate } from './json-size.ts';

/** UTF-16 units from which a text is large: work on it is done in steps. */
export const largeTextUnits = 64 * 1024;
/** Units of a part of a large text. */
const partUnits = 64 * 1024;
/** Parts that are worked on in one step. */
const partsAtOnce = 4;

/** Steps that wait for their turn, of all requests of the process. */
const waiting: (() => void)[] = [];
/** Whether none ran in this turn. */
let isOpen = true;

/**
 * Runs a step of the work on something large, such as a body of 2 MB. One step of the whole process runs in a turn of
 * the event loop, so that a small request waits for one short step and not for all pending ones. Source:
 * docs/decisions/0029-what-a-request-may-hold.md.
 *
 * @param work Takes a millisecond or less. It runs outside of the asynchronous context of its caller.
 * @returns The result of the work.
 * @throws The exceptions of the work.
 */
export function largeStep<Result>(work: () => Result): Promise<Result> {
  return new Promise((resolve, reject) => {
    waiting.push(() => {
      try {
        resolve(work());
      } catch (error) {
        reject(error);
      }
    });
    if (isOpen) next();
  });
}

function next(): void {
  const step = waiting.shift();
  isOpen = step === undefined;
  if (step === undefined) return;
  step();
  setImmediate(next);
}

/** The parts of a text. A pair of surrogates stays together: apart, each would be taken for a character that does not exist. */
export function* partsOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    let end = start + partUnits;
    if (isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
    yield text.slice(start, end);
    start = end;
  }
}

/** Does something with each part, four in each step. */
export async function eachPart(parts: Iterator<string>, work: (part: string) => void): Promise<void> {
  const step = () => {
    for (let n = 0; n < partsAtOnce; n++) {
      const { done, value } = parts.next();
      if (done) return false;
      work(value);
    }
    return true;
  };
  while (await largeStep(step));
}
