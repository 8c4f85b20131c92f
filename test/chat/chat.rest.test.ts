import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { callerOf, startTestServer, tenantOf } from '../support/server.ts';
import { path, storeDocument } from './chat-stage.ts';

const server = await startTestServer();
const text =
  'This contract begins in May.\n\nThe notice period is three months. It is given in writing.\n\nRent is due on the third.';

async function withDocument() {
  const owner = await tenantOf(server);
  const document = await storeDocument(server.database, owner.caller, { text });
  return { ...owner, document };
}

const sessionOf = async (owner: Awaited<ReturnType<typeof tenantOf>>, body: object = {}): Promise<string> =>
  (await owner.call('POST', `${path}/sessions`, body)).body.sessionId;

describe('POST /api/embedded-chat/sessions', () => {
  it('answers the session', verifies('chat.session'), async () => {
    const owner = await tenantOf(server);
    const profileUuid = owner.caller.principal?.profileUuid;
    const body = { profileUuid, model: 'extractive', temperature: 1.5, maxTokens: 32_000 };
    const answer = await owner.call('POST', `${path}/sessions`, body);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        ...body,
        sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        title: null,
        tools: [],
        messageCount: 0,
        usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
        createdAt: server.clock.now().toISOString(),
        updatedAt: server.clock.now().toISOString(),
      },
    ]);
  });

  it.each([
    [{ temperature: 1e9 }, 'temperature'],
    [{ temperature: -0.1 }, 'temperature'],
    [{ temperature: '1' }, 'temperature'],
    [{ maxTokens: -1 }, 'maxTokens'],
    [{ maxTokens: 0 }, 'maxTokens'],
    [{ maxTokens: 32_001 }, 'maxTokens'],
    [{ maxTokens: 1.5 }, 'maxTokens'],
    [{ model: 'gpt-99' }, 'model'],
    [{ model: 7 }, 'model'],
    [{ title: '' }, 'title'],
  ])('refuses values out of bounds, naming the field: %#', async (body, field) => {
    const { call } = await tenantOf(server);
    const answer = await call('POST', `${path}/sessions`, body);
    expect([answer.status, Object.keys(answer.body.error.details)]).toEqual([400, [field]]);
  });

  it('refuses the profile of another, and one that does not exist', async () => {
    const [owner, other] = [await tenantOf(server), await tenantOf(server)];
    for (const profileUuid of [other.caller.principal?.profileUuid, randomUUID(), 'nothing']) {
      const { status } = await owner.call('POST', `${path}/sessions`, { profileUuid });
      expect(status).toBe(404);
    }
  });
});

describe('POST /api/embedded-chat/messages', () => {
  it(
    'quotes the best passages, cites them and says so',
    verifies('chat.extractive', 'chat.message', 'chat.citations'),
    async () => {
      const owner = await withDocument();
      const sessionId = await sessionOf(owner);
      const asked = { sessionId, message: 'How long is the notice period?', includeContext: true };
      const { status, body } = await owner.call('POST', `${path}/messages`, asked);
      const words = 'The notice period is three months.';
      expect(status).toBe(200);
      expect(body).toMatchObject({
        sessionId,
        messageId: expect.any(String),
        role: 'assistant',
        status: 'complete',
        failure: null,
        model: 'extractive',
        content: expect.stringContaining(`> ${words} [1]`),
        usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0, estimated: false },
      });
      expect(body.citations[0]).toEqual({
        number: 1,
        sentence: words,
        documentId: owner.document.uuid,
        version: 1,
        title: 'Contract',
        start: text.indexOf(words),
        end: text.indexOf(words) + words.length,
        page: null,
        text: words,
        sha256: createHash('sha256').update(words).digest('hex'),
        verified: true,
        staleAt: null,
        staleVersion: null,
        staleText: null,
      });
      const list = await owner.call('GET', `${path}/sessions/${sessionId}/messages`);
      expect(list.body).toMatchObject({
        total: 2,
        messages: [
          { role: 'user', content: asked.message, status: 'complete', citations: [] },
          { messageId: body.messageId },
        ],
      });
      const again = await owner.call('GET', `${path}/messages/${body.messageId}`);
      expect(again.body).toEqual(body);
      const session = await owner.call('GET', `${path}/sessions/${sessionId}`);
      expect(session.body).toMatchObject({ title: asked.message, messageCount: 2 });
    },
  );

  it('looks nothing up without context', async () => {
    const owner = await withDocument();
    const sessionId = await sessionOf(owner);
    const asked = { sessionId, message: 'How long is the notice period?', includeContext: false };
    const { body } = await owner.call('POST', `${path}/messages`, asked);
    expect(body).toMatchObject({ citations: [], content: expect.stringContaining('without them') });
  });

  it('says when nothing is found, and finds nothing of another', verifies('chat.tenants'), async () => {
    await withDocument();
    const other = await tenantOf(server);
    const sessionId = await sessionOf(other);
    const { body } = await other.call('POST', `${path}/messages`, {
      sessionId,
      message: 'How long is the notice period?',
    });
    expect(body).toMatchObject({ status: 'complete', citations: [], content: expect.stringContaining('No passage') });
  });

  it.each([
    [{ message: 'x'.repeat(4_001) }, 'message'],
    [{ message: '' }, 'message'],
    [{ message: '  \n ' }, 'message'],
    [{ message: 'a\u0000' }, 'message'],
    [{}, 'message'],
    [{ message: 'x', includeContext: 'yes' }, 'includeContext'],
  ])('refuses values out of bounds, naming the field: %#', async (body, field) => {
    const owner = await tenantOf(server);
    const answer = await owner.call('POST', `${path}/messages`, { sessionId: await sessionOf(owner), ...body });
    expect([answer.status, Object.keys(answer.body.error.details)]).toEqual([400, [field]]);
  });

  it('takes no message of a megabyte', async () => {
    const owner = await tenantOf(server);
    const { status } = await owner.call('POST', `${path}/messages`, {
      sessionId: randomUUID(),
      message: 'x'.repeat(1e6),
    });
    expect(status).toBe(413);
  });

  it('answers once for one Idempotency-Key', async () => {
    const owner = await withDocument();
    const sessionId = await sessionOf(owner);
    const asked = { sessionId, message: 'When is rent due?' };
    const headers = { 'Idempotency-Key': 'one' };
    const first = await owner.call('POST', `${path}/messages`, asked, headers);
    const second = await owner.call('POST', `${path}/messages`, asked, headers);
    expect(second.body).toEqual(first.body);
    expect((await owner.call('GET', `${path}/sessions/${sessionId}`)).body.messageCount).toBe(2);
  });
});

