import type { Writable } from 'node:stream';

/** The progress of a long task. */
export interface Progress {
  /** @param done Of the total. @param text The result so far. */
  show(done: number, text: string): void;
  /** A separate line above the bar. */
  say(text: string): void;
  end(): void;
}

const barWidth = 30;
/** On a terminal the bar is drawn ten times a second; elsewhere a line comes every ten seconds. */
const [barEveryMs, lineEveryMs] = [100, 10_000];

/**
 * A bar on a terminal, plain lines elsewhere.
 *
 * @param total What there is to do, such as the bytes of a file.
 * @param now Milliseconds, of any clock that goes on.
 */
export function createProgress(
  out: Writable & { isTTY?: boolean; columns?: number },
  total: number,
  now: () => number,
): Progress {
  const isTerminal = out.isTTY === true;
  let shownAt = Number.NEGATIVE_INFINITY;
  let last = '';

  const draw = () => out.write(`\r\u001b[K${last.slice(0, (out.columns ?? 80) - 1)}`);

  return {
    show(done, text) {
      const share = total === 0 ? 1 : Math.min(1, done / total);
      const full = Math.round(share * barWidth);
      last = `[${'█'.repeat(full)}${'░'.repeat(barWidth - full)}] ${Math.floor(share * 100)} %  ${text}`;
      if (now() - shownAt < (isTerminal ? barEveryMs : lineEveryMs)) return;
      shownAt = now();
      if (isTerminal) draw();
      else out.write(`${Math.floor(share * 100)} %  ${text}\n`);
    },
    say(text) {
      out.write(isTerminal ? `\r\u001b[K${text}\n` : `${text}\n`);
      if (isTerminal && last) draw();
    },
    end() {
      if (isTerminal && last) out.write('\r\u001b[K');
    },
  };
}
