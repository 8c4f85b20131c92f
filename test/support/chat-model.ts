import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cleanUp } from './cleanup.ts';

/** What the endpoint was asked. */
export interface ModelRequest {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into it
  readonly body: any;
  /** Whether the client has closed the connection. */
  readonly isClosed: () => boolean;
}

type Reply = (request: ModelRequest, res: ServerResponse) => void | Promise<void>;

/** A server that speaks the chat protocol of OpenAI, and gives each request the next reply; the last one stays. */
export async function startChatModel() {
  const requests: ModelRequest[] = [];
  let replies: Reply[] = [says('Hello.')];
  const server = createServer((req, res) => {
    let text = '';
    req.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    req.on('end', async () => {
      const request = {
        url: String(req.url),
        headers: req.headers,
        body: JSON.parse(text),
        isClosed: () => res.closed,
      };
      requests.push(request);
      const reply = replies.length > 1 ? replies.shift() : replies[0];
      await reply?.(request, res);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  cleanUp(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    port,
    requests,
    /** The replies to come. */
    reply(...next: Reply[]): void {
      replies = next;
    },
  };
}

const frame = (choice: object | null, rest: object = {}) =>
  `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: choice ? [choice] : [], ...rest })}\n\n`;

export const piece = (content: string) => frame({ index: 0, delta: { role: 'assistant', content } });
const ending = (reason = 'stop') => frame({ index: 0, delta: {}, finish_reason: reason });
const usage = (prompt_tokens: number, completion_tokens: number) =>
  frame(null, { usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens } });

const open = (res: ServerResponse) => res.writeHead(200, { 'Content-Type': 'text/event-stream' });

/** Streams pieces of text, and counts tokens. */
export function says(...pieces: string[]): Reply {
  return (_request, res) => {
    open(res);
    for (const each of pieces) res.write(piece(each));
    res.end(`${ending()}${usage(120, 30)}data: [DONE]\n\n`);
  };
}

/** A call of a tool, as a model writes it. Arguments that are a text stand as they are. */
export interface WrittenCall {
  readonly name: string;
  readonly args?: unknown;
}

/** Streams some text and calls of tools, whose arguments come in pieces, and counts tokens. */
export function callsTools(calls: readonly WrittenCall[], text = ''): Reply {
  return (_request, res) => {
    open(res);
    if (text !== '') res.write(piece(text));
    for (const [index, { name, args = {} }] of calls.entries()) {
      const written = typeof args === 'string' ? args : JSON.stringify(args);
      const half = Math.ceil(written.length / 2);
      const delta = (call: object) => frame({ index: 0, delta: { tool_calls: [{ index, ...call }] } });
      res.write(delta({ id: `call-${index}`, type: 'function', function: { name, arguments: '' } }));
      for (const each of [written.slice(0, half), written.slice(half)])
        res.write(delta({ function: { arguments: each } }));
    }
    res.end(`${ending('tool_calls')}${usage(120, 30)}data: [DONE]\n\n`);
  };
}

/** Streams text and counts no tokens. */
export const saysUncounted =
  (text: string): Reply =>
  (_request, res) => {
    open(res);
    res.end(`${piece(text)}${ending()}data: [DONE]\n\n`);
  };

/** Streams some text, and keeps the connection open. */
export const stalls =
  (...pieces: string[]): Reply =>
  (_request, res) => {
    open(res);
    for (const each of pieces) res.write(piece(each));
  };

/**
 * Lets the next answer begin with a text, and go on when it is told to.
 *
 * @returns `isOpen` resolves when the endpoint was asked; `say` adds a text, and ends the answer with null.
 */
export function speaks({ reply }: { reply(...next: Reply[]): void }, first: string) {
  let answer: ServerResponse | null = null;
  const isOpen = new Promise<void>((resolve) => {
    reply(async (request, res) => {
      await stalls(first)(request, res);
      answer = res;
      resolve();
    });
  });
  return {
    isOpen,
    say(text: string | null): void {
      if (text === null) answer?.end(`${ending()}data: [DONE]\n\n`);
      else answer?.write(piece(text));
    },
  };
}

/** Streams some text, and breaks the connection. */
export const cutsOff =
  (text: string): Reply =>
  (_request, res) => {
    open(res);
    res.write(piece(text), () => res.destroy());
  };

/** Ends the stream before the answer has ended. */
export const endsEarly =
  (text: string): Reply =>
  (_request, res) => {
    open(res);
    res.end(piece(text));
  };

export const answers =
  (status: number, body: string, headers: Record<string, string> = {}): Reply =>
  (_request, res) => {
    res.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body);
  };

/** Streams what is no JSON. */
export const babbles: Reply = (_request, res) => {
  open(res);
  res.end('data: {"choices": [{"delta": {"content": \n\ndata: [DONE]\n\n');
};

/** Streams without an end. */
export const floods: Reply = (_request, res) => {
  open(res);
  const more = () => {
    while (!res.closed && res.write(piece('x'.repeat(10_000))));
  };
  res.on('drain', more);
  more();
};
