const wordsLengthMax = 48;

/**
 * What names a server in addresses: the words of its name, and the beginning of its uuid. Never the words alone: a name that
 * is taken would tell of a private server that has it.
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
