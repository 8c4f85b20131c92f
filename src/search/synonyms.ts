/**
 * Synonyms in searches for software. A word also finds the others of its group, with a lower weight. Single words in
 * lower case; each is in one group.
 */
const groups = [
  'postgres postgresql psql pg',
  'k8s kubernetes kubectl',
  'db database databases',
  'repo repository repositories',
  'docs documentation documents',
  'js javascript',
  'ts typescript',
  'gcp googlecloud',
  'email mail emails inbox',
  'photo image picture images',
  'calendar schedule scheduling events',
  'spreadsheet excel xlsx sheets',
  'crypto cryptocurrency cryptocurrencies bitcoin',
  'stock stocks equities',
  'todo task tasks',
  'chat messaging messages',
  'browser browsing chrome',
  'scrape scraping crawl crawling scraper crawler',
  'file files filesystem',
  'ml machinelearning',
  'vm virtualmachine',
  'auth authentication',
  'diagram diagrams flowchart',
  'paper papers',
  'music songs playlist',
  'weather forecast',
  'translate translation translator',
  'monitor monitoring observability',
  'payment payments billing',
  'elasticsearch opensearch',
  'maps map geocoding',
  'terminal shell bash',
  'mongo mongodb',
  'tweet tweets twitter',
  'note notes',
  'test testing tests',
  'video videos',
  'voice speech tts',
  'research researcher',
];

const groupOf = new Map(
  groups.flatMap((group) => {
    const words = group.split(' ');
    return words.map((word) => [word, words.filter((other) => other !== word)] as const);
  }),
);

export const synonymsOf = (word: string): readonly string[] => groupOf.get(word) ?? [];

/** All words that stand for another one. */
export const synonyms: readonly string[] = [...groupOf.keys()];
