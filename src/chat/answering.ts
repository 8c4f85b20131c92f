import type { Passage } from '../documents/index.ts';
import type { Caller } from '../platform/caller.ts';
import { isApiError } from '../platform/errors.ts';
import type { Platform } from '../platform/platform.ts';
import { type Citation, type Claim, claimsOf, verified } from './claims.ts';
import { quote, withoutContext } from './extractive.ts';
import { channelOf } from './follow.ts';
import { extractiveModel } from './input.ts';
import { ModelFailure, type Models, type Usage } from './models.ts';
import { type Claimed, createPartWriter, type PartWriter } from './part-writer.ts';
import type { Excerpt, Retrieve } from './passage.ts';
import { promptOf } from './prompt.ts';
import * as statements from './statements.ts';
import { estimatedTokens } from './tokens.ts';
import type { SessionTool } from './tool-statements.ts';
import { createToolUse, type ToolUse, type ToolUseDependencies } from './tool-use.ts';
import { monthOf } from './usage.ts';

export interface AnsweringDependencies extends ToolUseDependencies, Pick<Platform, 'events'> {
  readonly models: Models;
  readonly retrieve: Retrieve;
  readonly excerpt: Excerpt;
}

/** An answer to be written. */
export interface AnswerOrder extends Claimed {
  readonly caller: Caller;
  readonly profileUuid: string;
  readonly question: string;
  /** The history consists of the messages before it. */
  readonly questionOrdinal: number;
  readonly model: string;
  readonly temperature: number;
  readonly maxTokens: number;
  readonly includeContext: boolean;
  /** Those that the session lists. */
  readonly tools: readonly SessionTool[];
}

/** Passages that are looked up for one answer. */
const passagesMax = 12;
/** Turns that are read for the history, at most. */
const turnsMax = 50;
/** Between two signs of life of an answer that has nothing to say yet. */
const signEveryMs = 10_000;

const noUsage: Usage = { inputTokens: 0, outputTokens: 0, isEstimated: false };

/** Why a signal ended an answer. */
const aborted = Symbol('aborted');
const lost = Symbol('lost');
const stopping = Symbol('stopping');

const wordsOfStop = 'The platform was restarted before the answer was complete; try again.';

