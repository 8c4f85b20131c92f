import type { Database } from '../../platform/database/database.ts';
import { createDifference } from './difference.ts';
import { createGrep, type GrepBudget } from './grep.ts';
import { createLines } from './lines.ts';

/**
 * Reading documents beside search: models answer questions over many documents better when they can read on and look for words
 * themselves. All of it is for the caller's own documents alone.
 */
export function createReading(deps: { database: Pick<Database, 'read' | 'query'>; budget?: GrepBudget }) {
  return { read: createLines(deps), grep: createGrep(deps), diff: createDifference(deps) };
}
