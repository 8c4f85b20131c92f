import { eventually } from '../support/deadline.ts';
import type { Check } from './check.ts';
import { afterCounted, costly } from './cost.ts';
import { packed } from './payloads.ts';
import { type Reply, send, type Target } from './target.ts';

/** Patterns that take the most steps for each character. Each is searched for in vain. */
const patterns = ['(?:\\s{1,10}){1,10}!', '(.*)(.*)(.*)(.*)!', '([\\p{L}\\p{N}]+\\s?)+!', '^', 'Z{100}'];
const wordsOf = (count: number) => Array.from({ length: count }, (_, n) => `word${(n * 7_919) % 5_000}`).join(' ');
/** 500 characters, and 4 000. */
const longestQuery = wordsOf(80).slice(0, 500);
const longestMessage = wordsOf(600).slice(0, 4_000);

/**
 * Requests to documents and the chat at the bounds of their input. They need a profile with large documents, which are uploaded here
 * first. Source: docs/decisions/0028-what-a-request-may-cost.md.
 */
export async function documents(target: Target): Promise<Check[]> {
  const lines = await stored(target, spaces(1_990_000), feeds(1_990_000));
  const line = await stored(target, spaces(1_990_000), `${spaces(1_990_000)}\n.`);
  const words = await stored(target, `${wordsOf(20)}\n`.repeat(100));
  const many = await stored(target, feeds(99_000), `${feeds(99_000)}.`);
  const different = await stored(target, steps(90_000, 7), steps(90_000, 11));
  const session = await sessionOf(target);

  const grep = (pattern: string, documentId: string | null): Check =>
    costly(
      `GET /api/documents/grep for ${pattern} in ${documentId ? 'one document' : 'all'}`,
      'high',
      afterCounted,
      (given) =>
        send(given, {
          method: 'GET',
          path: '/api/documents/grep',
          search: `?${new URLSearchParams({ pattern, limit: '100', contextLines: '5', ...(documentId && { documentId }) })}`,
        }),
    );
  const diff = (name: string, documentId: string): Check =>
    costly(`GET /api/documents/{id}/diff of ${name}`, 'high', afterCounted, (given) =>
      send(given, { method: 'GET', path: `/api/documents/${documentId}/diff` }),
    );
  const post = (name: string, path: string, body: object): Check =>
    costly(name, 'high', afterCounted, (given) => send(given, { path, ...packed(JSON.stringify(body), 'plain') }));

  return [
    ...[null, lines, line, words].flatMap((id) => patterns.map((pattern) => grep(pattern, id))),
    diff('4 million characters in three lines', line),
    diff('4 million characters in 2 million lines', lines),
    diff('200 000 lines that are the same', many),
    diff('180 000 lines that differ', different),
    post('POST /api/documents/search with 500 characters', '/api/documents/search', { query: longestQuery, limit: 50 }),
    post('POST /api/rag/query with 500 characters', '/api/rag/query', { query: longestQuery }),
    post('POST a chat message of 4 000 characters', '/api/embedded-chat/messages', {
      sessionId: session,
      message: longestMessage,
    }),
    costly(
      'POST a file of 2 MB without words',
      'high',
      afterCounted,
      async (given) => (await upload(given, spaces(2_000_000))).reply,
    ),
  ];
}

/** Text without words is refused. */
const feeds = (count: number) => `a${'\n'.repeat(count)}b`;

/** One line. White space is read quickly: what has no words has few passages. */
const spaces = (count: number) => `a${' '.repeat(count)}b`;

/** Lines of one to eight spaces, in an order of their own. */
const steps = (count: number, step: number) =>
  `a\n${Array.from({ length: count }, (_, n) => ' '.repeat(1 + (((n * step) >> 2) % 8))).join('\n')}`;

/** Uploads the versions of a document, and waits until each has been read. @returns Its id. */
async function stored(target: Target, ...versions: readonly string[]): Promise<string> {
  let documentId: string | undefined;
  for (const text of versions) {
    const { id } = await upload(target, text, documentId);
    documentId = id;
    await eventually(
      'the document has been read',
      async () => {
        const { json } = await send(target, { method: 'GET', path: `/api/documents/${id}` });
        if (json?.document.status === 'failed') throw new Error(`a document cannot be read: ${JSON.stringify(json)}`);
        return json?.document.status === 'ready';
      },
      { withinMs: 600_000, everyMs: 200 },
    );
  }
  return documentId as string;
}

async function upload(target: Target, text: string, documentId?: string): Promise<{ id: string; reply: Reply }> {
  const form = new FormData();
  form.set('file', new Blob([text], { type: 'text/plain' }), 'attack.txt');
  const path = documentId ? `/api/documents/${documentId}/file` : '/api/documents/upload';
  const reply = await send(target, { path, method: documentId ? 'PUT' : 'POST', body: form });
  if (reply.status !== 200) throw new Error(`the upload was not taken: ${reply.status} ${reply.text}`);
  return { id: reply.json.documentId, reply };
}

async function sessionOf(target: Target): Promise<string> {
  const { json } = await send(target, { path: '/api/embedded-chat/sessions', ...packed('{}', 'plain') });
  return json.sessionId;
}
