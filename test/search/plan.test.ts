import { describe, expect, it } from 'vitest';
import { planOf, type Reading } from '../../src/search/plan.ts';

const token = (word: string, place: number): Reading => ({
  place,
  kind: 'token',
  word,
  lexeme: word,
  documents: 10 + place,
  likeness: 1,
  servers: 1_000,
});

describe('the plan of a search', () => {
  it('looks for eight words at most: the rarest', () => {
    const words = Array.from({ length: 200 }, (_, place) => `word${String(place).padStart(3, '0')}`);
    const plan = planOf(
      words.map((word, place) => token(word, place)),
      [],
      new Map(),
    );
    const asked = new Set(plan?.words.join(' ').match(/word\d{3}/g));
    expect([...asked].sort()).toEqual(words.slice(0, 8));
    expect(plan?.relaxed.length).toBeLessThanOrEqual(16);
  });

  it('quotes words, so that they cannot change the query of the index', () => {
    const plan = planOf([token("it's", 1), token('back\\slash', 2)], [], new Map());
    const queries = [plan?.strict, ...(plan?.words ?? [])].join(' ');
    expect(queries).toContain("'it''s'");
    expect(queries).toContain("'back\\\\slash'");
    expect(queries).not.toMatch(/[^']'s'/);
  });
});
