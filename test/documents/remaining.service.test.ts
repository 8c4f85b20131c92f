import { expect, test } from 'vitest';
import { verifies } from '../requirements.ts';
import { libraryOf, startDocumentServer } from './document-stage.ts';

/** A library, and a way to say how its documents stand. */
async function stage() {
  const server = await startDocumentServer();
  const tenant = await libraryOf(server);
  const uploaded = async (text: string) => (await tenant.upload(text)).body.documentId as string;
  const set = (id: string, columns: string, ...values: unknown[]) =>
    server.database.query({
      text: `UPDATE document_versions SET ${columns} WHERE document_uuid = $1`,
      values: [id, ...values],
    });
  const after = (seconds: number) => new Date(server.clock.now().getTime() + seconds * 1_000);
  const remaining = async (id: string) =>
    (await tenant.call('GET', `/api/documents/${id}`)).body.document.remainingSeconds;
  /** The next look is a new measurement. */
  const later = (seconds = 10) => server.clock.advance(seconds * 1_000);
  return { server, tenant, uploaded, set, after, remaining, later };
}

test(
  'the remaining time follows the speed of processed documents, and the queue',
  verifies('documents.remaining'),
  async () => {
    const { uploaded, set, after, remaining, later } = await stage();
    const measured = await Promise.all(['x'.repeat(1_000), 'x'.repeat(3_000), 'x'.repeat(5_000)].map(uploaded));
    // 10 seconds, and 2 more for each 1 000 bytes.
    for (const [index, id] of measured.entries())
      await set(
        id,
        "status = 'ready', due_at = NULL, started_at = $2, ready_at = $3",
        after(-60),
        after(-60 + 12 + 4 * index),
      );
    const first = await uploaded('x'.repeat(2_000));
    later();
    expect(await remaining(first)).toBe(14);
    const second = await uploaded('x'.repeat(10_000));
    later();
    // 30 by itself, behind one of 16 seconds, which is the mean.
    expect([await remaining(first), await remaining(second)]).toEqual([14, 46]);
    // Two are read at a time.
    for (const id of [await uploaded('x'), await uploaded('y')])
      await set(id, "status = 'indexing', started_at = $2, due_at = $3", after(0), after(600));
    later();
    expect([await remaining(first), await remaining(second)]).toEqual([14, 38]);
    expect(await remaining(measured[0] as string)).toBeNull();
  },
);

test(
  'the remaining time of a document that is being processed follows its progress, and the speed of others',
  verifies('documents.remaining'),
  async () => {
    const { uploaded, set, after, remaining, later } = await stage();
    const done = await uploaded('x'.repeat(100));
    await set(done, "status = 'ready', due_at = NULL, started_at = $2, ready_at = $3", after(-60), after(-40));
    const id = await uploaded('x'.repeat(100));
    await set(id, "status = 'indexing', started_at = $2, due_at = $3, progress = 0", after(0), after(600));
    later();
    expect(await remaining(id)).toBe(20);
    await set(id, 'progress = 50');
    expect(await remaining(id)).toBe(10);
    later(90);
    expect(await remaining(id)).toBe(100);
    await set(id, 'progress = 99');
    expect(await remaining(id)).toBe(2);
  },
);

test('the remaining time of one that is tried again includes the pause', verifies('documents.remaining'), async () => {
  const { server, tenant, uploaded, remaining } = await stage();
  const id = await uploaded('The text.');
  const [key = ''] = server.keys();
  await server.storage.remove(key);
  await server.services.documents.ingestion.settle(id);
  const { document } = (await tenant.call('GET', `/api/documents/${id}`)).body;
  expect(document).toMatchObject({
    status: 'received',
    failureReason: 'The document could not be read because of a fault of the platform.',
    // Due in ten seconds, and put into the queue with the next minute.
    remainingSeconds: 63,
  });
  server.clock.advance(4_000);
  expect(await remaining(id)).toBe(59);
  server.clock.advance(3_600_000);
  expect(await remaining(id)).toBe(59);
});
