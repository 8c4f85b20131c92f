import type { z } from 'zod';
import { authorize, type Caller } from '../platform/caller.ts';
import { ApiError } from '../platform/errors.ts';
import { parse } from '../platform/input/input.ts';
import { streamOf } from '../platform/messaging/stream.ts';
import type { AgentRecord } from './agent.ts';
import { LogRequest } from './input.ts';
import { type LogLine, type Orchestrator, OrchestratorError, type PodEvent } from './orchestrator/orchestrator.ts';

/** Milliseconds that a request waits for the orchestrator. */
const callMs = 5_000;
/** Logs that a profile may follow at a time in this process: each is a separate connection to the orchestrator. */
const followedMax = 20;

/** The log of a running agent and the events of its pods. Read from the orchestrator with each request. */
export function createRuntime(deps: {
  readonly orchestrator: Pick<Orchestrator, 'logs' | 'events'>;
  readonly find: (caller: Caller, uuid: string) => Promise<AgentRecord>;
}) {
  const { orchestrator, find } = deps;
  const followed = new Map<string, number>();

  /**
   * The last lines of an agent's log, the oldest first.
   *
   * @param input.tail Lines at most: 1 to 1000, 100 if left out.
   * @throws {ApiError} `VALIDATION_ERROR`; `NOT_FOUND`; `UNAVAILABLE` while the orchestrator cannot be reached; `CONFLICT` where it has
   *   no log.
   */
  async function logs(caller: Caller, uuid: string, input: z.input<typeof LogRequest> = {}): Promise<LogLine[]> {
    authorize(caller, 'agents:read');
    const { tail: tailLines } = parse(LogRequest, input);
    const { orchestratorDeployment } = await find(caller, uuid);
    const signal = AbortSignal.timeout(callMs);
    const lines: LogLine[] = [];
    try {
      for await (const line of orchestrator.logs(orchestratorDeployment, { tailLines, follow: false }, signal))
        lines.push(line);
    } catch (error) {
      throw apiErrorOf(error, signal);
    }
    return lines;
  }

  /**
   * The same, and each new line until the generator is returned.
   *
   * @throws {ApiError} like `logs`; `RATE_LIMITED` for the 21st that the profile follows at once in this process.
   */
  async function follow(
    caller: Caller,
    uuid: string,
    input: z.input<typeof LogRequest> = {},
  ): Promise<AsyncGenerator<LogLine, void, void>> {
    const { profileUuid } = authorize(caller, 'agents:read');
    const { tail: tailLines } = parse(LogRequest, input);
    const { orchestratorDeployment } = await find(caller, uuid);
    const giveBack = takePlace(profileUuid);
    const stopping = new AbortController();
    const { signal } = stopping;
    const lines = orchestrator.logs(orchestratorDeployment, { tailLines, follow: true }, signal);
    // Aborted first: the return of a generator waits for its pending read.
    const end = async (): Promise<void> => {
      giveBack();
      stopping.abort();
      await lines.return().catch(() => undefined);
    };
    const next = async (): Promise<IteratorResult<LogLine, void>> => {
      try {
        const result = await lines.next();
        if (result.done) giveBack();
        return result;
      } catch (error) {
        giveBack();
        if (signal.aborted) return { done: true, value: undefined };
        throw apiErrorOf(error, signal);
      }
    };
    return streamOf(next, end);
  }

  /** @returns Gives the place back; again does nothing. */
  function takePlace(profileUuid: string): () => void {
    const count = followed.get(profileUuid) ?? 0;
    if (count >= followedMax)
      throw new ApiError('RATE_LIMITED', `At most ${followedMax} logs can be followed at once`, { retryAfter: 5 });
    followed.set(profileUuid, count + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      const left = (followed.get(profileUuid) ?? 1) - 1;
      if (left === 0) followed.delete(profileUuid);
      else followed.set(profileUuid, left);
    };
  }

  /** The latest events of an agent's deployment and pods, at most 50, the newest first. @throws {ApiError} like `logs`. */
  async function podEvents(caller: Caller, uuid: string): Promise<PodEvent[]> {
    authorize(caller, 'agents:read');
    const { orchestratorDeployment } = await find(caller, uuid);
    const signal = AbortSignal.timeout(callMs);
    try {
      return await orchestrator.events(orchestratorDeployment, signal);
    } catch (error) {
      throw apiErrorOf(error, signal);
    }
  }

  return { logs, follow, podEvents };
}

function apiErrorOf(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted || (error instanceof OrchestratorError && error.kind === 'unreachable'))
    return new ApiError('UNAVAILABLE', 'The orchestrator cannot be reached; try again', {
      retryAfter: 5,
      cause: error,
    });
  return error instanceof OrchestratorError ? new ApiError('CONFLICT', error.message, { cause: error }) : error;
}
