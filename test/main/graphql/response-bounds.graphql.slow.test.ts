import { beforeAll, describe, expect, it } from 'vitest';
import { verifies } from '../../requirements.ts';
import { patienceMs } from '../../support/deadline.ts';
import { connectedSocket } from '../../support/graphql-socket.ts';
import { graphqlOf, startTestServer, tenantOf } from '../../support/server.ts';

const server = await startTestServer();
type Tenant = Awaited<ReturnType<typeof tenantOf>>;
type GraphqlResponse = { data?: unknown; errors?: { message: string; extensions: { code: string } }[] };

const megabyte = 1024 * 1024;
const valueBytes = 2 * megabyte;
const times = (count: number, text: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join(' ');

/** Pushes entries of 2 MB each. @returns Their global ids. */
async function pushed({ caller }: Tenant, count: number, character: string): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    const { uuid } = await server.services.clipboard.push(caller, { value: character.repeat(valueBytes) });
    ids.push(Buffer.from(`ClipboardEntry:${uuid}`).toString('base64'));
  }
  return ids;
}

/** What the database sent while something ran: the characters of all texts in all rows. */
async function bytesReadBy(run: () => Promise<unknown>): Promise<number> {
  const { database } = server;
  const { query, read } = database;
  let bytes = 0;
  const watched =
    (original: typeof query): typeof query =>
    async (statement) => {
      const rows = await original.call(database, statement);
      for (const value of rows.flatMap((row) => Object.values(row as object)))
        if (typeof value === 'string') bytes += value.length;
      return rows as never;
    };
  Object.assign(database, { query: watched(query), read: watched(read) });
  try {
    await run();
  } finally {
    Object.assign(database, { query, read });
  }
  return bytes;
}

/** The answer is one error, and nothing else. */
const expectTooLarge = ({ data, errors }: GraphqlResponse) => {
  expect(data).toBeNull();
  expect(errors).toHaveLength(1);
  expect(errors?.[0]?.extensions.code).toBe('TOO_LARGE');
};

describe('8 entries of 2 MB of control characters, which are 100 MB as JSON', () => {
  let tenant: Tenant;
  let ids: string[];
  beforeAll(async () => {
    tenant = await tenantOf(server);
    ids = await pushed(tenant, 8, '\u0001');
  });

  const shapes: [name: string, document: string][] = [
    ['by aliases of their indexes', `{ ${times(8, (i) => `a${i}: clipboardEntry(by: { idx: ${i} }) { value }`)} }`],
    ['by aliases of one entry', `{ ${times(100, (i) => `a${i}: clipboardEntry(by: { idx: 0 }) { value }`)} }`],
    ['by aliases of the value', `{ clipboardEntry(by: { idx: 0 }) { ${times(8, (i) => `a${i}: value`)} } }`],
    ['by global ids', 'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on ClipboardEntry { value } } }'],
    ['by two lists', `{ ${times(2, (i) => `a${i}: clipboardEntries(first: 16) { nodes { value } }`)} }`],
    ['by a list that is shown twice', '{ clipboardEntries(first: 16) { nodes { value } edges { node { value } } } }'],
    ['by two pages', `{ ${times(2, (i) => `a${i}: clipboardEntryPage(limit: 16) { entries { value } }`)} }`],
  ];

  it.each(shapes)(
    '%s are refused by one error over a POST, after at most 16 MB were read from the database',
    async (_name, query) => {
      let answer: GraphqlResponse = {};
      const bytes = await bytesReadBy(async () => {
        answer = await tenant.graphql(query, { ids });
      });
      expectTooLarge(answer);
      expect(bytes).toBeGreaterThan(valueBytes);
      expect(bytes).toBeLessThan(17 * megabyte);
    },
  );

  it('are refused by one error over a socket', verifies('graph.counted'), async () => {
    const socket = await connectedSocket(server.base, tenant.secret);
    for (const [name, query] of shapes.slice(2, 5)) {
      socket.send({ type: 'subscribe', id: name, payload: { query, variables: { ids } } });
      const { payload } = await socket.next();
      expectTooLarge(payload);
      expect(await socket.next()).toMatchObject({ type: 'complete', id: name });
    }
    socket.socket.close();
  });

  it('are listed over REST in pages that end before they are too large', async () => {
    const uuids: string[] = [];
    for (let page = 0; page < 2; page++) {
      const { status, body, text } = await tenant.call('GET', `/api/clipboard?offset=${uuids.length}`);
      expect([status, body.total]).toEqual([200, 8]);
      expect(text.length).toBeLessThan(17 * megabyte);
      uuids.push(...body.entries.map(({ uuid }: { uuid: string }) => uuid));
    }
    expect(uuids.map((uuid) => Buffer.from(`ClipboardEntry:${uuid}`).toString('base64'))).toEqual(
      ids.toReversed().slice(0, 2),
    );
  });

  it('are listed by cursors in such pages, too', async () => {
    const seen: string[] = [];
    let after: string | null = null;
    for (let page = 0; page < 2; page++) {
      const { clipboardEntries }: { clipboardEntries: Connection } = (
        await tenant.graphql(
          `query ($after: String) { clipboardEntries(first: 16, after: $after) {
            nodes { id value } pageInfo { hasNextPage endCursor } } }`,
          { after },
        )
      ).data;
      seen.push(...clipboardEntries.nodes.map(({ id }) => id));
      expect(clipboardEntries.pageInfo.hasNextPage).toBe(true);
      after = clipboardEntries.pageInfo.endCursor;
    }
    expect(seen).toEqual(ids.toReversed().slice(0, 2));
  });
});

