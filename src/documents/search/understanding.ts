import type { Database } from '../../platform/database/database.ts';
import { editDistance, mistakesIn } from '../../platform/edit-distance.ts';
import { termOf, wordsOf } from './analyser.ts';
import { defaultLanguage, type Language } from './languages.ts';
import { type AskedTerm, indexedTerms, likeTerms } from './search-statements.ts';

/** A model that vectors of a profile were made with. */
export interface IndexModel {
  readonly id: number;
  readonly name: string;
  readonly dims: number;
  /** That of pgvector, where it has an index on these vectors; null elsewhere. */
  readonly schema: string | null;
}

/** The index of a profile. */
export interface IndexRow {
  readonly id: number;
  readonly sections: number;
  /** Of all sections together. */
  readonly words: number;
  readonly languages: readonly Language[];
  readonly models: readonly IndexModel[];
}

/** A query in the words of a profile's documents. */
export interface Understanding {
  readonly terms: readonly AskedTerm[];
  /** What a section would score that had every word of the query without end. */
  readonly maxScore: number;
  /** The weight of each term, for the choice of passages and for highlights. */
  readonly weights: ReadonlyMap<string, number>;
  /** Those whose stems the terms are. */
  readonly languages: readonly Language[];
}

interface TermRow {
  readonly id: string;
  readonly term: string;
  readonly sections: number;
}

/** Different words of a query that are searched; of longer queries the first ones. */
const wordsMax = 64;
/** Misspelt words of a query that are corrected, and corrections of each. */
const correctedMax = 4;
const correctionsMax = 3;
/** Terms of the vocabulary that are compared with the misspelt words of a query together: some 50 ms of CPU. */
const termsComparedMax = 40_000;
/** What a correction counts beside the word itself, as in the search of servers. */
const correctionWeight = 0.8;

/** Reads a query by the vocabulary of one profile: rarity of its words, and corrections of those that the profile does not have. */
export async function understand(
  database: Pick<Database, 'read'>,
  index: IndexRow,
  query: string,
  k1: number,
): Promise<Understanding> {
  const languages = index.languages.length > 0 ? index.languages : [defaultLanguage];
  const words = [...new Set(wordsOf(query).map(({ text }) => text))].slice(0, wordsMax);
  const readings = words
    .map((word) => ({ word, terms: readingsOf(word, languages) }))
    .filter(({ terms }) => terms.length > 0);
  const asked = [...new Set(readings.flatMap(({ terms }) => terms))];
  if (asked.length === 0) return { terms: [], maxScore: 0, weights: new Map(), languages };
  const rows = await database.read<TermRow>(indexedTerms(index.id, asked));
  const known = new Map(rows.map((row) => [row.term, row]));
  const missing = readings.filter(({ terms }) => !terms.some((term) => known.has(term)));
  const misspelt = missing.filter(({ word }) => mistakesIn(word) > 0 && /^\p{L}+$/u.test(word)).slice(0, correctedMax);
  const comparedMax = Math.floor(termsComparedMax / Math.max(1, misspelt.length));
  const corrections = new Map(
    await Promise.all(
      misspelt.map(
        async ({ word, terms }) =>
          [word, await correctionsOf(database, index.id, terms[0] as string, comparedMax)] as const,
      ),
    ),
  );
  const weights = new Map<string, number>();
  const terms = new Map<string, AskedTerm>();
  let maxScore = 0;
  for (const { word, terms: own } of readings) {
    const found = own.flatMap((term) => known.get(term) ?? []);
    const corrected = found.length > 0 ? [] : (corrections.get(word) ?? []);
    const factor = corrected.length > 0 ? correctionWeight : 1;
    let most = 0;
    for (const { id, term, sections } of [...found, ...corrected]) {
      const weight = factor * rarityOf(sections, index.sections);
      most = Math.max(most, weight);
      if ((weights.get(term) ?? 0) >= weight) continue;
      weights.set(term, weight);
      terms.set(term, { id, weight, sections });
    }
    // A word that no document contains could have been in one: a result without it is less certain.
    maxScore += (k1 + 1) * (most > 0 ? most : rarityOf(1, index.sections));
  }
  return { terms: [...terms.values()], maxScore, weights, languages };
}

/** What a word may be in the documents: its stem in each language that the profile has documents in. */
const readingsOf = (word: string, languages: readonly Language[]): string[] => [
  ...new Set(languages.flatMap((language) => termOf(word, language) ?? [])),
];

/** Inverse document frequency as Lucene has it, always above 0. */
const rarityOf = (sections: number, all: number): number =>
  Math.log(1 + (Math.max(0, all - sections) + 0.5) / (sections + 0.5));

/** The terms of the profile that are nearest to a misspelt one: of the least distance, the most frequent first. */
async function correctionsOf(
  database: Pick<Database, 'read'>,
  indexId: number,
  term: string,
  comparedMax: number,
): Promise<TermRow[]> {
  const most = mistakesIn(term);
  if (most === 0) return [];
  const rows = await database.read<TermRow>(likeTerms(indexId, term, most, comparedMax));
  const near = rows
    .map((row) => ({ row, distance: editDistance(term, row.term, most) }))
    .filter(({ distance }) => distance <= most);
  const least = Math.min(...near.map(({ distance }) => distance));
  return near
    .filter(({ distance }) => distance === least)
    .map(({ row }) => row)
    .sort((a, b) => b.sections - a.sections)
    .slice(0, correctionsMax);
}
