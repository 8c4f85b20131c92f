import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createEmbeddingProviders } from '../../src/documents/embedding/provider.ts';
import { allowancesOf, noAllowances } from '../../src/platform/egress/allowances.ts';
import { createEgress } from '../../src/platform/egress/egress.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createManualClock } from '../support/manual-clock.ts';

interface Asked {
  readonly model: string;
  readonly input: string[];
}

type Answer = (asked: Asked, response: ServerResponse) => void;

/** Vectors as an endpoint would make them: the length of the text, and 1. In another order than asked. */
const vectors: Answer = ({ input }, response) =>
  response.end(
    JSON.stringify({
      object: 'list',
      data: input.map((text, index) => ({ object: 'embedding', index, embedding: [text.length, 1] })).reverse(),
    }),
  );

const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    response.writeHead(code, headers).end('{"error":{"message":"no"}}');

/** An endpoint that gives some answers in turn, the last one for good. */
async function stage(answers: readonly Answer[], textsPerHour = 0) {
  const asked: (Asked & { authorization: string | undefined })[] = [];
  const left = [...answers];
  const server = createServer(async (request: IncomingMessage, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = JSON.parse(Buffer.concat(parts).toString()) as Asked;
    asked.push({ ...body, authorization: request.headers.authorization });
    (left.length > 1 ? (left.shift() as Answer) : (left[0] as Answer))(body, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const egress = createEgress({ isProduction: false, allow: allowancesOf(`127.0.0.1:${port}`) ?? noAllowances });
  const clock = createManualClock();
  const pauses: number[] = [];
  const providers = createEmbeddingProviders({
    egress,
    clock,
    log: createLogger('silent'),
    delay: async (milliseconds) => void pauses.push(milliseconds),
    endpoint: { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: 'secret', model: 'small', dims: 2, textsPerHour },
  });
  cleanUp(async () => {
    await providers.close();
    egress.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { providers, provider: providers.current, asked, pauses, clock };
}

const shown = (vectorsOf: readonly Float32Array[]) =>
  vectorsOf.map((vector) => [...vector].map((each) => each.toFixed(3)));

test('an endpoint is asked in batches, and its vectors have length 1 in the order of the texts', async () => {
  const { provider, asked } = await stage([vectors]);
  const texts = ['aaa', '', ...Array.from({ length: 99 }, () => 'b')];
  const embedded = await provider.embed(texts);
  expect(shown(embedded.slice(0, 3))).toEqual([
    ['0.949', '0.316'],
    ['0.000', '0.000'],
    ['0.707', '0.707'],
  ]);
  expect(embedded.length).toBe(101);
  expect(asked.map(({ input }) => input.length)).toEqual([64, 36]);
  expect(asked[0]).toMatchObject({ model: 'small', authorization: 'Bearer secret' });
  expect(provider).toMatchObject({ id: 'openai:small', dims: 2 });
});

test('429 and 5xx are tried again after what Retry-After says, or after growing pauses', async () => {
  const { provider, asked, pauses } = await stage([
    status(429, { 'retry-after': '3' }),
    status(503),
    status(500),
    vectors,
  ]);
  expect((await provider.embed(['aaa'])).length).toBe(1);
  expect(asked.length).toBe(4);
  expect(pauses).toEqual([3_000, 1_000, 2_000]);
});

test('a request to an endpoint that does not respond is cancelled', async () => {
  const { provider, pauses } = await stage([status(429, { 'retry-after': '120' })]);
  await expect(provider.embed(['a'])).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfter: 120 });
  expect(pauses).toEqual([]);
});

test.each<[string, Answer]>([
  ['a refused key', status(401)],
  ['a redirect', status(302, { location: 'http://169.254.169.254/' })],
  ['a response that is not JSON', (_, response) => response.end('<html>')],
  [
    'other dimensions',
    ({ input }, response) =>
      response.end(JSON.stringify({ data: input.map((_, index) => ({ index, embedding: [1, 2, 3] })) })),
  ],
  ['too few vectors', (_, response) => response.end('{"data":[]}')],
  [
    'the same index twice',
    ({ input }, response) => response.end(JSON.stringify({ data: input.map(() => ({ index: 0, embedding: [1, 2] })) })),
  ],
  ['a huge response', (_, response) => response.end('x'.repeat(1_000_000))],
])('%s is not tried again', async (_, answer) => {
  const { provider, asked } = await stage([answer]);
  await expect(provider.embed(['a', 'b'])).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(asked.length).toBe(1);
});

test('the budget of an hour ends, and starts again', async () => {
  const { provider, clock, asked } = await stage([vectors], 3);
  await provider.embed(['a', 'b']);
  clock.advance(600_000);
  await expect(provider.embed(['c', 'd'])).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfter: 3_000 });
  await provider.embed(['c']);
  clock.advance(3_000_000);
  await provider.embed(['e', 'f', 'g']);
  expect(asked.map(({ input }) => input.join(''))).toEqual(['ab', 'c', 'efg']);
});

test('vectors of an earlier model have a provider, if it is the offline one or the one that is configured', async () => {
  const { providers, asked } = await stage([vectors]);
  await providers.of('openai:large', 2)?.embed(['a']);
  expect(asked[0]?.model).toBe('large');
  expect(providers.of('universal-sentence-encoder-lite', 512)?.dims).toBe(512);
  expect(providers.of('another-model', 3)).toBeNull();
});

test('the offline model embeds texts of any length, a query before the rest of a document', async () => {
  const egress = createEgress({ isProduction: true, allow: noAllowances });
  const providers = createEmbeddingProviders({
    egress,
    clock: createManualClock(),
    log: createLogger('silent'),
    endpoint: null,
  });
  cleanUp(() => providers.close());
  const { embed, dims } = providers.current;
  const order: string[] = [];
  const document = embed(Array.from({ length: 12 }, (_, index) => `The ${index}. sentence is about boats.`)).then(
    (all) => {
      order.push('document');
      return all;
    },
  );
  const query = embed(['boats']).then((all) => {
    order.push('query');
    return all;
  });
  const [boats] = (await query) as [Float32Array];
  const all = await document;
  expect(order).toEqual(['query', 'document']);
  expect(all.length).toBe(12);
  expect(boats.length).toBe(dims);
  const [empty, spaces, unknown, long, strange] = (await embed([
    '',
    ' \n',
    '\u{1f6a2}你好 \ud800',
    'ship sails '.repeat(2_000),
    'The ship sails \u{1f6a2} to 上海 \ud800',
  ])) as [Float32Array, Float32Array, Float32Array, Float32Array, Float32Array];
  const length = (vector: Float32Array) => Math.hypot(...vector);
  expect([empty, spaces, unknown].map(length)).toEqual([0, 0, 0]);
  expect([boats, long, strange].map((vector) => length(vector).toFixed(3))).toEqual(['1.000', '1.000', '1.000']);
  const given = new AbortController();
  const aborted = embed(['a', 'b', 'c'], given.signal);
  given.abort();
  await expect(aborted).rejects.toThrow();
  await providers.close();
  await expect(embed(['late'])).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});
