import type { McpServers, ToolOutcome } from '../mcp-servers/index.ts';
import type { Caller } from '../platform/caller.ts';
import { isApiError } from '../platform/errors.ts';
import type { Platform } from '../platform/platform.ts';
import type { ChatMetrics } from './metrics.ts';
import type { ImpossibleCall, ModelTool } from './models.ts';
import type { Claimed, PartWriter } from './part-writer.ts';
import type { ToolTokens } from './prompt.ts';
import { estimatedTokens } from './tokens.ts';
import { definitionsOf, definitionsWithin, type ToolDefinition } from './tool-definitions.ts';
import { beginCall, endCall, type SessionTool, type ToolCall, type ToolCallStatus } from './tool-statements.ts';

export interface ToolUseDependencies extends Pick<Platform, 'database' | 'clock' | 'log'> {
  readonly metrics: ChatMetrics;
  readonly toolCalls: Pick<McpServers['toolCalls'], 'find' | 'call'>;
}

/** The tools of one answer. */
export interface ToolUse {
  readonly tools: readonly ModelTool[];
  /** Undefined without tools. */
  readonly tokens: ToolTokens | undefined;
  /** Shows a call that the model wrote and that cannot be made. */
  readonly onImpossibleCall: (call: ImpossibleCall) => Promise<void>;
  /** Calls for which a server was asked. */
  readonly asked: () => number;
}

/** Calls of one answer that are stored and made. */
const callsMax = 16;
const argumentBytesMax = 16 * 1024;
/** Of a result, for the model. */
const resultLengthMax = 16_000;
/** Of a result and of wrong arguments, as they are stored. */
const excerptLength = 2_000;
/** Of arguments and results in a live part. */
const partExcerptLength = 500;
/** The most of the context that calls and results may take. */
const resultsShare = 0.2;
/** With less left of it, no further tool is called. */
const resultTokensMin = 50;

const noMoreCalls = `An answer makes at most ${callsMax} calls. Answer with the results so far.`;
const noRoom = 'The context has no room for another result. Answer with the results so far.';
const impossible = {
  'unknown-tool': 'The session lists no tool of this name.',
  malformed: 'The arguments must be a JSON object.',
} as const;