/** Writes answers in this process. Text is stored as it arrives. */
export function createAnswering(deps: AnsweringDependencies) {
  const { database, clock, events, log, models, retrieve, excerpt } = deps;
  const toolUse = createToolUse(deps);
  const running = new Map<string, { readonly stop: AbortController; readonly done: Promise<void> }>();

  /** Begins an answer whose message is stored. It goes on whatever becomes of the request. */
  function begin(order: AnswerOrder): void {
    const stop = new AbortController();
    const done = database
      .outsideUnit(() => write(order, stop))
      .catch((error: unknown) => database.report(error, 'an answer of the chat could not be stored'))
      .finally(() => running.delete(order.messageUuid));
    running.set(order.messageUuid, { stop, done });
  }

  async function write(order: AnswerOrder, stop: AbortController): Promise<void> {
    const parts = createPartWriter({
      database,
      clock,
      events,
      answer: order,
      onLost: () => stop.abort(lost),
      onAbort: () => stop.abort(aborted),
    });
    const sign = setInterval(() => parts.flush().catch(() => undefined), signEveryMs).unref();
    try {
      await parts.flush();
      const { ending, citations, toolCalls } = await outcome(order, parts, stop.signal);
      if (stop.signal.reason === lost) return;
      await parts.flush();
      await store(order, ending, citations, toolCalls);
    } finally {
      clearInterval(sign);
    }
  }

  /** The answer, or how it failed. */
  async function outcome(
    order: AnswerOrder,
    parts: PartWriter,
    signal: AbortSignal,
  ): Promise<{ ending: statements.Ending; citations: Citation[]; toolCalls: number }> {
    let usage = noUsage;
    let tools: ToolUse | null = null;
    let passages: readonly Passage[] = [];
    let failure: string | null = null;
    let claims: Claim[] | null = null;
    try {
      if (!signal.aborted) {
        const found = order.includeContext
          ? await retrieve(order.caller, { query: order.question.slice(0, 500), limit: passagesMax })
          : [];
        signal.throwIfAborted();
        if (order.model === extractiveModel) {
          passages = found;
          claims = quoteInto(order, found, parts);
        } else {
          tools = await toolUse.open(order, parts, { contextTokens: models.contextTokens, signal });
          const prompt = await promptFor(order, found, tools);
          passages = prompt.passages;
          // Stored before the request, so that its tokens are counted if this process dies.
          parts.used({ inputTokens: prompt.inputTokens, outputTokens: 0, isEstimated: true });
          await parts.flush();
          signal.throwIfAborted();
          await models.answer({
            ...order,
            prompt,
            signal,
            tools: tools.tools,
            onText: parts.text,
            onUsage(used) {
              usage = used;
              parts.used(used);
            },
            onImpossibleCall: tools.onImpossibleCall,
          });
        }
      }
    } catch (error) {
      if (!signal.aborted) failure = wordsOf(error);
    }
    if (signal.reason === stopping) failure = wordsOfStop;
    if (usage.isEstimated && usage.outputTokens === 0)
      usage = { ...usage, outputTokens: estimatedTokens(parts.written) };
    const status = failure !== null ? 'failed' : signal.aborted ? 'aborted' : 'complete';
    const { text, claims: found } =
      claims === null ? claimsOf(parts.written, passages) : { text: parts.written, claims };
    const citations = await verified(order.profileUuid, found, passages, excerpt);
    return { ending: { status, content: text, failure, ...usage }, citations, toolCalls: tools?.asked() ?? 0 };
  }

  function quoteInto({ question, includeContext }: AnswerOrder, found: readonly Passage[], parts: PartWriter): Claim[] {
    if (!includeContext) {
      parts.text(withoutContext);
      return [];
    }
    const { pieces, claims } = quote(question, found);
    for (const piece of pieces) parts.text(piece);
    return claims;
  }

  async function promptFor(order: AnswerOrder, passages: readonly Passage[], { tokens: toolTokens }: ToolUse) {
    const turns = await database.query<statements.TurnRow>(
      statements.turns(order.sessionUuid, order.questionOrdinal, turnsMax),
    );
    return promptOf({ ...order, passages, turns, contextTokens: models.contextTokens, toolTokens });
  }

  /** Ends an answer with its citations and its cost; changes nothing if another worker has taken it over. */
  async function store(
    order: AnswerOrder,
    ending: statements.Ending,
    citations: readonly Citation[],
    toolCalls: number,
  ): Promise<void> {
    const now = clock.now();
    await database.transaction(async (tx) => {
      const held = await tx.query(statements.end(order.messageUuid, order.claim, now, ending));
      if (held.length === 0) return;
      await tx.query(statements.countUsage(order.profileUuid, monthOf(now), toolCalls, ending));
      if (citations.length === 0) return;
      const data = citations.map(({ hash, ...citation }, index) => ({
        ...citation,
        hash: new Uint8Array(hash),
        messageUuid: order.messageUuid,
        place: index + 1,
      }));
      await tx.prisma.chatCitation.createMany({ data });
    });
    events.publish(channelOf(order.sessionUuid), null);
  }

  /** Messages for users; internal errors are logged, too. */
  function wordsOf(error: unknown): string {
    if (error instanceof ModelFailure || isApiError(error)) return error.message;
    log.error({ error }, 'an answer of the chat failed');
    return 'The answer failed because of an internal error; try again.';
  }

  /** Stops an answer of this process; those of others see the request with their next sign of life. */
  function abort(messageUuid: string): void {
    running.get(messageUuid)?.stop.abort(aborted);
  }

  /** Resolves when an answer of this process has ended, at the latest after some milliseconds. */
  async function settled(messageUuid: string, msMax: number): Promise<void> {
    const answer = running.get(messageUuid);
    if (!answer) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, msMax);
    });
    await Promise.race([answer.done, late]).finally(() => clearTimeout(timer));
  }

  /** Ends all answers of this process, as failed, and waits until they are stored. */
  async function close(): Promise<void> {
    const open = [...running.values()];
    for (const { stop } of open) stop.abort(stopping);
    await Promise.all(open.map(({ done }) => done));
  }

  return { begin, abort, settled, close };
}
