/** Parts of a result that are read. */
const partsMax = 200;

/**
 * The result of a tool as text for a model: its texts, and a word for each part of another kind. A result without texts is its
 * structured content as JSON.
 */
export function resultText(result: {
  readonly content?: readonly unknown[] | undefined;
  readonly structuredContent?: unknown;
}): string {
  const { content = [], structuredContent } = result;
  const parts = content.slice(0, partsMax).map(partText);
  if (content.length > partsMax) parts.push(`[${content.length - partsMax} more parts were left out]`);
  const text = parts.filter((part) => part !== '').join('\n');
  const whole = text === '' && structuredContent !== undefined ? JSON.stringify(structuredContent) : text;
  return storable(whole === '' ? '[The tool returned nothing]' : whole);
}

/** Text that PostgreSQL and UTF-8 can hold. */
const storable = (text: string): string => text.replaceAll('\u0000', '\ufffd').toWellFormed();

function partText(part: unknown): string {
  if (typeof part !== 'object' || part === null) return '';
  const { type, text, mimeType, resource, uri } = part as Record<string, unknown>;
  if (type === 'text' && typeof text === 'string') return text;
  if (type === 'resource') {
    const inner = (resource ?? {}) as Record<string, unknown>;
    return typeof inner.text === 'string' ? inner.text : kindText('resource', inner.mimeType, inner.uri);
  }
  return kindText(typeof type === 'string' ? type : 'unknown', mimeType, uri);
}

/** The text that replaces a part that is not text. */
const kindText = (...words: unknown[]): string =>
  `[${words
    .filter((word) => typeof word === 'string')
    .map((word) => word.slice(0, 200))
    .join(' ')}]`;
