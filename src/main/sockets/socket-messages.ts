import type { Socket } from 'node:net';
import { CloseCode } from 'graphql-ws';
import type { Caller } from '../../platform/caller.ts';
import { isApiError } from '../../platform/errors.ts';
import type { RateLimits } from '../../platform/limits/rate-limits.ts';
import { spendLarge } from '../http/body.ts';
import type { BytesInFlight, Hold } from '../http/bytes-in-flight.ts';
import { anonymousJsonLimits, checkStructure, InvalidJson, jsonLimits } from '../http/json.ts';
import { closing } from './socket-closing.ts';
import { createFrameCounter } from './socket-frames.ts';
import type { SocketLimits } from './socket-limits.ts';

export interface MessageDependencies {
  readonly limits: SocketLimits;
  readonly bytesInFlight: Pick<BytesInFlight, 'hold'>;
  readonly rateLimits: RateLimits;
}

/** Bounds the messages that come over a socket, with the limits of bodies: in flight, in structure, in pace, in megabytes. */
export function boundMessages(
  wire: Socket,
  /** Whom the bytes count for at this moment. */
  callerOf: () => Caller,
  close: (code: number, reason: string) => void,
  { limits, bytesInFlight, rateLimits }: MessageDependencies,
) {
  const { graceMs, bytesPerSecond } = limits.pace;
  const unfinishedBytes = createFrameCounter();
  let unfinished: { hold: Hold; bytes: number; startedAt: number; timer?: NodeJS.Timeout } | null = null;

  function end(): void {
    clearTimeout(unfinished?.timer);
    unfinished?.hold.give();
    unfinished = null;
  }

  /** Closes the socket for what `work` throws. @returns Whether it threw nothing. */
  function isAllowed(work: () => void): boolean {
    try {
      work();
      return true;
    } catch (error) {
      closeFor(error);
      return false;
    }
  }

  function closeFor(error: unknown): void {
    if (error instanceof InvalidJson) close(CloseCode.BadRequest, `The message ${error.message}`);
    else if (isApiError(error))
      close(error.code === 'RATE_LIMITED' ? closing.tooMany : closing.tryAgainLater, error.message);
    else throw error;
  }

  function watchPace(): void {
    if (unfinished === null) return;
    const message = unfinished;
    const msLeft = () => graceMs + (1_000 * message.bytes) / bytesPerSecond - (performance.now() - message.startedAt);
    const look = () => {
      if (unfinished !== message) return;
      if (msLeft() > 0) return watchPace();
      end();
      close(closing.tooSlow, 'The message comes too slowly');
    };
    // A process that was busy first reads the bytes that arrived in the meantime.
    message.timer = setTimeout(() => setImmediate(look), Math.max(1, msLeft()));
  }

  // ws has read the same bytes before, and emitted the messages that ended with them.
  wire.on('data', (chunk: Buffer) => {
    const bytes = unfinishedBytes(chunk);
    if (bytes === 0) return end();
    const isNew = unfinished === null;
    unfinished ??= { hold: bytesInFlight.hold(callerOf()), bytes: 0, startedAt: performance.now() };
    const message = unfinished;
    isAllowed(() => {
      if (bytes > message.bytes) message.hold.take(bytes - message.bytes);
      else message.hold.give(message.bytes - bytes);
    });
    message.bytes = bytes;
    if (isNew) watchPace();
  });

  return {
    /** All bytes so far are complete messages. */
    end,
    /**
     * Validates the size and structure of a complete message before it is parsed. Over a limit the socket closes.
     *
     * @returns Its bytes, to be released after it was processed; null if it was rejected.
     */
    admit(data: Buffer): Hold | null {
      const caller = callerOf();
      const hold = bytesInFlight.hold(caller);
      const isFit = isAllowed(() => {
        rateLimits.check('bodies', caller);
        hold.take(data.length);
        checkStructure(data, caller.principal === null ? anonymousJsonLimits : jsonLimits);
      });
      if (!isFit) {
        hold.give();
        return null;
      }
      // Messages are worked on in their order: a large one is not held up until it is counted.
      spendLarge(rateLimits, caller, data.length).catch(closeFor);
      return hold;
    },
  };
}
