/** Source: Semantic Versioning 2.0.0. */
const semver =
  /^v?(0|[1-9]\d{0,15})\.(0|[1-9]\d{0,15})\.(0|[1-9]\d{0,15})(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z.-]+)?$/;

export interface Dated {
  readonly version: string;
  readonly publishedAt: Date;
}

/**
 * The order of a server's versions, the older first. Semantic versions are ordered as such and are newer than others; others by
 * the time of their publication.
 *
 * @see The official registry, "Version ordering"
 */
export function compareVersions(a: Dated, b: Dated): number {
  const [left, right] = [semver.exec(a.version), semver.exec(b.version)];
  if (left && right) return compareSemver(left, right) || byTime(a, b);
  if (left || right) return left ? 1 : -1;
  return byTime(a, b);
}

const byTime = (a: Dated, b: Dated) =>
  a.publishedAt.getTime() - b.publishedAt.getTime() || (a.version < b.version ? -1 : 1);

function compareSemver(a: RegExpExecArray, b: RegExpExecArray): number {
  for (const place of [1, 2, 3]) {
    const difference = Number(a[place]) - Number(b[place]);
    if (difference !== 0) return difference;
  }
  const [left, right] = [a[4], b[4]];
  if (left === undefined || right === undefined) return left === right ? 0 : left === undefined ? 1 : -1;
  return comparePrereleases(left.split('.'), right.split('.'));
}

/** Source: Semantic Versioning 2.0.0, 11.4. */
function comparePrereleases(left: readonly string[], right: readonly string[]): number {
  for (const [place, one] of left.entries()) {
    const other = right[place];
    if (other === undefined) return 1;
    if (one === other) continue;
    const [isNumber, isOtherNumber] = [one, other].map((part) => /^\d+$/.test(part));
    if (isNumber && isOtherNumber) return Number(one) - Number(other) || (one < other ? -1 : 1);
    if (isNumber || isOtherNumber) return isNumber ? -1 : 1;
    return one < other ? -1 : 1;
  }
  return left.length - right.length;
}

/** The newest of a server's versions: of those that are not deleted, where there is one. */
export function latestOf<Version extends Dated & { readonly status: string }>(
  versions: readonly Version[],
): Version | undefined {
  const living = versions.filter(({ status }) => status !== 'deleted');
  return (living.length > 0 ? living : [...versions]).toSorted(compareVersions).at(-1);
}
