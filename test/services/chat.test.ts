import { beforeAll, describe, expect, it } from 'vitest';
import { openAnswer, path } from '../chat/chat-stage.ts';
import { verifies } from '../requirements.ts';
import { speaks, startChatModel } from '../support/chat-model.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/deadline.ts';
import type { Product } from '../support/product.ts';
import { callerOf, graphqlOf } from '../support/server.ts';
import { createTestServices, keyOf, signUp } from '../support/services.ts';
import { startProducts } from './products.ts';
import { startRedisServer } from './redis-server.ts';

const { services, database, url } = await createTestServices();
const endpoint = await startChatModel();
let products: [Product, Product];

beforeAll(async () => {
  const redis = await startRedisServer();
  cleanUp(() => redis.close());
  const chat = { CHAT_BASE_URL: endpoint.baseUrl, CHAT_MODEL: 'm' };
  products = (await startProducts(2, { DATABASE_URL: url, REDIS_URL: redis.url, ...chat })) as [Product, Product];
});

/** An answer that the first process writes. */
async function underWay() {
  const [writer] = products;
  const { secret } = await keyOf(services, await signUp(services));
  const { sessionId } = (await callerOf(writer, secret)('POST', `${path}/sessions`, {})).body;
  const { isOpen, say } = speaks(endpoint, 'One ');
  const send = `mutation ($id: String!) {
    chatMessageSend(input: { sessionId: $id, message: "Count.", includeContext: false }) { message { uuid } } }`;
  const { data } = await graphqlOf(writer, secret)(send, { id: sessionId });
  await isOpen;
  return { secret, uuid: data.chatMessageSend.message.uuid as string, say };
}

describe('an answer over two processes that share a Redis', () => {
  it(
    'is followed in one while the other writes it, and goes on after the last event that was received',
    verifies('chat.stream'),
    async () => {
      const { secret, uuid, say } = await underWay();
      const [writer, other] = products;
      const first = await openAnswer(other.base, secret, uuid);
      expect(await first.next()).toEqual({ id: '1', event: 'text', data: { text: 'One ' } });
      say('two ');
      expect(await first.next()).toEqual({ id: '2', event: 'text', data: { text: 'two ' } });
      first.close();
      say('three ');
      await eventually(
        'three parts',
        async () => (await database.prisma.chatPart.count({ where: { messageUuid: uuid } })) === 3,
      );
      const [second, inWriter] = [
        await openAnswer(other.base, secret, uuid, '2'),
        await openAnswer(writer.base, secret, uuid, '2'),
      ];
      for (const stream of [second, inWriter])
        expect(await stream.next()).toEqual({ id: '3', event: 'text', data: { text: 'three ' } });
      say(null);
      for (const stream of [second, inWriter]) {
        const data = { messageId: uuid, status: 'complete', content: 'One two three ' };
        expect(await stream.next()).toMatchObject({ id: 'end', event: 'end', data });
        expect(await stream.next()).toBeNull();
      }
    },
  );

  it('is aborted by the process that does not write it', verifies('chat.endings'), async () => {
    const { secret, uuid, say } = await underWay();
    const [, other] = products;
    const stream = await openAnswer(other.base, secret, uuid);
    expect((await stream.next())?.data).toEqual({ text: 'One ' });
    expect((await callerOf(other, secret)('POST', `${path}/messages/${uuid}/abort`)).status).toBe(200);
    // The writer sees the request with what it stores next.
    say('two ');
    for (let event = await stream.next(); event; event = await stream.next())
      if (event.event === 'end') expect(event.data).toMatchObject({ status: 'aborted' });
    expect((await callerOf(other, secret)('GET', `${path}/messages/${uuid}`)).body.status).toBe('aborted');
  });
});
