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

/** What the two legs count. They are measured: docs/decisions/0041-document-search.md. */
const meaningWeight = 0.3;
const wordsWeight = 0.7;

/**
 * The order of passages by words and by meaning. Cosines are stretched over the candidates, because only their differences say something;
 * BM25 is a share of what the words of the query could score, so that it counts little where hardly any of them is found.
 */
export function fuse(candidates: readonly Candidate[]): Ranked[] {
  const cosines = candidates.flatMap(({ cosine }) => cosine ?? []);
  const least = Math.min(...cosines);
  const spread = Math.max(...cosines) - least;
  return candidates
    .map((candidate) => {
      const { cosine, words } = candidate;
      const meaning = cosine === null || spread <= 0 ? 0 : (cosine - least) / spread;
      return { ...candidate, score: Math.min(1, meaningWeight * meaning + wordsWeight * words) };
    })
    .sort((a, b) => b.score - a.score || (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
}
