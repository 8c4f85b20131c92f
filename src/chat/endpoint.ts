import { setTimeout as sleep } from 'node:timers/promises';
import type { Egress } from '../platform/egress/egress.ts';
import { EgressError, type EgressReason } from '../platform/egress/egress-error.ts';
import { retryAfterMsOf } from '../platform/egress/retry-after.ts';
import type { Logger } from '../platform/logger.ts';
import { type ModelCall, ModelFailure, type Models, type Usage } from './models.ts';
import { estimatedTokens } from './tokens.ts';

/** An endpoint that speaks the chat protocol of OpenAI. */
export interface ChatEndpoint {
  /** Without a slash at its end, such as `https://api.example.com/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly models: readonly string[];
  readonly contextTokens: number;
}

export interface EndpointLimits {
  /** From the request to the last byte of the answer, in milliseconds. */
  readonly answerMs: number;
  /** Bytes of an answer as it is sent, the frames of its pieces included. */
  readonly answerBytes: number;
}

const limitsDefault: EndpointLimits = { answerMs: 180_000, answerBytes: 16 * 1024 * 1024 };

const cutOff = 'The answer of the language model was cut off; try again.';

/** Requests of one answer: an endpoint that asks for patience is asked again as often. */
const attemptsMax = 3;
const pauseMs = 1_000;
/** An endpoint that asks for more patience than this fails the answer. */
const pauseMaxMs = 20_000;
/** Requests of one answer that calls tools. */
const stepsMax = 6;

/** Too many requests for now. */
class Busy extends Error {
  override name = 'Busy';
  readonly status: number;
  readonly afterMs: number | null;

  constructor(status: number, afterMs: number | null) {
    super(`status ${status}`);
    this.status = status;
    this.afterMs = afterMs;
  }
}

/**
 * The models of an endpoint, through the guarded egress: no redirects, one limit of time and one of bytes for each request. 429 and 503 are
 * tried again while nothing of the answer was given.
 *
 * @param options.delay Waits between two attempts; tests replace it.
 */
export function createEndpointModels(options: {
  readonly endpoint: ChatEndpoint;
  readonly egress: Pick<Egress, 'stream'>;
  readonly log: Logger;
  readonly limits?: EndpointLimits;
  readonly delay?: (ms: number, value: undefined, options: { signal: AbortSignal }) => Promise<void>;
}): Models {
  const { endpoint, egress, log, limits = limitsDefault, delay = sleep } = options;

  async function request(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    const answer = await egress.stream({
      url: String(input),
      method: 'POST',
      headers: Object.fromEntries(new Headers(init.headers)),
      body: String(init.body),
      totalTimeoutMs: limits.answerMs,
      responseBytesMax: limits.answerBytes,
      lane: 'chat',
      ...(init.signal && { signal: init.signal }),
    });
    if (answer.status === 429 || answer.status === 503) {
      await answer.body.cancel();
      throw new Busy(answer.status, retryAfterMsOf(answer.headers));
    }
    const headers = new Headers();
    for (const [name, value] of Object.entries(answer.headers))
      if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
    return new Response(answer.body, { status: answer.status, headers });
  }

  async function answer(call: ModelCall): Promise<Usage> {
    for (let attempt = 1; ; attempt++) {
      let isBegun = false;
      try {
        return await ask({
          ...call,
          onText(piece) {
            isBegun = true;
            call.onText(piece);
          },
        });
      } catch (error) {
        call.signal.throwIfAborted();
        const pause = error instanceof Busy ? (error.afterMs ?? pauseMs * attempt) : null;
        if (pause === null || isBegun || attempt === attemptsMax || pause > pauseMaxMs) throw failureOf(error, log);
        await delay(pause, undefined, { signal: call.signal });
      }
    }
  }

  async function ask({ model, prompt, temperature, tools, signal, onText }: ModelCall): Promise<Usage> {
    // Loaded with the first answer: the start of the product does not wait for it.
    const [{ jsonSchema, stepCountIs, streamText, tool }, { createOpenAICompatible }] = await Promise.all([
      import('ai'),
      import('@ai-sdk/openai-compatible'),
    ]);
    const provider = createOpenAICompatible({
      name: 'chat',
      baseURL: endpoint.baseUrl,
      fetch: request,
      includeUsage: true,
      ...(endpoint.apiKey !== null && { apiKey: endpoint.apiKey }),
    });
    const known = tools.map(({ name, description, inputSchema, execute }) => [
      name,
      tool({ description, inputSchema: jsonSchema(inputSchema), execute }),
    ]);
    const { fullStream } = streamText({
      model: provider.chatModel(model),
      system: prompt.system,
      messages: [...prompt.messages],
      temperature,
      maxOutputTokens: prompt.maxTokens,
      abortSignal: signal,
      maxRetries: 0,
      tools: Object.fromEntries(known),
      stopWhen: stepCountIs(stepsMax),
      // Each error is met again in the stream.
      onError: () => undefined,
    });
    let written = '';
    let usage: Usage | null = null;
    for await (const part of fullStream) {
      if (part.type === 'error') throw part.error;
      if (part.type === 'text-delta') {
        written += part.text;
        onText(part.text.replaceAll('\u0000', '').toWellFormed());
      }
      if (part.type === 'finish') usage = usageOf(part.totalUsage, prompt.inputTokens, written);
    }
    signal.throwIfAborted();
    if (usage === null) throw new ModelFailure(cutOff);
    return usage;
  }

  return { names: endpoint.models, contextTokens: endpoint.contextTokens, answer };
}

