import { patienceMs, within } from './deadline.ts';

export interface StreamEvent {
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into results of every shape
  readonly data: any;
}

export interface EventStream {
  readonly status: number;
  /** The next event; null at the end of the stream. */
  next(withinMs?: number): Promise<StreamEvent | null>;
  close(): void;
}

/** Subscribes over server-sent events (graphql-sse, distinct connections). */
export async function openEventStream(
  base: string,
  query: string,
  headers: Record<string, string>,
  variables: Record<string, unknown> = {},
): Promise<EventStream> {
  const abort = new AbortController();
  const response = await fetch(`${base}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream', ...headers },
    body: JSON.stringify({ query, variables }),
    signal: abort.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';

  async function taken(): Promise<StreamEvent | null> {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end !== -1) {
        const block = text.slice(0, end);
        text = text.slice(end + 2);
        const event = /^event: ?(.*)$/m.exec(block)?.[1];
        const data = [...block.matchAll(/^data: ?(.*)$/gm)].map(([, line]) => line).join('\n');
        // Comments keep the connection open and say nothing.
        if (event !== undefined || data !== '')
          return { event: event ?? 'message', data: data ? JSON.parse(data) : null };
        continue;
      }
      const chunk = await reader?.read();
      if (chunk === undefined || chunk.done) return null;
      text += chunk.value;
    }
  }

  return {
    status: response.status,
    next: (withinMs = patienceMs) => within('an event', withinMs, taken()),
    close: () => abort.abort(),
  };
}
