/** Bytes of the metadata as JSON in UTF-8. */
const bytesMax = 16_384;
/** Objects and lists within one another, the outermost counted. */
const depthMax = 16;

/**
 * What is wrong with metadata, in a sentence; null for nothing. What is stored must come back as it came: so no NUL and no
 * lone surrogate, in keys either, and no number beyond what JSON can say (`1e999` arrives as infinity and would leave as null).
 */
export function metadataFault(metadata: object): string | null {
  // By a list of what is left to see, and before it is written out: a call for each step down would end the stack.
  const left: [value: unknown, depth: number][] = [[metadata, 1]];
  for (let next = left.pop(); next; next = left.pop()) {
    const [value, depth] = next;
    if (typeof value === 'string' && !isStorable(value)) return unstorable;
    if (typeof value === 'number' && !Number.isFinite(value)) return 'metadata must not contain numbers beyond 1.8e308';
    if (typeof value !== 'object' || value === null) continue;
    if (depth > depthMax) return `metadata must be at most ${depthMax} levels deep`;
    for (const [key, inner] of Object.entries(value)) {
      if (!isStorable(key)) return unstorable;
      left.push([inner, depth + 1]);
    }
  }
  return Buffer.byteLength(JSON.stringify(metadata)) > bytesMax ? 'metadata must be at most 16 kB of JSON' : null;
}

const unstorable = 'metadata must not contain NUL characters and must be well-formed Unicode';

const isStorable = (text: string) => !text.includes('\u0000') && text.isWellFormed();
