import { describe, expect, it } from 'vitest';
import { readersOf } from '../../src/main/services.ts';
import { createOutbox } from '../../src/platform/messaging/outbox.ts';
import { createOutboxRelay } from '../../src/platform/messaging/outbox-relay.ts';
import { verifies } from '../requirements.ts';
import { createTestServices, signUp } from '../support/services.ts';
import { storeDocument } from './chat-stage.ts';

const stage = await createTestServices();
const { services, infrastructure, database, clock } = stage;
const { chat } = services;

const sentence = 'The notice period is three months.';
const text = `This contract begins in May.\n\n${sentence} It is given in writing.\n\nRent is due on the third.`;

/** An answer that cites a document. */
async function answered() {
  const owner = await signUp(services);
  const document = await storeDocument(database, owner, { text });
  const { uuid: sessionId } = await chat.sessions.create(owner, {});
  const message = await chat.messages.send(owner, { sessionId, message: 'How long is the notice period?' }, 20);
  expect(message).toMatchObject({ status: 'complete', staleAt: null });
  return { owner, document, sessionId, message };
}

/** Says that something has happened to a document, and lets the readers of the outbox have it. */
async function happens(
  owner: { principal: { profileUuid: string } | null },
  type: string,
  data: object,
): Promise<void> {
  const profileUuid = String(owner.principal?.profileUuid);
  const outbox = createOutbox<Record<string, object>>(infrastructure);
  await database.transaction((tx) => outbox.write(tx, { profileUuid, type, data }));
  await createOutboxRelay({ ...infrastructure, readers: readersOf(services) }).relay();
  await chat.staleness.check();
}

const citationsOf = (messageUuid: string) =>
  database.prisma.chatCitation.findMany({ where: { messageUuid }, orderBy: { place: 'asc' } });

async function newVersion(stored: Awaited<ReturnType<typeof answered>>, changed: string, version = 2): Promise<void> {
  const { owner, document } = stored;
  await storeDocument(database, owner, { uuid: document.uuid, version, text: changed });
  const data = { document_id: document.uuid, profile_uuid: owner.principal?.profileUuid, version, previous_version: 1 };
  await happens(owner, 'document.updated', data);
}

describe('a new version of a document', () => {
  it('that keeps the cited words leaves the answers alone, wherever the words stand now', async () => {
    const stored = await answered();
    await newVersion(stored, `A new preface.\n\n${text}`);
    const citations = await citationsOf(stored.message.uuid);
    expect(citations.map(({ staleAt, checkVersion }) => [staleAt, checkVersion])).toEqual(
      citations.map(() => [null, null]),
    );
    expect((await chat.messages.find(stored.owner, stored.message.uuid)).staleAt).toBeNull();
  });

  it('that changes them marks the answers, and notifies the profile once', verifies('chat.stale'), async () => {
    const stored = await answered();
    const { owner, document, sessionId, message } = stored;
    const news = await chat.staleness.changed(owner);
    const next = news.next();
    await newVersion(stored, text.replace('three months', 'six months'));
    const [citation] = await citationsOf(message.uuid);
    expect(citation).toMatchObject({
      text: sentence,
      staleAt: clock.now(),
      staleVersion: 2,
      staleText: expect.stringContaining('six months'),
    });
    expect((await chat.messages.find(owner, message.uuid)).staleAt).toEqual(clock.now());
    const told = {
      messageUuid: message.uuid,
      sessionUuid: sessionId,
      documentUuid: document.uuid,
      version: 2,
      numbers: [1],
    };
    expect((await next).value).toMatchObject({ ...told, numbers: expect.arrayContaining([1]) });
    await news.return();
    await chat.staleness.check();
    const { notifications } = await services.notifications.page(owner, {});
    expect(notifications).toMatchObject([
      { type: 'WARNING', message: expect.stringContaining('version 2 has changed') },
    ]);
  });

  it('that is older than the cited one changes nothing', async () => {
    const stored = await answered();
    await newVersion(stored, text.replace('three', 'six'), 3);
    const renewed = await chat.messages.renew(stored.owner, stored.message.uuid, 20);
    await happens(stored.owner, 'document.updated', {
      document_id: stored.document.uuid,
      version: 2,
      previous_version: 1,
    });
    expect((await chat.messages.find(stored.owner, renewed.uuid)).staleAt).toBeNull();
  });
});

