import path from 'node:path';

/** A path as it is shortest to type from the working directory. */
export function shownPath(file: string): string {
  const relative = path.relative(process.cwd(), file);
  return relative !== '' && !relative.startsWith('..') ? relative : file;
}
