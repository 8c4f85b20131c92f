import type { Events } from '../platform/messaging/events.ts';
import type { Platform } from '../platform/platform.ts';
import { channelOf } from './follow.ts';
import type { Usage } from './models.ts';
import * as statements from './statements.ts';

/** An answer that a worker of this process writes. */
export interface Claimed {
  readonly messageUuid: string;
  readonly sessionUuid: string;
  /** Proves that the answer is still this worker's. */
  readonly claim: string;
}

/** Pieces that come within so many milliseconds, or until they have so many characters, are one part. */
const gatherMs = 80;
const gatherCharacters = 400;
/** Of one part: who follows an answer gets it in messages of a moderate size. */
const partCharactersMax = 8_000;

export type PartWriter = ReturnType<typeof createPartWriter>;

/**
 * Stores an answer as it is written, in numbered parts, and signals each to its followers.
 *
 * @param options.onLost Is called when another worker has the answer, because it was deleted or counted as lost.
 * @param options.onAbort Is called when an abort was requested, also in another process.
 */
export function createPartWriter(
  options: Pick<Platform, 'database' | 'clock'> & {
    readonly events: Pick<Events, 'publish'>;
    readonly answer: Claimed;
    readonly onLost: () => void;
    readonly onAbort: () => void;
  },
) {
  const { database, clock, events, answer, onLost, onAbort } = options;
  const { messageUuid, sessionUuid, claim } = answer;
  let waiting: { kind: string; text: string }[] = [];
  let written = '';
  let usage: Usage | null = null;
  let next = 1;
  let timer: NodeJS.Timeout | null = null;
  let last: Promise<void> = Promise.resolve();

  /** Stores waiting text, and renews the lease even without new text. */
  function flush(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    last = last.then(store);
    return last;
  }

  async function store(): Promise<void> {
    const parts = waiting;
    waiting = [];
    const statement = statements.addParts(messageUuid, claim, clock.pinned(), next, parts, usage);
    next += parts.length;
    const [held] = await database.query<{ is_aborted: boolean }>(statement);
    if (!held) return onLost();
    if (held.is_aborted) onAbort();
    if (parts.length > 0) events.publish(channelOf(sessionUuid), null);
  }

  function add(kind: 'text' | 'tool', text: string): void {
    const open = waiting.at(-1);
    if (kind === 'text' && open?.kind === 'text' && open.text.length + text.length <= partCharactersMax)
      open.text += text;
    else if (kind === 'tool') waiting.push({ kind, text });
    else
      for (let at = 0; at < text.length; at += partCharactersMax)
        waiting.push({ kind, text: text.slice(at, at + partCharactersMax) });
    const gathered = waiting.reduce((sum, part) => sum + part.text.length, 0);
    // A failure is met again by the last flush, which is waited for.
    if (gathered >= gatherCharacters) flush().catch(() => undefined);
    else timer ??= setTimeout(() => flush().catch(() => undefined), gatherMs);
  }

  return {
    /** Adds to the answer's text. */
    text(piece: string): void {
      if (piece === '') return;
      written += piece;
      add('text', piece);
    },
    /** Adds a state of a tool call, as JSON, and stores it at once. The call is bounded by its caller, because a part is not split. */
    tool(call: object): Promise<void> {
      add('tool', JSON.stringify(call));
      return flush();
    },
    /** Sets the tokens so far, which the next flush stores: they are counted if the process dies. */
    used(tokens: Usage): void {
      usage = tokens;
    },
    flush,
    /** The text so far. */
    get written() {
      return written;
    },
  };
}
