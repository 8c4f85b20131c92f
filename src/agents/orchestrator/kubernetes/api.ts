import http, { type IncomingMessage } from 'node:http';
import https, { type RequestOptions } from 'node:https';
import type { KubeConfig } from '@kubernetes/client-node';
import { ApiFailure } from './api-failure.ts';
import { linesOf } from './lines.ts';

export interface ApiRequest {
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
  readonly signal: AbortSignal;
}

/** The API server of a cluster. */
export interface KubernetesApi {
  /**
   * @returns The JSON of the response.
   * @throws {ApiFailure} for an unsuccessful response; other errors if there is no response.
   */
  call<Response>(method: string, path: string, request: ApiRequest): Promise<Response>;
  /** The lines of a response while they arrive, until its end or until the signal is aborted. @throws {ApiFailure} */
  lines(path: string, request: ApiRequest): AsyncGenerator<string, void, void>;
  /** Ends the idle connections. */
  close(): void;
}

/** Bytes of a response that is read as a whole. */
const responseBytesMax = 32 * 1024 * 1024;

/**
 * A client of our own over the kubeconfig of client-node. Generated calls of client-node 2.0 create a dispatcher, and
 * so a TLS connection, for each request, read responses without a bound, and cannot be aborted. client-node provides
 * certificates, tokens, plug-ins and proxies.
 *
 * These requests do not pass the platform's guard of outgoing requests: the address comes from the operator's
 * kubeconfig or from the cluster, never from a user, and is usually a private one, which that guard rejects.
 */
export function createKubernetesApi(config: KubeConfig): KubernetesApi {
  const cluster = config.getCurrentCluster();
  const server = new URL(cluster?.server ?? '');
  const isTls = server.protocol === 'https:';
  const agent = isTls ? new https.Agent({ keepAlive: true }) : new http.Agent({ keepAlive: true });

  async function open(
    method: string,
    path: string,
    { query = {}, body, contentType = 'application/json', accept = 'application/json', signal }: ApiRequest,
  ): Promise<IncomingMessage> {
    signal.throwIfAborted();
    const options: RequestOptions = {};
    await config.applyToHTTPSOptions(options);
    signal.throwIfAborted();
    const url = new URL(`${server.origin}${server.pathname.replace(/\/$/, '')}${path}`);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const text = body === undefined ? undefined : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const request = (isTls ? https : http).request(url, {
        ...options,
        // The agent that client-node makes keeps no connection, except where it leads through a proxy.
        agent: cluster?.proxyUrl ? options.agent : agent,
        method,
        signal,
        headers: {
          ...options.headers,
          accept,
          'user-agent': 'patchbay',
          ...(text !== undefined && { 'content-type': contentType, 'content-length': Buffer.byteLength(text) }),
        },
      });
      request.once('response', resolve);
      request.once('error', reject);
      request.end(text);
    });
  }

  async function textOf(response: IncomingMessage): Promise<string> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > responseBytesMax) throw new Error('the response of the API server is too large');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString();
  }

  const isSuccess = ({ statusCode = 0 }: IncomingMessage) => statusCode >= 200 && statusCode < 300;

  return {
    async call<Response>(method: string, path: string, request: ApiRequest): Promise<Response> {
      const response = await open(method, path, request);
      const text = await textOf(response);
      if (!isSuccess(response)) throw ApiFailure.of(response.statusCode ?? 0, text);
      return JSON.parse(text) as Response;
    },
    async *lines(path, request) {
      const response = await open('GET', path, request);
      try {
        if (!isSuccess(response)) throw ApiFailure.of(response.statusCode ?? 0, await textOf(response));
        yield* linesOf(response);
      } finally {
        response.destroy();
      }
    },
    close: () => agent.destroy(),
  };
}
