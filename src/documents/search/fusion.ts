/** A passage that may answer a query. */
export interface Candidate {
  readonly id: string;
  readonly documentUuid: string;
  readonly versionId: string;
  readonly section: number;
  /** Cosine of its vector and that of the query, and the model of both; null where one of them is missing. */
  readonly cosine: number | null;
  readonly modelId: number | null;
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
/** Cosines are scaled between the best one and the one at this place; all later ones count as equally distant. */
const stretchedPlaces = 100;

/**
 * The order of passages by words and by meaning. Cosines are stretched over the best candidates, because only their differences say
 * something; BM25 is a share of what the words of the query could score.
 */
export function fuse(candidates: readonly Candidate[]): Ranked[] {
  const ranges = rangesOf(candidates);
  const meaning = ranges.size > 0 ? meaningWeightOf(candidates) : 0;
  return candidates
    .map((candidate) => {
      const { cosine, modelId, words } = candidate;
      const range = modelId === null ? undefined : ranges.get(modelId);
      const near = cosine === null || !range ? 0 : Math.max(0, 1 - (range.best - cosine) / range.spread);
      return { ...candidate, score: Math.min(1, meaning * near + (1 - meaning) * words) };
    })
    .sort((a, b) => b.score - a.score || (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
}

/** Where one passage alone has a vector, or all are equally near. */
const spreadMin = 1e-6;

/** How far the cosines of each model go: those of different models do not compare. */
function rangesOf(candidates: readonly Candidate[]): ReadonlyMap<number, { best: number; spread: number }> {
  const cosines = new Map<number, number[]>();
  for (const { modelId, cosine } of candidates) {
    if (modelId === null || cosine === null) continue;
    const known = cosines.get(modelId);
    if (known) known.push(cosine);
    else cosines.set(modelId, [cosine]);
  }
  return new Map(
    [...cosines].map(([modelId, all]) => {
      const sorted = all.sort((a, b) => b - a);
      const best = sorted[0] as number;
      const last = sorted[Math.min(stretchedPlaces, sorted.length) - 1] as number;
      return [modelId, { best, spread: Math.max(spreadMin, best - last) }];
    }),
  );
}

function meaningWeightOf(candidates: readonly Candidate[]): number {
  const share = candidates.reduce((most, { words }) => Math.max(most, words), 0);
  const certainty = Math.min(1, Math.max(0, (share - fewWords) / (enoughWords - fewWords)));
  return meaningWeight.withoutWords + certainty * (meaningWeight.withWords - meaningWeight.withoutWords);
}
