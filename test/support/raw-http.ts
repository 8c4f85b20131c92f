import { once } from 'node:events';
import { request } from 'node:http';

export interface RawResponse {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
  /** Bytes of the body that the server took before it answered. */
  readonly bytesSent: number;
}

/**
 * A request as its bytes: with or without a length, a body on a GET, a header twice, a body that is no text.
 *
 * An iterable is sent chunked, without `Content-Length`, for as long as the server takes it.
 */
export async function rawRequest(
  base: string,
  options: {
    method: string;
    path: string;
    headers?: Record<string, string | string[]>;
    body?: Uint8Array | Iterable<Uint8Array>;
  },
): Promise<RawResponse> {
  const { method, path, headers = {}, body } = options;
  const req = request(base, { method, path, headers, agent: false });
  let bytesSent = 0;
  let isAnswered = false;
  const answered = new Promise<RawResponse>((resolve, reject) => {
    req.on('response', (res) => {
      isAnswered = true;
      const chunks: Buffer[] = [];
      const finish = () =>
        resolve({
          status: res.statusCode ?? 0,
          headers: res.headers,
          text: Buffer.concat(chunks).toString(),
          bytesSent,
        });
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', finish);
      res.on('error', finish);
    });
    // A server that answers early may close while we still send; what counts is whether the answer arrived.
    req.on('error', (error) => {
      if (!isAnswered) reject(error);
    });
  });
  const sent = (async () => {
    if (body instanceof Uint8Array) {
      bytesSent += body.length;
      req.end(body);
    } else {
      for (const chunk of body ?? []) {
        if (isAnswered || req.destroyed) break;
        bytesSent += chunk.length;
        if (!req.write(chunk)) await Promise.race([once(req, 'drain'), answered]);
      }
      req.end();
    }
  })();
  const [answer] = await Promise.all([answered, sent.catch(() => undefined)]);
  req.destroy();
  return answer;
}