interface Connection {
  readonly nodes: { readonly id: string }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

describe('the size of an answer', () => {
  it('counts 2 MB of one character by its JSON', verifies('graph.counted'), async () => {
    const tenant = await tenantOf(server);
    // How many of them fit into 17 MB: a quote has two bytes, a control character six.
    for (const [name, character, fits] of [
      ['quote', '"', 4],
      ['escape', '\u001b', 1],
    ] as const) {
      await server.services.clipboard.set(tenant.caller, { name, value: character.repeat(valueBytes) });
      const ask = (count: number) =>
        tenant.graphql(`{ clipboardEntry(by: { name: "${name}" }) { ${times(count, (i) => `a${i}: value`)} } }`);
      expect((await ask(fits)).errors, name).toBeUndefined();
      expectTooLarge(await ask(fits + 1));
    }
  });

  it('starts again with each event of a subscription', verifies('graph.counted'), async () => {
    const tenant = await tenantOf(server);
    const socket = await connectedSocket(server.base, tenant.secret);
    socket.send({
      type: 'subscribe',
      id: 'a',
      payload: { query: 'subscription { clipboardChanged { entry { value } } }' },
    });
    // Wait until it is heard: what is set before it is subscribed is not.
    const set = () => server.services.clipboard.set(tenant.caller, { name: 'a', value: '\u0001'.repeat(valueBytes) });
    await expect
      .poll(
        async () => {
          await set();
          return await socket.next(500).catch(() => null);
        },
        { timeout: patienceMs },
      )
      .toMatchObject({ payload: { data: { clipboardChanged: { entry: {} } } } });
    for (let i = 0; i < 2; i++) {
      await set();
      const { payload } = await socket.next();
      expect(payload.errors).toBeUndefined();
    }
    socket.socket.close();
  });

  it('does not take an entry off the stack that the answer cannot hold', async () => {
    const tenant = await tenantOf(server);
    await pushed(tenant, 12, 'x');
    expectTooLarge(await tenant.graphql(`mutation { ${times(12, (i) => `a${i}: clipboardPop { entry { value } }`)} }`));
    expect(await server.services.clipboard.count(tenant.caller, {})).toBe(4);
  });

  it('bounds introspection, whose lists no argument bounds', verifies('graph.counted'), async () => {
    const anonymous = graphqlOf(server, null);
    const document = (each: number) => `{ __schema { ...S } }
      fragment S on __Schema { ${times(each, (i) => `a${i}: types { ...T }`)} }
      fragment T on __Type { ${times(each, (i) => `b${i}: fields { ...F }`)} }
      fragment F on __Field { ${times(each, (i) => `c${i}: args { name }`)} }`;
    expect((await anonymous(document(1))).errors).toBeUndefined();
    expectTooLarge(await anonymous(document(33)));
  });
});
