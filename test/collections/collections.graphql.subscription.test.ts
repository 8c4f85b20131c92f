import { expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { openEventStream } from '../support/event-stream.ts';
import { startTestServer, tenantOf } from '../support/server.ts';
import { made, path, serversOf } from './collection-stage.ts';

const server = await startTestServer();
const query =
  'subscription { collectionChanged { kind uuid collection { name isPublic servers { nodes { uuid } } } } }';
const watch = (secret: string | null) =>
  openEventStream(server.base, query, secret === null ? {} : { Authorization: `Bearer ${secret}` });

it(
  'reports every change of the caller’s own collections, only to their owner',
  verifies('collections.live'),
  async () => {
    const [owner, other] = [await tenantOf(server), await tenantOf(server)];
    const [ofOwner, ofOther] = [await watch(owner.secret), await watch(other.secret)];
    const heard = async (stream: typeof ofOwner) => (await stream.next())?.data.data.collectionChanged;
    const [first = ''] = await serversOf(owner, 1);
    const { uuid } = await made(owner, { serverUuids: [first], isPublic: true });
    expect(await heard(ofOwner)).toEqual({
      kind: 'CREATED',
      uuid,
      collection: { name: 'Tools', isPublic: true, servers: { nodes: [{ uuid: first }] } },
    });
    await owner.call('PATCH', `${path}/${uuid}`, { name: 'Tools' });
    await owner.call('PATCH', `${path}/${uuid}`, { serverUuids: ['x'] });
    await owner.call('PATCH', `${path}/${uuid}`, { name: 'Others', serverUuids: [] });
    expect(await heard(ofOwner)).toEqual({
      kind: 'UPDATED',
      uuid,
      collection: { name: 'Others', isPublic: true, servers: { nodes: [] } },
    });
    await other.call('POST', `${path}/import/${uuid}`);
    await owner.call('DELETE', `${path}/${uuid}`);
    expect(await heard(ofOwner)).toEqual({ kind: 'DELETED', uuid, collection: null });
    const own = await made(other);
    expect(await heard(ofOther)).toMatchObject({ kind: 'CREATED', uuid: own.uuid });
    ofOwner.close();
    ofOther.close();
  },
);

it('requires permission to read', verifies('collections.live', 'identity.key.scopes'), async () => {
  const { secret } = await tenantOf(server, { scopes: ['write'] });
  for (const [who, code] of [
    [secret, 'FORBIDDEN'],
    [null, 'UNAUTHORIZED'],
  ] as const) {
    const stream = await watch(who);
    expect((await stream.next())?.data.errors[0].extensions.code).toBe(code);
    stream.close();
  }
});
