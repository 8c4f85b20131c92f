import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { speaks, stalls, startChatModel } from '../support/chat-model.ts';
import { openEventStream } from '../support/event-stream.ts';
import { startTestServer, tenantOf } from '../support/server.ts';
import { openAnswer, path } from './chat-stage.ts';

const endpoint = await startChatModel();
const server = await startTestServer({ CHAT_BASE_URL: endpoint.baseUrl, CHAT_MODEL: 'm' });
const { chat } = server.services;

/** An answer that goes on when it is told to. */
async function underWay() {
  const owner = await tenantOf(server);
  const session = await chat.sessions.create(owner.caller, {});
  const { isOpen, say } = speaks(endpoint, 'One ');
  const { uuid } = await chat.messages.send(owner.caller, {
    sessionId: session.uuid,
    message: 'Count.',
    includeContext: false,
  });
  await isOpen;
  return { owner, sessionId: session.uuid, uuid, say };
}

const open = (secret: string, uuid: string, lastEventId?: string) => openAnswer(server.base, secret, uuid, lastEventId);

describe('the stream of an answer', () => {
  it(
    'sends text as it comes, goes on after a lost connection, and ends with the whole message',
    verifies('chat.stream'),
    async () => {
      const { owner, uuid, say } = await underWay();
      const first = await open(owner.secret, uuid);
      expect([first.status, first.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
      expect(await first.next()).toEqual({ id: '1', event: 'text', data: { text: 'One ' } });
      first.close();
      say('two ');
      await expect.poll(() => server.database.prisma.chatPart.count({ where: { messageUuid: uuid } })).toBe(2);
      const second = await open(owner.secret, uuid, '1');
      expect(await second.next()).toEqual({ id: '2', event: 'text', data: { text: 'two ' } });
      say('three.');
      expect(await second.next()).toEqual({ id: '3', event: 'text', data: { text: 'three.' } });
      say(null);
      const message = { messageId: uuid, status: 'complete', content: 'One two three.' };
      expect(await second.next()).toMatchObject({ id: 'end', event: 'end', data: message });
      expect(await second.next()).toBeNull();
      expect((await open(owner.secret, uuid, 'end')).status).toBe(204);
      const again = await open(owner.secret, uuid, '2');
      expect([(await again.next())?.id, (await again.next())?.id, await again.next()]).toEqual(['3', 'end', null]);
      // Later only the end is left.
      server.clock.advance(16 * 60_000);
      await chat.purge();
      const late = await open(owner.secret, uuid);
      expect([await late.next(), await late.next()]).toMatchObject([{ id: 'end', data: message }, null]);
    },
  );

  it("is that of one's own answers alone", async () => {
    const { uuid, say, owner } = await underWay();
    const other = await tenantOf(server);
    const answers: unknown[] = [];
    const bodies: unknown[] = [];
    for (const id of [uuid, randomUUID(), 'nothing']) {
      const { status, body } = await other.call('GET', `${path}/messages/${id}/stream`);
      answers.push(status);
      bodies.push(body);
    }
    expect(answers).toEqual([404, 404, 404]);
    expect(bodies).toEqual(bodies.map(() => bodies[0]));
    say(null);
    await chat.follow.answer(owner.caller, uuid).then(async (steps) => {
      for await (const step of steps) if (step.kind === 'END') break;
    });
  });
});

describe('the subscription to a session', () => {
  const query = `subscription ($id: String!) { chatMessage(sessionId: $id) { messageUuid number kind text message { content } } }`;

  it('begins with the stored part, and continues with the next answer', async () => {
    const { owner, sessionId, uuid, say } = await underWay();
    const { caller } = owner;
    const headers = { Authorization: `Bearer ${owner.secret}` };
    const stream = await openEventStream(server.base, query, headers, { id: sessionId });
    const next = async () => (await stream.next())?.data.data.chatMessage;
    expect(await next()).toEqual({ messageUuid: uuid, number: 1, kind: 'TEXT', text: 'One ', message: null });
    say(null);
    expect(await next()).toMatchObject({ messageUuid: uuid, number: 2, kind: 'END', message: { content: 'One ' } });
    endpoint.reply((request, res) => stalls('Again')(request, res));
    const second = await chat.messages.send(caller, { sessionId, message: 'Again.', includeContext: false });
    expect(await next()).toMatchObject({ messageUuid: second.uuid, number: 1, kind: 'TEXT', text: 'Again' });
    await chat.messages.abort(caller, second.uuid);
    expect(await next()).toMatchObject({ messageUuid: second.uuid, kind: 'END' });
    stream.close();
  });

  it("is refused for another's session like for one that does not exist", async () => {
    const { owner, sessionId, uuid } = await underWay();
    const other = await tenantOf(server);
    const refused = async (id: string) => {
      const stream = await openEventStream(server.base, query, { Authorization: `Bearer ${other.secret}` }, { id });
      const event = await stream.next();
      stream.close();
      return event?.data.errors;
    };
    expect(await refused(sessionId)).toEqual(await refused(randomUUID()));
    expect((await refused(sessionId))[0].extensions.code).toBe('NOT_FOUND');
    await chat.messages.abort(owner.caller, uuid);
  });
});
