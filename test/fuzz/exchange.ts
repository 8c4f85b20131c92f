import { type Agent, request } from 'node:http';

/** A request as it goes out. */
export interface Outgoing {
  readonly method: string;
  readonly path: string;
  /** In order, and a name may come twice. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer | null;
}

export interface Incoming {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** True for server-sent events: they do not end by themselves, and are cut off after their head. */
  readonly isStream: boolean;
  readonly milliseconds: number;
}

/** Sends a request over a kept connection. @returns Why there was no answer, instead of one. */
export function exchange(
  base: string,
  agent: Agent,
  { method, path, headers, body }: Outgoing,
  timeoutMs: number,
): Promise<Incoming | { failure: string; milliseconds: number }> {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const { hostname, port } = new URL(base);
    const fixed: [string, string][] = [['Host', `${hostname}:${port}`]];
    if (body) fixed.push(['Content-Length', String(body.length)]);
    const req = request({
      host: hostname,
      port,
      method,
      path,
      agent,
      headers: [...fixed, ...headers].flat(),
    });
    const timer = setTimeout(() => finish({ failure: 'no answer in time', ...elapsed() }), timeoutMs);
    const elapsed = () => ({ milliseconds: performance.now() - startedAt });
    let isAnswered = false;
    const finish = (result: Incoming | { failure: string; milliseconds: number }) => {
      clearTimeout(timer);
      resolve(result);
      // A body that the server did not want is still being sent.
      if (!req.writableFinished || 'failure' in result || result.isStream) req.destroy();
    };
    req.on('response', (res) => {
      isAnswered = true;
      const head = { status: res.statusCode ?? 0, headers: res.headers };
      if (res.headers['content-type']?.startsWith('text/event-stream')) {
        finish({ ...head, text: '', isStream: true, ...elapsed() });
        return;
      }
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () => finish({ ...head, text: Buffer.concat(chunks).toString(), isStream: false, ...elapsed() }));
      res.on('error', (error) => finish({ failure: `the answer broke off: ${error.message}`, ...elapsed() }));
    });
    req.on('upgrade', (res, socket) => {
      socket.destroy();
      finish({ status: res.statusCode ?? 0, headers: res.headers, text: '', isStream: true, ...elapsed() });
    });
    req.on('error', (error: NodeJS.ErrnoException) => {
      if (!isAnswered) finish({ failure: error.code ?? error.message, ...elapsed() });
    });
    req.end(body ?? undefined);
  });
}
