import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { newStemmer } = require('snowball-stemmers') as {
  newStemmer(algorithm: string): { stem(word: string): string };
};
const stopLists = require('stopword') as Readonly<Record<string, readonly string[]>>;

/** ISO 639-3 of a language that is stemmed. */
export type Language = keyof typeof algorithms;

const algorithms = {
  eng: 'english',
  deu: 'german',
  fra: 'french',
  spa: 'spanish',
  ita: 'italian',
  por: 'portuguese',
  nld: 'dutch',
  swe: 'swedish',
  dan: 'danish',
  nob: 'norwegian',
  fin: 'finnish',
  rus: 'russian',
} as const;

const languages = Object.keys(algorithms) as Language[];

/** The assumed language of a text that is too short, or in none of the languages. */
export const defaultLanguage: Language = 'eng';

/** Words of English that say nothing of a subject, beside those of the list: of questions, and auxiliary verbs. */
const moreEnglish =
  'am as being can cannot does doing done down during few further having hers herself himself how itself let may me might mine more most must myself no nor not off once ought ours ourselves own same shall she so than theirs themselves then there until us very whom whose why will yet you yours yourself yourselves don didn doesn isn wasn aren weren won wouldn couldn shouldn hasn haven hadn ll ve re'.split(
    ' ',
  );
/** Words of the list that distinguish passages: verbs and quantities. */
const telling = new Set([
  'came',
  'come',
  'make',
  'take',
  'like',
  'well',
  'way',
  'over',
  'under',
  'out',
  'before',
  'after',
]);

const stopWords = new Map<Language, ReadonlySet<string>>(
  languages.map((language) => {
    const listed = (stopLists[language] ?? []).flatMap((word) => [word, folded(word)]);
    return [
      language,
      new Set(language === 'eng' ? [...listed.filter((word) => !telling.has(word)), ...moreEnglish] : listed),
    ];
  }),
);

/** Words whose stem is remembered, per language. */
const rememberedMax = 50_000;
const stemmers = new Map(
  languages.map((language) => [
    language,
    { stemmer: newStemmer(algorithms[language]), stems: new Map<string, string>() },
  ]),
);

/** Characters without their accents. */
export function folded(word: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
  return /^[\u0000-\u007f]*$/.test(word)
    ? word
    : word
        .normalize('NFD')
        .replace(/\p{Mn}+/gu, '')
        .normalize('NFC');
}

export const isStopWord = (word: string, language: Language): boolean => stopWords.get(language)?.has(word) === true;

/** The stem of a word in lower case, without accents. */
export function stemOf(word: string, language: Language): string {
  const { stemmer, stems } = stemmers.get(language) as {
    stemmer: { stem(word: string): string };
    stems: Map<string, string>;
  };
  const known = stems.get(word);
  if (known !== undefined) return known;
  const stem = folded(stemmer.stem(word)) || word;
  if (stems.size >= rememberedMax) stems.clear();
  stems.set(word, stem);
  return stem;
}

/** Words that the guess looks at. */
const guessedFrom = 2_000;
/** Share of words that are stop words of a language, in ordinary prose of it 0.4 and more. */
const shareMin = 0.15;
/** A language is preferred to the default one only when it explains so many times as many words. */
const lead = 1.3;

/** The language of a text, by its stop words. @param words In lower case. */
export function languageOf(words: readonly string[]): Language {
  const looked = words.slice(0, guessedFrom);
  const count = (language: Language) => looked.reduce((sum, word) => sum + (isStopWord(word, language) ? 1 : 0), 0);
  const counts = languages.map((language) => ({ language, count: count(language) }));
  const best = counts.reduce((a, b) => (b.count > a.count ? b : a));
  const ofDefault = counts.find(({ language }) => language === defaultLanguage)?.count ?? 0;
  return best.count >= looked.length * shareMin && best.count > ofDefault * lead ? best.language : defaultLanguage;
}
