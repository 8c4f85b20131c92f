/** How a process ended, as its parent sees it. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The end of its standard error. */
  readonly stderr: string;
}

/** What a process whose event loop is blocked for too long says before it is killed. */
export const hungSentence = (seconds: number): string => `Hung: the event loop was blocked for ${seconds} s`;

const hungStart = 'Hung: ';

/** Why a process ended, for the log: memory and hangs by their own words, else the signal or the exit code with its last line. */
export function reasonOf({ code, signal, stderr }: Ending): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  const hung = lines.findLast((line) => line.startsWith(hungStart));
  if (hung && signal === 'SIGKILL') return hung;
  // V8's own words; a stack of native frames follows them.
  if (stderr.includes('JavaScript heap out of memory')) return 'Out of memory: the JavaScript heap reached its limit';
  const last = lines.at(-1);
  const how = signal === null ? `Exit code ${code}` : `Signal ${signal}`;
  if (signal === 'SIGKILL') return `${how}: from outside, or from the kernel because memory ran out`;
  return last === undefined ? how : `${how}: ${last.slice(0, 300)}`;
}
