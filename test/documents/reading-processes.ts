import { readdirSync, readFileSync } from 'node:fs';

/** The ids of the processes that read documents for this one. Linux alone says so. */
export function readingProcesses(parent = process.pid): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const parentOf = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1];
        return (
          Number(parentOf) === parent && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('reading-process.ts')
        );
      } catch {
        // It has ended meanwhile.
        return false;
      }
    });
}
