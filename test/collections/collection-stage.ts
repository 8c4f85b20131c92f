import type { TestServer, tenantOf } from '../support/server.ts';
import { added, documents } from '../support/server-stage.ts';

export const path = '/api/collections';

type Tenant = Awaited<ReturnType<typeof tenantOf>>;

export const profileOf = ({ caller }: Tenant) => String(caller.principal?.profileUuid);

/** So many servers of a tenant, private unless it is said otherwise. @returns Their uuids. */
export async function serversOf(owner: Tenant, count: number, isPublic = false): Promise<string[]> {
  const uuids: string[] = [];
  for (let each = 0; each < count; each++) {
    const { uuid } = await added(owner.call, { name: `Server ${each}` });
    if (isPublic) await show(owner, uuid, true);
    uuids.push(uuid);
  }
  return uuids;
}

export const show = (owner: Tenant, uuid: string, isPublic: boolean) =>
  owner.graphql(documents.show, { input: { uuid, isPublic } });

// biome-ignore lint/suspicious/noExplicitAny: the tests look into answers of every shape
export async function made(owner: Tenant, over: Record<string, unknown> = {}): Promise<any> {
  const { status, body, text } = await owner.call('POST', path, { name: 'Tools', ...over });
  if (status !== 200) throw new Error(`not made: ${text}`);
  return body;
}

/** What was written to the outbox of a tenant, the oldest first. */
export async function told(server: TestServer, owner: Tenant, like: string): Promise<[type: string, data: unknown][]> {
  const rows = await server.database.query<{ type: string; data: string }>({
    text: 'SELECT type, data FROM outbox_events WHERE profile_uuid = $1 AND type LIKE $2 ORDER BY seq',
    values: [profileOf(owner), like],
  });
  return rows.map(({ type, data }) => [type, JSON.parse(data)]);
}
