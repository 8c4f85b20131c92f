/**
 * Kubernetes quantities, read exactly: a subset of what Kubernetes accepts, so that each value has one reading. Exponents (`1e9`),
 * signs, milli-bytes, and values that are not a whole number of the smallest unit are refused.
 *
 * @see https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */
const cpuPattern = /^(\d{1,9})(?:\.(\d{1,3})|(m))?$/;
const memoryPattern = /^(\d{1,15})(?:\.(\d{1,3}))?(k|M|G|T|Ki|Mi|Gi|Ti)?$/;

const factors: Readonly<Record<string, bigint>> = {
  k: 1_000n,
  M: 1_000_000n,
  G: 1_000_000_000n,
  T: 1_000_000_000_000n,
  Ki: 1n << 10n,
  Mi: 1n << 20n,
  Gi: 1n << 30n,
  Ti: 1n << 40n,
};

/**
 * Parses an amount of CPU, such as `100m`, `0.5` or `2`.
 *
 * @returns Thousandths of a core, at least 1; null for any other text.
 */
export function millicoresOf(text: string): bigint | null {
  const [, whole, fraction = '', milli] = cpuPattern.exec(text) ?? [];
  if (whole === undefined) return null;
  const millicores = milli ? BigInt(whole) : BigInt(whole) * 1_000n + BigInt(fraction.padEnd(3, '0'));
  return millicores > 0n ? millicores : null;
}

/**
 * Parses an amount of memory, such as `256Mi`, `1.5Gi` or `1000000`.
 *
 * @returns Bytes, at least 1; null for any other text.
 */
export function bytesOf(text: string): bigint | null {
  const [, whole, fraction = '', suffix] = memoryPattern.exec(text) ?? [];
  if (whole === undefined) return null;
  const thousandths =
    (BigInt(whole) * 1_000n + BigInt(fraction.padEnd(3, '0'))) * (suffix ? (factors[suffix] ?? 1n) : 1n);
  return thousandths > 0n && thousandths % 1_000n === 0n ? thousandths / 1_000n : null;
}