describe('a stale answer', () => {
  it('is answered again from the new version, once', async () => {
    const stored = await answered();
    await newVersion(stored, text.replace('three months', 'six months'));
    const renewed = await chat.messages.renew(stored.owner, stored.message.uuid, 20);
    expect(renewed).toMatchObject({
      status: 'complete',
      replacesUuid: stored.message.uuid,
      content: expect.stringContaining('six months'),
      staleAt: null,
    });
    expect((await citationsOf(renewed.uuid))[0]).toMatchObject({ version: 2, isVerified: true });
    await expect(chat.messages.renew(stored.owner, stored.message.uuid, 20)).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    await expect(chat.messages.renew(stored.owner, renewed.uuid, 20)).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});

describe('a document that is deleted', () => {
  it('takes its words out of the citations', verifies('chat.stale'), async () => {
    const { owner, document, message } = await answered();
    await database.prisma.document.update({ where: { uuid: document.uuid }, data: { deletedAt: clock.now() } });
    await happens(owner, 'document.deleted', { document_id: document.uuid });
    for (const citation of await citationsOf(message.uuid))
      expect(citation).toMatchObject({ text: '', staleAt: clock.now(), staleVersion: null, staleText: null });
  });
});

describe('a document that is restored', () => {
  it('to a version that has the words again leaves the mark, and a new answer cites that version', async () => {
    const stored = await answered();
    const { owner, document, message } = stored;
    await newVersion(stored, text.replace('three months', 'six months'));
    const marked = await citationsOf(message.uuid);
    clock.advance(1_000);
    await newVersion(stored, text, 3);
    expect(await citationsOf(message.uuid)).toEqual(marked);
    const { notifications } = await services.notifications.page(owner, {});
    expect(notifications).toHaveLength(1);
    const renewed = await chat.messages.renew(owner, message.uuid, 20);
    expect(renewed.staleAt).toBeNull();
    expect((await citationsOf(renewed.uuid))[0]).toMatchObject({
      documentUuid: document.uuid,
      version: 3,
      text: sentence,
      isVerified: true,
    });
  });

  it('after its deletion leaves the mark without the words, and a new answer cites it', async () => {
    const { owner, document, message } = await answered();
    await database.prisma.document.update({ where: { uuid: document.uuid }, data: { deletedAt: clock.now() } });
    await happens(owner, 'document.deleted', { document_id: document.uuid });
    await database.prisma.document.update({ where: { uuid: document.uuid }, data: { deletedAt: null } });
    await chat.staleness.check();
    for (const citation of await citationsOf(message.uuid))
      expect(citation).toMatchObject({ text: '', staleAt: clock.now() });
    const renewed = await chat.messages.renew(owner, message.uuid, 20);
    expect((await citationsOf(renewed.uuid))[0]).toMatchObject({ text: sentence, isVerified: true, staleAt: null });
  });
});

describe('the readers of the outbox', () => {
  it('mark citations in their transaction, so that a worker that dies loses nothing', async () => {
    const { owner, document, message } = await answered();
    await storeDocument(database, owner, { uuid: document.uuid, version: 2, text: 'Nothing of it is left.' });
    const data = { document_id: document.uuid, version: 2, previous_version: 1 };
    const event = { id: 'x', profileUuid: String(owner.principal?.profileUuid), type: 'document.updated', data };
    await database.transaction((tx) => chat.staleness.read(tx, [{ ...event, occurredAt: clock.now() }]));
    // Its callback was never called. The job finds what is due.
    expect((await chat.messages.find(owner, message.uuid)).staleAt).toBeNull();
    expect(await chat.staleness.check()).toBeGreaterThan(0);
    expect((await chat.messages.find(owner, message.uuid)).staleAt).toEqual(clock.now());
  });
});
