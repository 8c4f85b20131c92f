/**
 * The mistake in JSON that is stored as it came, as a sentence; null for none. NUL and lone surrogates cannot be
 * stored, in keys either, and a number beyond the range of JSON (`1e999` arrives as infinity) would be returned as
 * null.
 *
 * @param field Begins the sentence.
 * @param bounds.bytesMax Bytes as JSON in UTF-8; a multiple of 1024.
 * @param bounds.depthMax Objects and lists within one another, the outermost counted.
 */
export function jsonFault(
  field: string,
  json: object,
  { bytesMax, depthMax }: { bytesMax: number; depthMax: number },
): string | null {
  const tooLong = `${field} must be at most ${bytesMax / 1_024} kB of JSON`;
  const unstorable = `${field} must not contain NUL characters and must be well-formed Unicode`;
  // With an explicit stack, and before serialization: recursion would overflow the call stack.
  const left: [value: unknown, depth: number][] = [[json, 1]];
  let bytes = 0;
  for (let next = left.pop(); next; next = left.pop()) {
    const [value, depth] = next;
    if (typeof value === 'string' && !isStorable(value)) return unstorable;
    if (typeof value === 'number' && !Number.isFinite(value)) return `${field} must not contain numbers beyond 1.8e308`;
    if (typeof value !== 'object' || value === null) continue;
    if (depth > depthMax) return `${field} must be at most ${depthMax} levels deep`;
    // A member takes at least five bytes of JSON (`"":0,`), an element two. Counting first keeps the search below cheap.
    bytes += Array.isArray(value) ? 2 * value.length : 5 * Object.keys(value).length;
    if (bytes > bytesMax) return tooLong;
    for (const [key, inner] of Object.entries(value)) {
      if (!isStorable(key)) return unstorable;
      left.push([inner, depth + 1]);
    }
  }
  return Buffer.byteLength(JSON.stringify(json)) > bytesMax ? tooLong : null;
}

const isStorable = (text: string) => !text.includes('\u0000') && text.isWellFormed();
