const lengthMax = 1_000;

/** A text of the cluster as owners of agents see it: bounded, on one line, and without addresses of the cluster. */
export const publicText = (text: string): string =>
  text
    .slice(0, lengthMax)
    .toWellFormed()
    .replace(/\s+/g, ' ')
    .replace(/\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(:\d{1,5})?\b/g, '<address>')
    .replace(/\[[0-9a-f:]{2,39}\](:\d{1,5})?/gi, '<address>')
    .trim();
