import { editDistance, mistakesIn } from '../platform/edit-distance.ts';
import { synonymsOf } from './synonyms.ts';

/** What the vocabulary says of a search's words (the function search_understand). */
export interface Reading {
  /** Which word of the search, from 1. */
  readonly place: number;
  readonly kind: 'token' | 'begins' | 'like';
  readonly word: string;
  /** As documents hold it; null for words that none holds, such as "the". */
  readonly lexeme: string | null;
  /** How many of the popular servers have it; null: no server has it. */
  readonly documents: number | null;
  /** How much it looks like the word that was given, 0 to 1. */
  readonly likeness: number;
  /** How many servers there are. */
  readonly servers: number;
}

/** The queries of the index, in PostgreSQL's syntax. */
export interface SearchPlan {
  /** What a server should have. */
  readonly strict: string;
  /** The next query if few servers match, in this order. Each leaves out earlier results. */
  readonly relaxed: readonly string[];
  /** What each word may be read as, with how much it counts; the sum of what words themselves count is 1. */
  readonly words: readonly string[];
  readonly weights: readonly number[];
  /** All words, as the names of servers are compared. */
  readonly key: string;
}

/** Words that most servers have in their names and that do not distinguish them. */
const noise = new Set(['mcp', 'server', 'servers']);
/** Words that are searched at once; of longer searches the rarest. */
const wordsMax = 8;
const correctionsMax = 4;
/** Characters of words that are searched as one. */
const joinedMax = 64;
/** The weight of other readings of a word, relative to the word itself. */
const beginningWeight = 0.6;
const synonymWeight = 0.5;
const correctionWeight = 0.8;
/** Servers that the vocabulary is counted over, at most. */
const countedMax = 10_000;
/** Similarity from which a word counts as a misspelling, if no known word is close enough by its characters. */
const likenessMin = 0.5;

interface Weighted {
  readonly query: string;
  readonly weight: number;
}

interface Word {
  readonly own: Weighted;
  readonly others: readonly Weighted[];
  /** The fewer servers have it, the higher its weight. */
  readonly rarity: number;
}

/**
 * Turns words into queries of the index.
 *
 * @param filters Lexemes that a server must have besides, such as `package=npm`.
 * @param lexemeOf Synonyms as documents hold them.
 * @returns null where there is nothing that a server could be found by.
 */
export function planOf(
  readings: readonly Reading[],
  filters: readonly string[],
  lexemeOf: ReadonlyMap<string, string>,
): SearchPlan | null {
  const tokens = readings.filter(({ kind }) => kind === 'token');
  const only = filters.map(quoted);
  // A search by repository alone finds all its servers; words without meaning find nothing.
  if (readings.length === 0)
    return only.length === 0 ? null : { strict: only.join(' & '), relaxed: [], words: [], weights: [], key: '' };
  const meant = tokens.some(isTelling) ? tokens.filter(isTelling) : tokens;
  const words = meant
    .map((token) => wordOf(token, readings, lexemeOf))
    .sort((a, b) => b.rarity - a.rarity)
    .slice(0, wordsMax);
  const limited = (query: string) => [...only, query].join(' & ');
  const readingsOf = ({ own, others }: Word) => `(${[own, ...others].map(({ query }) => query).join(' | ')})`;
  const all = words.map(readingsOf).join(' & ');
  // `play wright` is found as `playwright`, too.
  const joined = tokens.map(({ word }) => word).join('');
  const isJoined = tokens.length > 1 && joined.length <= joinedMax;
  const strict = isJoined ? `(${all}) | ${quoted(joined)}` : all;
  const sum = words.reduce((total, { rarity }) => total + rarity, 0);
  return {
    strict: limited(`(${strict})`),
    relaxed: stagesOf(words.map(readingsOf), strict).map(limited),
    words: [
      ...words.flatMap(({ own, others }) => [own, ...others].map(({ query }) => query)),
      ...(isJoined ? [quoted(joined)] : []),
    ],
    weights: [
      ...words.flatMap(({ rarity, own, others }) => [own, ...others].map(({ weight }) => (weight * rarity) / sum)),
      ...(isJoined ? [1] : []),
    ],
    key: tokens.map(({ word }) => word).join(' '),
  };
}

