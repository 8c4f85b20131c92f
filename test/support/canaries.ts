/** Secrets by what they are, to be looked for where they must not stand. */
export type Canaries = ReadonlyMap<string, string>;

/** What a secret looks like after one of the usual transformations. */
const forms: Record<string, (secret: string) => string> = {
  plain: (secret) => secret,
  base64: (secret) => Buffer.from(secret).toString('base64').replace(/=+$/, '').slice(0, -1),
  base64url: (secret) => Buffer.from(secret).toString('base64url').slice(0, -1),
  hex: (secret) => Buffer.from(secret).toString('hex'),
  'percent-encoded': (secret) => encodeURIComponent(secret),
};

/**
 * Which secrets stand in which texts.
 *
 * @param mayHold Places where a secret belongs: the clipboard's table holds values, and the answer to who reads one.
 * @returns `<secret> in <place>` for each, with what stands around it.
 */
export function hitsIn(
  places: Iterable<readonly [place: string, text: string]>,
  canaries: Canaries,
  mayHold: (secret: string, place: string) => boolean = () => false,
): string[] {
  const hits: string[] = [];
  for (const [place, text] of places)
    for (const [name, secret] of canaries) {
      if (mayHold(name, place)) continue;
      for (const [form, formOf] of Object.entries(forms)) {
        const at = text.indexOf(formOf(secret));
        if (at === -1) continue;
        hits.push(`${name} (${form}) in ${place}: ${text.slice(Math.max(at - 80, 0), at + 120)}`);
        break;
      }
    }
  return hits;
}
