const wordsLengthMax = 48;

/**
 * The URL slug of a server: the words of its name and the beginning of its uuid. The words alone would reveal, through
 * a name that is taken, that a private server has it.
 */
export function slugOf(name: string, uuid: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, wordsLengthMax)
    .replace(/^-|-$/g, '');
  return `${words || 'server'}-${uuid.slice(0, 8)}`;
}
