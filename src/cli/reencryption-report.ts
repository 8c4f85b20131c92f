import type { KeyUse, ReencryptionOutcome } from '../platform/security/reencryption.ts';

/** The report for the operator, and whether the first key now seals every secret. */
export interface ReencryptionReport {
  readonly lines: readonly string[];
  readonly isComplete: boolean;
}

/**
 * Says which keys still seal how many secrets, and which are needed no more. Shows counts, columns and key ids alone.
 *
 * @param keyIds Of ENCRYPTION_KEYS, in their order.
 */
export function reencryptionReport(outcome: ReencryptionOutcome, keyIds: readonly string[]): ReencryptionReport {
  const { reencrypted, unopened, uses } = outcome;
  const [current = '', ...older] = keyIds;
  const missing = [...new Set(uses.map(({ keyId }) => keyId))].filter((id) => id !== '' && !keyIds.includes(id));
  const malformed = usesOf(uses, '');
  const lines = [
    `${counted(reencrypted)} re-encrypted with the key ${current}.`,
    `${current} seals ${counted(sumOf(usesOf(uses, current)))}.`,
    ...older.map((id) => {
      const left = usesOf(uses, id);
      return left.length === 0
        ? `${id} seals none: it can be taken out of ENCRYPTION_KEYS once ${current} is the first key of every process.`
        : `${id} still seals ${counted(sumOf(left))}: ${placesOf(left)}.`;
    }),
    ...missing.toSorted().map((id) => {
      const left = usesOf(uses, id);
      return `${id} is not in ENCRYPTION_KEYS and seals ${counted(sumOf(left))}, which cannot be opened: ${placesOf(left)}.`;
    }),
    ...[...unopened].map(
      ([column, count]) =>
        `${column}: ${counted(count)} cannot be opened although the key is there; each was changed, or belongs to another row.`,
    ),
    ...(malformed.length === 0 ? [] : [`Not in the form of a sealed secret: ${placesOf(malformed)}.`]),
  ];
  return { lines, isComplete: uses.every(({ keyId }) => keyId === current) };
}

const usesOf = (uses: readonly KeyUse[], id: string) => uses.filter(({ keyId }) => keyId === id);
const sumOf = (uses: readonly KeyUse[]) => uses.reduce((sum, { count }) => sum + count, 0);
const placesOf = (uses: readonly KeyUse[]) => uses.map(({ column, count }) => `${column} ${digits(count)}`).join(', ');
const counted = (count: number) => `${digits(count)} ${count === 1 ? 'secret' : 'secrets'}`;

/** 12345 as `12 345`. */
export const digits = (count: number): string => new Intl.NumberFormat('en').format(count).replaceAll(',', ' ');
