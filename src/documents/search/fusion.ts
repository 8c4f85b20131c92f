/** A passage that may answer a query. */
export interface Candidate {
  readonly id: string;
  readonly documentUuid: string;
  readonly versionId: string;
  readonly section: number;
  /** Cosine of its vector and that of the query; null where one of them is missing. */
  readonly cosine: number | null;
  /** BM25 of its section, as a share of the most that any section could have: 0 to 1. */
  readonly words: number;
}

export interface Ranked extends Candidate {
  /** 0 to 1. */
  readonly score: number;
}

/**
 * What meaning counts, from 0 to 1; words count the rest. It depends on how much of the query the best section has in words: a question in
 * other words than its answer meets only chance words, and is left to meaning. Measured: docs/decisions/0041-document-search.md.
 */
const meaningWeight = { withWords: 0.3, withoutWords: 0.95 } as const;
/** Shares of the best section by words between which the weight moves. */
const fewWords = 0.2;
const enoughWords = 0.35;
/** Cosines are stretched between the best and the one at this place: what is behind is equally far away. */
const stretchedPlaces = 100;

/**
 * The order of passages by words and by meaning. Cosines are stretched over the best candidates, because only their differences say
 * something; BM25 is a share of what the words of the query could score.
 */
export function fuse(candidates: readonly Candidate[]): Ranked[] {
  const cosines = candidates.flatMap(({ cosine }) => cosine ?? []).sort((a, b) => b - a);
  const best = cosines[0] ?? 0;
  const spread = best - (cosines[Math.min(stretchedPlaces, cosines.length) - 1] ?? best);
  const meaning = spread > 0 ? meaningWeightOf(candidates) : cosines.length > 0 ? meaningWeight.withWords : 0;
  return candidates
    .map((candidate) => {
      const { cosine, words } = candidate;
      const near = cosine === null ? 0 : spread > 0 ? Math.max(0, 1 - (best - cosine) / spread) : 1;
      return { ...candidate, score: Math.min(1, meaning * near + (1 - meaning) * words) };
    })
    .sort((a, b) => b.score - a.score || (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
}

function meaningWeightOf(candidates: readonly Candidate[]): number {
  const share = candidates.reduce((most, { words }) => Math.max(most, words), 0);
  const certainty = Math.min(1, Math.max(0, (share - fewWords) / (enoughWords - fewWords)));
  return meaningWeight.withoutWords + certainty * (meaningWeight.withWords - meaningWeight.withoutWords);
}
