import { labelledQueries } from '../test/search/labels.ts';
import { invented, randomOf } from './search-data.ts';

/** The searches by kind: query strings of GET /api/search without the first mark. */
export type SearchKind = keyof typeof kinds;

const pick = <Item>(random: () => number, list: readonly Item[]): Item =>
  list[Math.floor(random() * list.length)] as Item;
/** A word that few servers have, or none. */
const rare = (random: () => number) => invented(Math.floor(20 * 10_000 ** random()));
const common = [
  'server',
  'data',
  'tools',
  'api',
  'model',
  'context',
  'search',
  'access',
  'ai',
  'code',
  'the',
  'google',
  'file',
];
const labelled = labelledQueries.map(({ query }) => query);
/** Two letters swapped. */
const misspelt = (word: string) => `${word.slice(0, 2)}${word[3] ?? ''}${word[2] ?? ''}${word.slice(4)}`;
const q = (text: string) => `q=${encodeURIComponent(text)}`;

const kinds = {
  'what people look for': (random: () => number) => q(pick(random, labelled)),
  'common words': (random: () => number) => q(`${pick(random, common)} ${pick(random, common)}`),
  'one common word': (random: () => number) => q(pick(random, common)),
  'a rare word': (random: () => number) => q(rare(random)),
  'a rare and a common word': (random: () => number) => q(`${rare(random)} ${pick(random, common)}`),
  'a misspelt rare word': (random: () => number) => q(misspelt(rare(random))),
  'a misspelt sentence': (random: () => number) =>
    q(`${misspelt(pick(random, labelled))} ${misspelt(rare(random))} ${misspelt(pick(random, common))}`),
  'two letters': (random: () => number) => q(rare(random).slice(0, 2)),
  'twelve words': (random: () => number) =>
    q(Array.from({ length: 12 }, () => (random() < 0.5 ? pick(random, common) : rare(random))).join(' ')),
  'words and filters': (random: () => number) =>
    `${q(pick(random, labelled))}&package=${pick(random, ['npm', 'pypi', 'docker'])}&source=${pick(random, ['registry', 'community'])}`,
  'words, newest first': (random: () => number) => `${q(pick(random, [...common, ...labelled]))}&sort=recent`,
  'words, popular first': (random: () => number) => `${q(pick(random, [...common, ...labelled]))}&sort=popular`,
  'words, far behind': (random: () => number) =>
    `${q(pick(random, common))}&offset=${900 + Math.floor(random() * 100)}`,
  'all, popular first': (random: () => number) => `q=&sort=popular&offset=${20 * Math.floor(random() * 5)}`,
  'all, newest first': (random: () => number) => `q=&sort=recent&package=${pick(random, ['npm', 'pypi', 'docker'])}`,
  'all, far behind': (random: () => number) =>
    `q=&sort=${pick(random, ['recent', 'popular'])}&offset=${9_000 + Math.floor(random() * 1_000)}`,
  'a repository': (random: () => number) => `q=&repository=${encodeURIComponent(`github.com/${rare(random)}`)}`,
  'a host of repositories': () => 'q=&repository=github.com',
} as const;

/** So many searches of each kind, the same in every run. */
export function searchMix(each: number): ReadonlyMap<SearchKind, readonly string[]> {
  const random = randomOf(1);
  return new Map(
    Object.entries(kinds).map(([kind, make]) => [kind as SearchKind, Array.from({ length: each }, () => make(random))]),
  );
}
