import { createClient } from 'graphql-ws';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { verifies } from '../requirements.ts';
import { eventually, patienceMs, within } from '../support/deadline.ts';
import { secondProfileOf } from '../support/people.ts';
import { type Call, callerOf, startTestServer, tenantOf } from '../support/server.ts';
import { keyOf } from '../support/services.ts';

const server = await startTestServer();
const path = '/api/clipboard';
const query = 'subscription { clipboardChanged { kind uuid name count at entry { value idx name } } }';

interface Change {
  kind: string;
  uuid: string | null;
  name: string | null;
  count: number;
  at: string;
  entry: { value: string; idx: number | null; name: string | null } | null;
}

interface Listener {
  heard: Change[];
  /** Errors of the subscription or of the connection. */
  errors: unknown[];
  isOver(): boolean;
  stop(): Promise<void>;
}

interface Result {
  data?: { clipboardChanged: Change } | null | undefined;
  errors?: readonly unknown[] | undefined;
}

function take(result: Result, heard: Change[], errors: unknown[]): void {
  if (result.data?.clipboardChanged) heard.push(result.data.clipboardChanged);
  errors.push(...(result.errors ?? []));
}

function overSocket(secret: string | null, base = server.base): Listener {
  const heard: Change[] = [];
  const errors: unknown[] = [];
  let isOver = false;
  const client = createClient({
    url: `${base.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    lazy: true,
    ...(secret !== null && { connectionParams: { Authorization: `Bearer ${secret}` } }),
  });
  client.subscribe<{ clipboardChanged: Change }>(
    { query },
    {
      next: (result) => take(result, heard, errors),
      error: (error) => {
        errors.push(...(Array.isArray(error) ? error : [error]));
        isOver = true;
      },
      complete: () => {
        isOver = true;
      },
    },
  );
  return { heard, errors, isOver: () => isOver, stop: async () => client.dispose() };
}

function overSse(secret: string | null, base = server.base): Listener {
  const heard: Change[] = [];
  const errors: unknown[] = [];
  let isOver = false;
  const abort = new AbortController();
  const read = (async () => {
    const response = await fetch(`${base}/graphql`, {
      method: 'POST',
      headers: {
        Accept: 'text/event-stream',
        'Content-Type': 'application/json',
        ...(secret !== null && { Authorization: `Bearer ${secret}` }),
      },
      body: JSON.stringify({ query }),
      signal: abort.signal,
    });
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
      take((await response.json()) as Result, heard, errors);
      return;
    }
    let buffered = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      buffered += chunk;
      const events = buffered.split('\n\n');
      buffered = events.pop() ?? '';
      for (const event of events) {
        const data = /^data: ?(.+)$/m.exec(event)?.[1];
        if (/^event: ?next$/m.test(event) && data) take(JSON.parse(data) as Result, heard, errors);
      }
    }
  })();
  void read
    .catch((error) => errors.push(error))
    .finally(() => {
      isOver = true;
    });
  return {
    heard,
    errors,
    isOver: () => isOver,
    stop: async () => {
      abort.abort();
      await read.catch(() => undefined);
    },
  };
}

/** Writes until the listener hears, then tells it apart from what follows. */
async function whenListening(listener: Listener, call: Call): Promise<void> {
  await eventually('the subscription hears', async () => {
    await call('POST', path, { name: 'probe', value: 'probe' });
    return listener.heard.length > 0;
  });
  await call('DELETE', path, { name: 'probe' });
  await eventually('the last probe is heard', () => listener.heard.at(-1)?.kind === 'DELETED');
  listener.heard.length = 0;
}

describe.each([
  ['graphql-ws', overSocket],
  ['SSE', overSse],
])('clipboardChanged over %s', (_transport, open) => {
  const listen = (secret: string | null) => {
    const listener = open(secret);
    onTestFinished(() => listener.stop());
    return listener;
  };

  it(
    'shows every change that REST makes, in order, with the entry as it stands',
    verifies('clipboard.changed'),
    async () => {
      const { call, secret } = await tenantOf(server);
      const listener = listen(secret);
      await whenListening(listener, call);
      const set = (await call('POST', path, { name: 'n', value: 'v' })).body.entry;
      await eventually('SET', () => listener.heard.length === 1);
      const pushed = (await call('POST', `${path}/push`, { value: 'p' })).body.entry;
      await eventually('PUSHED', () => listener.heard.length === 2);
      await call('DELETE', `${path}/pop`);
      await eventually('POPPED', () => listener.heard.length === 3);
      await call('DELETE', path, { name: 'n' });
      await call('POST', `${path}/push`, { value: 'a' });
      await call('POST', `${path}/push`, { value: 'b' });
      await call('DELETE', `${path}/all`);
      await eventually('CLEARED', () => listener.heard.length === 7);
      const at = server.clock.now().toISOString();
      expect(listener.heard.slice(0, 4)).toEqual([
        { kind: 'SET', uuid: set.uuid, name: 'n', count: 1, at, entry: { value: 'v', idx: null, name: 'n' } },
        { kind: 'PUSHED', uuid: pushed.uuid, name: null, count: 1, at, entry: { value: 'p', idx: 0, name: null } },
        { kind: 'POPPED', uuid: pushed.uuid, name: null, count: 1, at, entry: null },
        { kind: 'DELETED', uuid: set.uuid, name: 'n', count: 1, at, entry: null },
      ]);
      expect(listener.heard.slice(4).map(({ kind, count }) => [kind, count])).toEqual([
        ['PUSHED', 1],
        ['PUSHED', 1],
        ['CLEARED', 2],
      ]);
      expect(listener.errors).toEqual([]);
    },
  );

  it('shows what a mutation writes, and the sweep of expired entries', async () => {
    const { call, secret, graphql } = await tenantOf(server);
    const listener = listen(secret);
    await whenListening(listener, call);
    await graphql('mutation { clipboardSet(input: { name: "n", value: "v", ttlSeconds: 1 }) { entry { uuid } } }');
    server.clock.advance(1000);
    await server.services.clipboard.purgeExpired();
    await eventually('EXPIRED', () => listener.heard.some(({ kind }) => kind === 'EXPIRED'));
    expect(listener.heard.map(({ kind, name }) => [kind, name])).toEqual([
      ['SET', 'n'],
      ['EXPIRED', 'n'],
    ]);
    expect(listener.heard[1]?.entry).toBeNull();
  });

  it('F07, A23: shows nothing of another tenant, nor of another profile of the project, public entries neither', async () => {
    const tenant = await tenantOf(server);
    const otherTenant = await tenantOf(server);
    const sibling = await secondProfileOf(server, tenant.user, 'same project');
    const listener = listen(tenant.secret);
    await whenListening(listener, tenant.call);
    for (const call of [otherTenant.call, sibling.call]) {
      await call('POST', path, { name: 'n', value: 'theirs', visibility: 'public' });
      await call('POST', `${path}/push`, { value: 'theirs', visibility: 'workspace' });
      await call('DELETE', `${path}/all`);
    }
    await tenant.call('POST', path, { name: 'mine', value: 'mine' });
    await eventually('one’s own change', () => listener.heard.some(({ name }) => name === 'mine'));
    expect(listener.heard).toHaveLength(1);
  });

  it('receives events of every other key of the profile, and none for a refused write', async () => {
    const { call, user, secret } = await tenantOf(server);
    const other = callerOf(server, (await keyOf(server.services, user, { channel: 'mcp' })).secret);
    const listener = listen(secret);
    await whenListening(listener, call);
    await other('POST', path, { name: '', value: 'v' });
    await other('DELETE', path, { name: 'none' });
    await other('DELETE', `${path}/pop`);
    await other('POST', path, { name: 'n', value: 'v' });
    await eventually('the other key’s change', () => listener.heard.length > 0);
    expect(listener.heard.map(({ kind, name }) => [kind, name])).toEqual([['SET', 'n']]);
  });

  it('refuses an anonymous caller, a wrong key and a key that may not read', async () => {
    const { user, secret } = await tenantOf(server);
    const writer = (await keyOf(server.services, user, { scopes: ['write'] })).secret;
    for (const key of [null, `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`, writer]) {
      const listener = listen(key);
      await eventually('the refusal', () => listener.isOver());
      expect(listener.heard).toEqual([]);
      expect(listener.errors.length).toBeGreaterThan(0);
    }
  });

  it('B05: a revoked key hears no more, and its stream ends', verifies('graph.socket.credentials'), async () => {
    const { call, secret, user, uuid } = await tenantOf(server);
    const other = callerOf(server, (await keyOf(server.services, user)).secret);
    const listener = listen(secret);
    await whenListening(listener, call);
    await server.services.auth.apiKeys.revoke(user, { uuid });
    await eventually('the end of the stream', () => listener.isOver());
    await other('POST', path, { name: 'n', value: 'secret' });
    expect(listener.heard).toEqual([]);
    // At most one word of farewell.
    expect(listener.errors.length).toBeLessThanOrEqual(1);
  });
});

describe('I03: a stop of the server', () => {
  it.each([['graphql-ws'], ['SSE']])('I03: ends an idle subscription over %s at once', async (transport) => {
    const stopping = await startTestServer();
    const { call, secret } = await tenantOf(stopping);
    const listener = (transport === 'SSE' ? overSse : overSocket)(secret, stopping.base);
    onTestFinished(() => listener.stop());
    await whenListening(listener, call);
    await within('the stop', patienceMs, stopping.stop());
    await eventually('the end of the stream', () => listener.isOver());
  });
});