/** Lets answers call the tools of their sessions. Every call is stored and shown, whatever comes of it. */
export function createToolUse({ database, clock, log, metrics, toolCalls }: ToolUseDependencies) {
  /**
   * Opens the tools of a session for an answer. Tools that are gone, and definitions that the context has no room for, are left out.
   *
   * @param signal Ends the calls under way.
   */
  async function open(
    order: Claimed & { readonly caller: Caller; readonly tools: readonly SessionTool[] },
    parts: Pick<PartWriter, 'tool'>,
    { contextTokens, signal }: { readonly contextTokens: number; readonly signal: AbortSignal },
  ): Promise<ToolUse> {
    const { caller, messageUuid, claim } = order;
    const results = Math.floor(contextTokens * resultsShare);
    let resultTokens = results;
    let calls = 0;
    let asked = 0;

    const found = (await toolCalls.find(caller, order.tools)).filter((tool) => tool !== null);
    const callable = found.filter(({ transport, definition }) => transport !== 'stdio' && definition !== null);
    const definitions = definitionsWithin(definitionsOf(callable), contextTokens);

    /** Stores a call before it runs. @throws If the answer is no longer this worker's. */
    async function begin(call: Omit<ToolCall, 'number' | 'startedAt'>): Promise<ToolCall> {
      calls += 1;
      const begun = { ...call, number: calls, startedAt: clock.now() };
      const [held] = await database.query(beginCall(messageUuid, claim, begun));
      if (!held) throw new Error('Another worker has taken over this answer');
      await parts.tool(partOf(begun));
      return begun;
    }

    async function refuse(tool: Pick<ToolCall, 'serverUuid' | 'serverName' | 'name' | 'arguments'>, why: string) {
      metrics.toolCalls.inc({ status: 'refused' });
      const state = { status: 'refused', result: why, resultLength: why.length, milliseconds: null } as const;
      await begin({ ...tool, arguments: tool.arguments.slice(0, excerptLength).toWellFormed(), ...state });
      return why;
    }

    async function execute({ found: tool }: ToolDefinition, input: unknown): Promise<string> {
      if (calls >= callsMax) return noMoreCalls;
      const { serverUuid, serverName, name } = tool;
      const named = { serverUuid, serverName, name, arguments: storable(JSON.stringify(input) ?? 'null') };
      const argumentBytes = Buffer.byteLength(named.arguments);
      if (argumentBytes > argumentBytesMax)
        return refuse(named, `The arguments have ${argumentBytes} bytes; at most ${argumentBytesMax} are allowed.`);
      resultTokens -= estimatedTokens(named.arguments);
      if (resultTokens < resultTokensMin) return refuse(named, noRoom);
      const state = { status: 'running', result: null, resultLength: 0, milliseconds: null } as const;
      const call = await begin({ ...named, ...state });
      const begunAt = performance.now();
      const outcome = await outcomeOf(() => toolCalls.call(caller, tool, input, signal));
      signal.throwIfAborted();
      const milliseconds = Math.round(performance.now() - begunAt);
      if (outcome.status !== 'refused') asked += 1;
      metrics.toolCalls.inc({ status: outcome.status });
      metrics.toolCallSeconds.observe(milliseconds / 1_000);
      await ended(call, outcome.status, storable(outcome.text), milliseconds);
      const text = within(outcome.text, Math.max(resultTokens, resultTokensMin));
      resultTokens -= estimatedTokens(text);
      return outcome.status === 'succeeded' ? text : `The call has failed: ${text}`;
    }

    async function ended(call: ToolCall, status: ToolCallStatus, text: string, milliseconds: number): Promise<void> {
      const result = text.slice(0, excerptLength).toWellFormed();
      const done = { ...call, status, result, resultLength: text.length, milliseconds };
      await database.query(endCall(messageUuid, done));
      await parts.tool(partOf(done));
    }

    return {
      tools: definitions.map((definition) => ({ ...definition, execute: (input) => execute(definition, input) })),
      tokens:
        definitions.length === 0
          ? undefined
          : { definitions: definitions.reduce((sum, { tokens }) => sum + tokens, 0), results },
      async onImpossibleCall({ name, input, reason }) {
        if (calls >= callsMax) return;
        const definition = definitions.find((known) => known.name === name);
        const { serverUuid = null, serverName = null } = definition?.found ?? {};
        const written = storable(typeof input === 'string' ? input : (JSON.stringify(input) ?? 'null'));
        const named = definition?.found.name ?? storable(name.slice(0, excerptLength));
        await refuse({ serverUuid, serverName, name: named, arguments: written }, impossible[reason]);
      },
      asked: () => asked,
    };
  }

  /** The outcome of a call; an internal error is logged. */
  async function outcomeOf(call: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
    try {
      return await call();
    } catch (error) {
      if (isApiError(error)) return { status: 'failed', text: error.message };
      log.error({ error }, 'a tool could not be called for an answer of the chat');
      return { status: 'failed', text: 'The call failed because of an internal error' };
    }
  }

  return { open };
}

const storable = (text: string): string => text.replaceAll('\u0000', '\ufffd').toWellFormed();

/** The beginning of a result that fits; the length of the rest is named. */
function within(text: string, tokens: number): string {
  const bytes = Buffer.from(text.slice(0, resultLengthMax));
  if (text.length <= resultLengthMax && estimatedTokens(text) <= tokens) return text;
  const kept = bytes.subarray(0, tokens * 3).toString();
  return `${kept}\n[Cut off: the result has ${text.length} characters, of which ${kept.length} are above.]`;
}

/** A call as those who follow the answer see it, with the beginnings of its arguments and result. */
const partOf = ({ serverUuid, startedAt, ...call }: ToolCall) => ({
  ...call,
  serverId: serverUuid,
  startedAt: startedAt.toISOString(),
  arguments: call.arguments.slice(0, partExcerptLength).toWellFormed(),
  result: call.result?.slice(0, partExcerptLength).toWellFormed() ?? null,
});