const isTelling = ({ word, lexeme }: Reading): boolean => lexeme !== null && !noise.has(word);

function wordOf(token: Reading, readings: readonly Reading[], lexemeOf: ReadonlyMap<string, string>): Word {
  const here = readings.filter(({ place }) => place === token.place);
  const corrections = token.documents === null ? correctionsOf(token.word, here) : [];
  const beginnings = here.filter(({ kind }) => kind === 'begins');
  const most = Math.max(1, ...[...corrections, ...beginnings].map(({ documents }) => documents ?? 1));
  const synonyms = [token.word, ...corrections.map(({ word }) => word)]
    .flatMap(synonymsOf)
    .map((word) => ({ word, lexeme: lexemeOf.get(word) ?? null }));
  const others = [
    ...corrections.map((one) => either([one], (correctionWeight * (1 + (one.documents ?? 1) / most)) / 2)),
    // A complete word may be meant exactly.
    either(beginnings, token.documents === null ? beginningWeight : beginningWeight / 2),
    either(synonyms, synonymWeight),
  ];
  return {
    own: either([{ ...token, lexeme: token.lexeme ?? token.word }], 1) as Weighted,
    others: others.filter((other) => other !== null),
    rarity: Math.log(1 + Math.min(countedMax, Math.max(token.servers, most)) / (token.documents ?? most)),
  };
}

/**
 * Any of some words, as descriptions hold them or as parts of names do. ts_rank divides what one of several counts by how many
 * there are, below the root that is taken of it; here a word counts as if it were asked for alone.
 */
function either(words: readonly Pick<Reading, 'word' | 'lexeme'>[], weight: number): Weighted | null {
  const terms = new Set(words.flatMap(({ word, lexeme }) => (lexeme === null ? [] : [lexeme, word])));
  if (terms.size === 0) return null;
  return { query: `(${[...terms].map(quoted).join(' | ')})`, weight: weight * Math.sqrt(words.length) };
}

/** The known words that are nearest to one that no server has: of the least distance, the most frequent first. */
function correctionsOf(word: string, here: readonly Reading[]): Reading[] {
  const most = mistakesIn(word);
  const near = here
    .filter(({ kind }) => kind === 'like')
    .map((reading) => ({ reading, distance: editDistance(word, reading.word, most) }))
    .filter(({ distance }) => distance <= most);
  const least = Math.min(...near.map(({ distance }) => distance));
  const nearest = near.filter(({ distance }) => distance === least).map(({ reading }) => reading);
  const likest = here
    .filter(({ kind, likeness }) => kind === 'like' && likeness >= likenessMin)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, 1);
  return (nearest.length > 0 ? nearest : likest)
    .sort((a, b) => (b.documents ?? 0) - (a.documents ?? 0))
    .slice(0, correctionsMax);
}

/**
 * Of words in the order of their rarity: all but the most common one, then all but two, down to the rarest alone; then the
 * others, each alone.
 */
function stagesOf(words: readonly string[], strict: string): string[] {
  const stages: string[] = [];
  for (let count = words.length - 1; count > 0; count--) stages.push(words.slice(0, count).join(' & '));
  stages.push(...words.slice(1));
  // Servers with all of the rarer words were found by the earlier query.
  return stages.map((stage, index) => {
    const before =
      index === 0
        ? strict
        : index < words.length - 1
          ? stages[index - 1]
          : stages.slice(words.length - 2, index).join(' | ');
    return `(${stage}) & !(${[strict, before].join(') & !(')})`;
  });
}

/** A lexeme as PostgreSQL's queries quote it. */
const quoted = (lexeme: string): string => `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
