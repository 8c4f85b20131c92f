import { RE2JS, RE2JSException } from 're2js';
import { invalid } from '../../platform/input/input.ts';

/** Finds the first match in a line. */
export type FindInLine = (line: string) => { readonly start: number; readonly end: number } | null;

/** Steps that a pattern takes for a character at most: with more, a line of 10 000 characters takes tens of milliseconds. */
const programSizeMax = 500;

/**
 * A regular expression that takes linear time, whatever the text: RE2's syntax without look-around and back-references.
 *
 * @throws {ApiError} `VALIDATION_ERROR` naming `pattern`, for one that is none or takes too many steps.
 */
export function compilePattern(pattern: string, caseSensitive: boolean): FindInLine {
  const expression = compiled(pattern, caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);
  if (expression.programSize() > programSizeMax) throw invalid({ pattern: 'pattern has too many repetitions' });
  return (line) => {
    const matcher = expression.matcher(line);
    return matcher.find() ? { start: matcher.start(), end: matcher.end() } : null;
  };
}

function compiled(pattern: string, flags: number): RE2JS {
  try {
    return RE2JS.compile(pattern, flags);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw invalid({
      pattern: `pattern is not a valid regular expression: ${error.message.replace('error parsing regexp: ', '')}`,
    });
  }
}