/** What the endpoint has counted, where it has; it may say anything. */
function usageOf(
  counted: { readonly inputTokens: number | undefined; readonly outputTokens: number | undefined },
  inputTokens: number,
  written: string,
): Usage {
  const isCount = (count: number | undefined): count is number =>
    count !== undefined && Number.isInteger(count) && count >= 0 && count < 100_000_000;
  if (isCount(counted.inputTokens) && isCount(counted.outputTokens) && counted.inputTokens > 0)
    return { inputTokens: counted.inputTokens, outputTokens: counted.outputTokens, isEstimated: false };
  return { inputTokens, outputTokens: estimatedTokens(written), isEstimated: true };
}

const egressWords: Partial<Record<EgressReason, string>> = {
  timeout: 'The language model did not answer in time; try again.',
  interrupted: cutOff,
  oversized: 'The answer of the language model is too large.',
  closed: 'The platform is stopping; try again.',
};

/** What people are told of a failure; the log has its kind. */
function failureOf(error: unknown, log: Logger): ModelFailure {
  const words = error instanceof ModelFailure ? error.message : wordsOf(error);
  log.warn({ reason: words, name: (error as Error).name }, 'a language model failed');
  return new ModelFailure(words);
}

function wordsOf(thrown: unknown): string {
  // The SDK wraps what breaks a stream in an error of its own.
  const { cause, name } = thrown as { cause?: unknown; name?: unknown };
  const error = cause instanceof EgressError ? cause : thrown;
  if (name === 'AI_InvalidResponseDataError') return cutOff;
  if (error instanceof EgressError)
    return egressWords[error.reason] ?? 'The language model could not be reached; try again.';
  const { status, afterMs } = error instanceof Busy ? error : { status: 0, afterMs: null };
  if (afterMs !== null) return `The language model is busy; try again in ${Math.ceil(afterMs / 1_000)} seconds.`;
  if (status > 0) return 'The language model is busy; try again later.';
  const { statusCode } = error as { statusCode?: unknown };
  if (statusCode === 401 || statusCode === 403) return 'The language model refused the credentials of the platform.';
  if (typeof statusCode === 'number' && statusCode !== 200)
    return `The language model failed with status ${statusCode}.`;
  return 'The answer of the language model could not be read.';
}
