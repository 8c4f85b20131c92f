import { hash } from 'node:crypto';
import type { Passage } from '../documents/index.ts';
import { bestSentences } from './best-sentences.ts';
import type { Excerpt } from './passage.ts';
import { contentWords, type Span, sentencesOf } from './words.ts';

/** A sentence of an answer that refers to a passage by its number. */
export interface Claim {
  readonly number: number;
  readonly sentence: string;
  /** The words of the passage that it refers to: offsets in the passage. */
  readonly span: Span;
  /** Whether what the sentence puts in quotation marks stands in the passage; true where it quotes nothing. */
  readonly isQuoted: boolean;
}

/** A claim that was compared with the stored text. */
export interface Citation {
  readonly number: number;
  readonly sentence: string;
  readonly documentUuid: string;
  readonly version: number;
  readonly title: string;
  readonly start: number;
  readonly end: number;
  readonly page: number | null;
  /** The words; empty where they could not be verified. */
  readonly text: string;
  /** SHA-256 of the words in UTF-8. */
  readonly hash: Buffer;
  readonly isVerified: boolean;
}

/** Claims of one answer, and characters of a sentence and of the words that it refers to. */
const claimsMax = 50;
const sentenceMax = 1_000;
const citedMax = 600;

/** `[1]`, and `[1, 3]`, with the blank before. */
const marker = /( ?)\[(\d{1,3}(?:, ?\d{1,3}){0,9})\]/g;

/**
 * The claims of a model's answer. Numbers of passages that the model was not given are taken out of the text.
 *
 * @returns The text as it is shown, and its claims in their order.
 */
export function claimsOf(answer: string, passages: readonly Passage[]): { text: string; claims: Claim[] } {
  if (passages.length === 0) return { text: answer, claims: [] };
  const text = answer.replace(marker, (_whole, blank: string, list: string) => {
    const known = numbersIn(list).filter((number) => number >= 1 && number <= passages.length);
    return known.length === 0 ? '' : `${blank}[${known.join(', ')}]`;
  });
  const claims: Claim[] = [];
  for (const { start, end } of sentencesWithMarkers(text)) {
    const whole = text.slice(start, end);
    const numbers = [...new Set([...whole.matchAll(marker)].flatMap(([, , list = '']) => numbersIn(list)))];
    const sentence = whole.replace(marker, '').replace(/\s+/g, ' ').trim().slice(0, sentenceMax);
    for (const number of numbers) {
      const passage = passages[number - 1];
      if (passage && claims.length < claimsMax) claims.push(claimOn(sentence, number, passage));
    }
  }
  return { text, claims };
}

/** Sentences; markers that stand behind a full stop belong to the sentence before them. */
function sentencesWithMarkers(text: string): Span[] {
  const joined: Span[] = [];
  for (const span of sentencesOf(text)) {
    const last = joined.at(-1);
    const piece = text.slice(span.start, span.end);
    const begins = markersBeginning(piece);
    const isSameLine = last !== undefined && !text.slice(last.end, span.start).includes('\n');
    if (begins === '' || !isSameLine) {
      joined.push(span);
      continue;
    }
    joined[joined.length - 1] = { start: last.start, end: span.start + begins.trimEnd().length };
    if (piece.length > begins.length) joined.push({ start: span.start + begins.length, end: span.end });
  }
  return joined;
}

/** The markers at the beginning of a text, with the blank behind each. One after the other: a pattern of all takes seconds to check. */
function markersBeginning(text: string): string {
  const next = /\[\d{1,3}(?:, ?\d{1,3}){0,9}\] ?/y;
  let end = 0;
  while (next.test(text)) end = next.lastIndex;
  return text.slice(0, end);
}

const numbersIn = (list: string): number[] => list.split(',').map(Number);

/** Quotations of at least this many characters are verified. */
const quotationMin = 8;

function claimOn(sentence: string, number: number, { text }: Passage): Claim {
  const quotation = quotationsIn(sentence).find((each) => each.length >= quotationMin);
  const whole: Span = { start: 0, end: text.length };
  if (quotation !== undefined) {
    const start = text.indexOf(quotation);
    if (start >= 0) return { number, sentence, span: { start, end: start + quotation.length }, isQuoted: true };
  }
  const span = text.length <= citedMax ? whole : bestSentences(contentWords(sentence), text, citedMax);
  return { number, sentence, span: span ?? whole, isQuoted: quotation === undefined };
}

const closingMarks: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['“', '”'],
  ['«', '»'],
]);

/** Text between quotation marks. */
function quotationsIn(sentence: string): string[] {
  const found: string[] = [];
  // Marks that are closed no more: looking for the end of each would take quadratic time.
  const open = new Set<string>();
  for (let at = 0; at < sentence.length; at++) {
    const closing = closingMarks.get(sentence[at] as string);
    if (closing === undefined || open.has(closing)) continue;
    const end = sentence.indexOf(closing, at + 1);
    if (end === -1) {
      open.add(closing);
      continue;
    }
    const words = sentence.slice(at + 1, end).trim();
    if (words !== '') found.push(words);
    at = end;
  }
  return found;
}

/**
 * Compares the claims with the stored text: a passage that does not match character by character is not shown, and its
 * claim is marked as unverified.
 */
export async function verified(
  profileUuid: string,
  claims: readonly Claim[],
  passages: readonly Passage[],
  excerpt: Excerpt,
): Promise<Citation[]> {
  const citations: Citation[] = [];
  for (const { number, sentence, span, isQuoted } of claims) {
    const passage = passages[number - 1] as Passage;
    const { documentUuid, version, title, page } = passage;
    const words = passage.text.slice(span.start, span.end);
    const [start, end] = [passage.start + span.start, passage.start + span.end];
    const stored = await excerpt(profileUuid, documentUuid, version, start, end);
    const isVerified = isQuoted && stored === words;
    const cited = { number, sentence, documentUuid, version, title, start, end, page };
    citations.push({
      ...cited,
      text: stored === words ? words : '',
      hash: hash('sha256', words, 'buffer'),
      isVerified,
    });
  }
  return citations;
}