describe("another's session (H13)", () => {
  it('is answered like one that does not exist', verifies('chat.tenants'), async () => {
    const [owner, other] = [await withDocument(), await tenantOf(server)];
    const sessionId = await sessionOf(owner);
    const { body } = await owner.call('POST', `${path}/messages`, { sessionId, message: 'When is rent due?' });
    const calls: [string, string, object?][] = [
      ['GET', `/sessions/ID`],
      ['PATCH', `/sessions/ID`, { title: 'x' }],
      ['DELETE', `/sessions/ID`],
      ['GET', `/sessions/ID/messages`],
      ['POST', `/messages`, { sessionId: 'ID', message: 'x' }],
    ];
    const ofMessage: [string, string][] = [
      ['GET', `/messages/ID`],
      ['POST', `/messages/ID/abort`],
      ['POST', `/messages/ID/retry`],
    ];
    for (const [list, uuid] of [
      [calls, sessionId],
      [ofMessage, body.messageId],
    ] as const)
      for (const [method, place, given] of list) {
        const ask = async (id: string) => {
          const sent = given && JSON.parse(JSON.stringify(given).replace('ID', id));
          const answer = await other.call(method, path + place.replace('ID', id), sent);
          return { status: answer.status, body: answer.body };
        };
        expect(await ask(uuid)).toEqual(await ask(randomUUID()));
        expect((await ask(uuid)).status).toBe(404);
        expect((await ask('nothing')).status).toBe(404);
      }
    expect((await owner.call('GET', `${path}/sessions/${sessionId}`)).status).toBe(200);
  });
});

describe('a session', () => {
  it('is listed, renamed and deleted', async () => {
    const owner = await withDocument();
    const sessionId = await sessionOf(owner, { title: 'First' });
    await owner.call('POST', `${path}/messages`, { sessionId, message: 'When is rent due?' });
    const renamed = await owner.call('PATCH', `${path}/sessions/${sessionId}`, { title: 'Second' });
    expect(renamed.body).toMatchObject({ sessionId, title: 'Second' });
    const list = await owner.call('GET', `${path}/sessions?limit=1`);
    expect(list.body).toMatchObject({ total: 1, sessions: [{ sessionId, title: 'Second' }] });
    expect((await owner.call('DELETE', `${path}/sessions/${sessionId}`)).body).toEqual({ success: true, sessionId });
    expect((await owner.call('GET', `${path}/sessions/${sessionId}`)).status).toBe(404);
    expect(await server.database.prisma.chatMessage.count({ where: { sessionUuid: sessionId } })).toBe(0);
  });

  it('needs a key that may write', async () => {
    const reader = await tenantOf(server, { scopes: ['read'] });
    expect((await reader.call('POST', `${path}/sessions`, {})).status).toBe(403);
    expect((await callerOf(server, null)('GET', `${path}/sessions`)).status).toBe(401);
  });
});
