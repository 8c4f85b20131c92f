import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/platform/clock.ts';
import { verifies } from '../requirements.ts';
import { callsTools, says, speaks, startChatModel } from '../support/chat-model.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/deadline.ts';
import { newDataDir, type Product, removeDataDir, startProduct } from '../support/product.ts';
import { callerOf, graphqlOf } from '../support/server.ts';
import { createTestServices, encryptionKeys, keyOf, signUp } from '../support/services.ts';
import { startToolServer } from '../support/tool-server.ts';
import { path } from './chat-stage.ts';

const endpoint = await startChatModel();
const { services, database, url, clock } = await createTestServices();
const { prisma } = database;
const send = `mutation ($id: String!) {
  chatMessageSend(input: { sessionId: $id, message: "One?", includeContext: false }) { message { uuid questionUuid } } }`;

/** A web process of the product, over the database of the test. */
async function start(): Promise<Product> {
  const dataDir = await newDataDir();
  cleanUp(() => removeDataDir(dataDir));
  const environment = {
    DATABASE_URL: url,
    ENCRYPTION_KEYS: encryptionKeys,
    WORKERS: 'separate',
    CHAT_BASE_URL: endpoint.baseUrl,
    CHAT_MODEL: 'm',
    EGRESS_ALLOW: '127.0.0.0/8',
  };
  const product = await startProduct(dataDir, environment, 'web-process');
  cleanUp(() => product.kill());
  return product;
}

/** Ends what gives no sign of life, as the job of a worker does half a minute later. */
async function later(): Promise<number> {
  clock.advance(systemClock.now().getTime() - clock.now().getTime() + 60_000);
  return services.chat.endLostAnswers();
}

describe('an answer whose process is killed', () => {
  it(
    'fails with a plain reason, keeps the question and its text, counts its tokens, and can be retried in another process',
    verifies('chat.endings', 'chat.costs'),
    async () => {
      const product = await start();
      const { secret } = await keyOf(services, await signUp(services));
      const { sessionId } = (await callerOf(product, secret)('POST', `${path}/sessions`, {})).body;
      speaks(endpoint, 'Half of ');
      const { data } = await graphqlOf(product, secret)(send, { id: sessionId });
      const { uuid, questionUuid } = data.chatMessageSend.message;
      await eventually(
        'a part is stored',
        async () => (await prisma.chatPart.count({ where: { messageUuid: uuid } })) > 0,
      );
      await product.kill();
      expect(await later()).toBeGreaterThan(0);
      endpoint.reply(says('Whole.'));
      const call = callerOf(await start(), secret);
      const failed = await call('GET', `${path}/messages/${uuid}`);
      expect(failed.body).toMatchObject({
        status: 'failed',
        content: 'Half of ',
        failure: expect.stringContaining('the process that wrote this answer ended'),
        usage: { outputTokens: 3, estimated: true },
      });
      const { usage } = failed.body;
      expect(usage.inputTokens).toBeGreaterThan(10);
      const { estimated: _, ...counted } = usage;
      expect((await call('GET', `${path}/sessions/${sessionId}`)).body.usage).toEqual(counted);
      expect((await call('GET', `${path}/usage`)).body).toMatchObject({ answers: 1, toolCalls: 0, ...counted });
      const question = await call('GET', `${path}/messages/${questionUuid}`);
      expect(question.body).toMatchObject({ role: 'user', content: 'One?', status: 'complete' });
      const again = await call('POST', `${path}/messages/${uuid}/retry`);
      expect(again.body).toMatchObject({
        status: 'complete',
        content: 'Whole.',
        replacesId: uuid,
        questionId: questionUuid,
      });
    },
  );

  it(
    'shows that the outcome of a call of a tool is unknown, and does not call it again',
    verifies('chat.tools'),
    async () => {
      const product = await start();
      const owner = await keyOf(services, await signUp(services));
      const host = await startToolServer({ pay: { run: () => new Promise<never>(() => undefined) } });
      const { configurations, discoveries } = services.mcpServers;
      const server = await configurations.create(owner.caller, { name: 'Bank', transport: 'http', url: host.url });
      const { discoveryJob } = await prisma.mcpServer.findUniqueOrThrow({ where: { uuid: server.uuid } });
      await discoveries.worker.handle([{ serverUuid: server.uuid, jobUuid: discoveryJob }]);
      const call = callerOf(product, owner.secret);
      const tools = [{ serverId: server.uuid, name: 'pay' }];
      const { sessionId } = (await call('POST', `${path}/sessions`, { tools })).body;
      endpoint.reply(callsTools([{ name: `${server.slug}__pay` }]));
      const { data } = await graphqlOf(product, owner.secret)(send, { id: sessionId });
      const { uuid } = data.chatMessageSend.message;
      await eventually('the tool is called', () => host.calls.length > 0);
      await product.kill();
      expect(await later()).toBeGreaterThan(0);
      const [stored] = await prisma.chatToolCall.findMany({ where: { messageUuid: uuid } });
      expect(stored).toMatchObject({
        name: 'pay',
        status: 'unknown',
        result: expect.stringContaining('Outcome unknown'),
      });
      expect(host.calls).toHaveLength(1);
      const used = await services.chat.usage.current(owner.caller);
      expect(used).toMatchObject({ answers: 1, toolCalls: 1 });
      expect(used.inputTokens).toBeGreaterThan(10);
    },
  );
});
