import { setTimeout as sleep } from 'node:timers/promises';
import type { Egress } from '../platform/egress/egress.ts';
import { EgressError, type EgressReason } from '../platform/egress/egress-error.ts';
import { retryAfterMsOf } from '../platform/egress/retry-after.ts';
import type { Logger } from '../platform/logger.ts';
import { type ModelCall, ModelFailure, type Models } from './models.ts';
import { createUsageCounter } from './usage-counter.ts';

/** An endpoint that speaks the chat protocol of OpenAI. */
export interface ChatEndpoint {
  /** Without a slash at its end, such as `https://api.example.com/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly models: readonly string[];
  readonly contextTokens: number;
}

export interface EndpointLimits {
  /** From the first request to the last byte of the answer, calls of tools included, in milliseconds. */
  readonly responseMs: number;
  /** Bytes of a response as it is sent, the frames of its pieces included. */
  readonly responseBytes: number;
}

const limitsDefault: EndpointLimits = { responseMs: 180_000, responseBytes: 16 * 1024 * 1024 };

const cutOff = 'The answer of the language model was cut off; try again.';
const noText = 'The language model ended without an answer; try again.';

/** Of a request that is busy: so often it is sent for one answer, all its steps together. */
const attemptsMax = 3;
const pauseMs = 1_000;
/** An endpoint that asks for more patience than this fails the answer. */
const pauseMaxMs = 20_000;
/** Requests of one answer that may call tools; in the last one it may not. */
const stepsMax = 6;
/** Without tools a model that calls one is answered once that there is none. */
const stepsWithoutTools = 2;

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
 * The models of an endpoint, through the guarded egress: no redirects, one limit of time for an answer and one of bytes for each request.
 * 429 and 503 are tried again, which nothing of the answer was given to.
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

  /** The requests of one answer. */
  function requestsOf(signal: AbortSignal): typeof globalThis.fetch {
    const endsAt = performance.now() + limits.responseMs;
    let attempts = 0;

    async function request(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
      for (;;) {
        const response = await egress.stream({
          url: String(input),
          method: 'POST',
          headers: Object.fromEntries(new Headers(init.headers)),
          body: String(init.body),
          totalTimeoutMs: Math.max(1, endsAt - performance.now()),
          responseBytesMax: limits.responseBytes,
          pool: 'chat',
          ...(init.signal && { signal: init.signal }),
        });
        if (response.status !== 429 && response.status !== 503) {
          const headers = new Headers();
          for (const [name, value] of Object.entries(response.headers))
            if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
          return new Response(response.body, { status: response.status, headers });
        }
        await response.body.cancel();
        attempts += 1;
        const afterMs = retryAfterMsOf(response.headers);
        const pause = afterMs ?? pauseMs * attempts;
        if (attempts >= attemptsMax || pause > pauseMaxMs) throw new Busy(response.status, afterMs);
        await delay(pause, undefined, { signal });
      }
    }

    return request as typeof globalThis.fetch;
  }

  async function answer(call: ModelCall): Promise<void> {
    try {
      await ask(call);
    } catch (error) {
      call.signal.throwIfAborted();
      throw failureOf(error, log);
    }
  }

  async function ask(call: ModelCall): Promise<void> {
    const { model, prompt, temperature, tools, signal, onText } = call;
    // Loaded with the first answer: the start of the product does not wait for it.
    const [{ jsonSchema, NoSuchToolError, stepCountIs, streamText, tool }, { createOpenAICompatible }] =
      await Promise.all([import('ai'), import('@ai-sdk/openai-compatible')]);
    const provider = createOpenAICompatible({
      name: 'chat',
      baseURL: endpoint.baseUrl,
      fetch: requestsOf(signal),
      includeUsage: true,
      ...(endpoint.apiKey !== null && { apiKey: endpoint.apiKey }),
    });
    const counter = createUsageCounter(call);
    const known = tools.map(({ name, description, inputSchema, execute }) => [
      name,
      tool({
        description,
        inputSchema: jsonSchema(inputSchema),
        async execute(input: unknown) {
          const result = await execute(input);
          counter.exchanged(JSON.stringify(input) ?? '', result);
          return result;
        },
      }),
    ]);
    const { fullStream } = streamText({
      model: provider.chatModel(model),
      system: prompt.system,
      messages: [...prompt.messages],
      temperature,
      maxOutputTokens: prompt.maxTokens,
      abortSignal: signal,
      maxRetries: 0,
      // Without a prototype: a model may name `constructor`.
      tools: Object.assign(Object.create(null), Object.fromEntries(known)),
      stopWhen: stepCountIs(tools.length > 0 ? stepsMax : stepsWithoutTools),
      prepareStep: ({ stepNumber }) => (stepNumber > 0 && stepNumber === stepsMax - 1 ? { toolChoice: 'none' } : {}),
      // Each error is met again in the stream.
      onError: () => undefined,
    });
    let isWhole = false;
    let isNewStep = false;
    for await (const part of fullStream) {
      if (part.type === 'error') throw part.error;
      if (part.type === 'start-step') {
        isNewStep = counter.written !== '';
        counter.begin();
      }
      if (part.type === 'text-delta') {
        const text = part.text.replaceAll('\u0000', '').toWellFormed();
        onText(isNewStep && text !== '' ? `\n\n${text}` : text);
        isNewStep &&= text === '';
        counter.wrote(text);
      }
      if (part.type === 'tool-call' && 'invalid' in part && part.invalid) {
        const reason = NoSuchToolError.isInstance(part.error) ? 'unknown-tool' : 'malformed';
        await call.onImpossibleCall({ name: part.toolName, input: part.input, reason });
      }
      if (part.type === 'finish-step') counter.end(part.usage);
      if (part.type === 'finish') isWhole = true;
    }
    signal.throwIfAborted();
    if (!isWhole) throw new ModelFailure(cutOff);
    if (counter.written.trim() === '') throw new ModelFailure(noText);
  }

  return { names: endpoint.models, contextTokens: endpoint.contextTokens, answer };
}

const egressWords: Partial<Record<EgressReason, string>> = {
  timeout: 'The language model did not answer in time; try again.',
  interrupted: cutOff,
  oversized: 'The answer of the language model is too large.',
  closed: 'The platform is stopping; try again.',
};

/** The words of a failure for people; the log has its kind. */
function failureOf(error: unknown, log: Logger): ModelFailure {
  const words = error instanceof ModelFailure ? error.message : wordsOf(error);
  log.warn({ reason: words, name: (error as Error).name }, 'a language model failed');
  return new ModelFailure(words);
}

function wordsOf(thrown: unknown): string {
  // The SDK wraps errors of a stream in an error of its own.
  const { cause, name } = thrown as { cause?: unknown; name?: unknown };
  const error = cause instanceof EgressError ? cause : thrown;
  if (name === 'AI_InvalidResponseDataError') return cutOff;
  if (name === 'AI_ToolChoiceViolationError')
    return 'The language model went on calling tools and gave no answer; try again.';
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
