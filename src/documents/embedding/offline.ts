import { Worker } from 'node:worker_threads';
import { ApiError } from '../../platform/errors.ts';
import { type EmbeddingProvider, normalise } from './model.ts';
import {
  type OfflineRequest,
  type OfflineResponse,
  offlineDims,
  offlineTextMax,
  offlineTokensMax,
} from './offline-protocol.ts';

/** The name of the offline model beside its vectors. */
export const offlineModel = 'universal-sentence-encoder-lite';

/** Megabytes that the thread's heap may have; the model itself lies beside it, with about 100 MB. */
const heapMaxMb = 512;

/** A call of `embed` that waits for its vectors. */
interface Call {
  readonly texts: readonly string[];
  readonly vectors: Float32Array[];
  readonly resolve: (vectors: Float32Array[]) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The Universal Sentence Encoder lite in a separate thread: English, no network. The thread is started, and the model
 * loaded, with the first text. A thread that ends is replaced with the next text.
 *
 * The thread has one text at a time. The next text comes from the call with the fewest remaining texts, so that the
 * query of a search does not wait for a document of a thousand passages.
 */
export function createOfflineProvider(): EmbeddingProvider {
  const calls = new Set<Call>();
  let worker: Worker | null = null;
  let current: { readonly id: number; readonly call: Call } | null = null;
  let requests = 0;
  let isClosed = false;

  function start(): Worker {
    const started = new Worker(new URL('./offline-model.ts', import.meta.url), {
      // Standard output belongs to the log.
      stdout: true,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: heapMaxMb },
    });
    started.stdout.resume();
    started.unref();
    started.on('message', receive);
    started.on('error', (error) => ended(started, error));
    started.on('exit', (code) => ended(started, new Error(`the thread of the embedding model ended with ${code}`)));
    return started;
  }

  function next(): void {
    if (current !== null) return;
    let call: Call | null = null;
    for (const each of calls) if (call === null || left(each) < left(call)) call = each;
    if (call === null) {
      worker?.unref();
      return;
    }
    worker ??= start();
    worker.ref();
    current = { id: ++requests, call };
    const text = (call.texts[call.vectors.length] as string).slice(0, offlineTextMax);
    worker.postMessage({ id: current.id, text } satisfies OfflineRequest);
  }

  function receive(response: OfflineResponse): void {
    if (current?.id !== response.id) return;
    const { call } = current;
    current = null;
    if ('failure' in response) fail(call, new Error(response.failure));
    else if (calls.has(call)) {
      call.vectors.push(normalise(response.vector));
      if (left(call) === 0) {
        calls.delete(call);
        call.resolve(call.vectors);
      }
    }
    next();
  }

  function ended(which: Worker, error: Error): void {
    if (worker !== which) return;
    worker = null;
    if (current === null) return;
    const { call } = current;
    current = null;
    fail(call, error);
    if (!isClosed) next();
  }

  function fail(call: Call, cause: Error): void {
    if (!calls.delete(call)) return;
    call.reject(new ApiError('UNAVAILABLE', 'The embedding model does not answer', { cause }));
  }

  return {
    id: offlineModel,
    dims: offlineDims,
    maxTokens: offlineTokensMax,
    async embed(texts, signal) {
      signal?.throwIfAborted();
      if (isClosed) throw new ApiError('UNAVAILABLE', 'The platform is stopping');
      if (texts.length === 0) return [];
      return new Promise((resolve, reject) => {
        const call: Call = { texts, vectors: [], resolve, reject };
        calls.add(call);
        signal?.addEventListener('abort', () => calls.delete(call) && reject(signal.reason), { once: true });
        next();
      });
    },
    async close() {
      isClosed = true;
      for (const call of calls) fail(call, new Error('closed'));
      const open = worker;
      worker = null;
      current = null;
      await open?.terminate();
    },
  };
}

const left = ({ texts, vectors }: Call): number => texts.length - vectors.length;
