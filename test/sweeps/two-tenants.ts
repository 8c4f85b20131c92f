import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { Client } from 'pg';
import type { Caller } from '../../src/platform/caller.ts';
import { cleanUp } from '../support/cleanup.ts';
import { authorizableServer, authorizedServer, pendingSession } from '../support/oauth/authorized.ts';
import { type Call, callerOf, startTestServer, type TestServer, tenantOf } from '../support/server.ts';
import { signUp } from '../support/services.ts';
import type { Kind } from './tenant-matrix.ts';

/** Who owns things: a user with a key of every scope and a browser. */
export interface Tenant {
  readonly user: Caller;
  readonly key: Call;
  readonly session: Call;
  /** Makes one of a kind, new and its own. @returns What leads to it. */
  make(kind: Kind): Promise<string>;
}

export interface TwoTenants {
  readonly server: TestServer;
  readonly database: Client;
  readonly own: Tenant;
  /** The other tenant, whose names and values all contain `canary-of-another-tenant`. */
  readonly otherTenant: Tenant;
}

export async function twoTenants(): Promise<TwoTenants> {
  const server = await startTestServer({ EGRESS_ALLOW: '127.0.0.0/8' });
  const database = new Client({ connectionString: server.url });
  await database.connect();
  cleanUp(() => database.end());
  const own = await tenant(server, 'own');
  const otherTenant = await tenant(server, 'canary-of-another-tenant');
  return { server, database, own, otherTenant };
}

/** A tenant whose every name and value holds the mark. */
async function tenant(server: TestServer, mark: string): Promise<Tenant> {
  const {
    agents,
    auth,
    chat,
    clipboard,
    documents,
    notifications,
    users,
    webhooks,
    mcpServers,
    registry,
    collections,
  } = server.services;
  const { call: key, user, caller } = await tenantOf(server, { scopes: ['read', 'write', 'admin'] });
  const { email } = await auth.accounts.current(user);
  const { token } = await auth.accounts.signIn(
    { principal: null, address: '' },
    { email, password: 'correct horse battery' },
  );
  const bare = callerOf(server, null);
  const session: Call = (method, path, body, headers) =>
    bare(method, path, body, { Cookie: `session_token=${token}`, ...headers });
  let made = 0;
  const make = async (kind: Kind): Promise<string> => {
    const name = `${mark}-${++made}`;
    // A key acts within its own project; what it is to find must lie there.
    if (kind === 'project') return String(user.principal?.projectUuid);
    if (kind === 'new project') return (await auth.projects.create(user, { name })).uuid;
    if (kind === 'acting profile') return String(user.principal?.profileUuid);
    if (kind === 'profile') return (await auth.profiles.create(user, { name })).uuid;
    if (kind === 'api key') return (await auth.apiKeys.create(user, { name })).apiKey.uuid;
    if (kind === 'user name') return (await auth.accounts.current(user)).username;
    if (kind === 'followed user') {
      // Not public any more: only who follows knows that there is such a user.
      const other = await signUp(server.services);
      const { username } = await auth.accounts.current(other);
      await users.update(other, { isPublic: true });
      await users.follow(user, username);
      await users.update(other, { isPublic: false });
      return username;
    }
    if (kind === 'entry name') return (await clipboard.set(caller, { name, value: mark })).name ?? '';
    if (kind === 'received file') {
      const content = Readable.from([Buffer.from(mark)]);
      return (await documents.uploads.receive(caller, { fileName: `${name}.txt`, content })).uuid;
    }
    if (kind === 'document' || kind === 'deleted document' || kind === 'read document') {
      const { document } = await documents.uploads.createText(caller, { title: name, content: mark, tags: [mark] });
      if (kind === 'read document') await documents.ingestion.settle(document.uuid);
      if (kind === 'deleted document') await documents.changes.remove(caller, document.uuid);
      return document.uuid;
    }
    if (kind === 'notification')
      return (await notifications.create(caller, { title: mark, message: mark, metadata: { mark } })).notification.uuid;
    if (kind === 'webhook' || kind.startsWith('delivery')) {
      // No listener: requests fail at once, and can be replayed.
      const input = { url: `http://127.0.0.1:65531/${name}`, events: ['document.deleted'] };
      const { webhook } = await webhooks.registrations.create(caller, input);
      if (kind === 'webhook') return webhook.uuid;
      const delivery = await webhooks.deliveries.test(caller, webhook.uuid, {});
      return kind === 'delivery' ? delivery.uuid : `${webhook.uuid}/deliveries/${delivery.uuid}`;
    }
    if (kind === 'server' || kind === 'installed server' || kind === 'tool') {
      const input = { name, command: mark, args: [mark], env: { MARK: mark }, headers: {}, notes: mark };
      const { uuid } = await mcpServers.configurations.create(caller, input);
      if (kind === 'installed server') await mcpServers.usage.install(caller, uuid);
      if (kind === 'tool') await mcpServers.discoveries.report(caller, uuid, { tools: [{ name: mark }] });
      return kind === 'tool' ? `${uuid}__${mark}` : uuid;
    }
    if (kind === 'http server') {
      const input = {
        name,
        transport: 'http' as const,
        url: `http://127.0.0.1:${mark === 'own' ? 1_000 + made : 64_000 - made}/mcp`,
      };
      return (await mcpServers.configurations.create(caller, input)).uuid;
    }
    if (kind === 'authorizable server') return authorizableServer(server.services, user, name);
    if (kind === 'authorized server') return authorizedServer(server.services, user, name);
    if (kind === 'oauth session') return (await pendingSession(server.services, user, name)).uuid;
    if (kind === 'rated server') {
      const isOtherTenant = mark !== 'own';
      const maker = isOtherTenant ? caller : await signUp(server.services);
      const { uuid } = await mcpServers.configurations.create(maker, { name, command: mark });
      if (!isOtherTenant) await mcpServers.configurations.setVisibility(maker, uuid, { isPublic: true });
      return uuid;
    }
    if (
      kind === 'chat session' ||
      kind === 'chat answer' ||
      kind === 'failed chat answer' ||
      kind === 'stale chat answer'
    ) {
      const session = await chat.sessions.create(caller, { title: mark });
      if (kind === 'chat session') return session.uuid;
      const { uuid } = await chat.messages.send(caller, { sessionId: session.uuid, message: mark }, 20);
      if (kind === 'failed chat answer')
        await server.database.query({
          text: "UPDATE chat_messages SET status = 'failed' WHERE uuid = $1",
          values: [uuid],
        });
      if (kind === 'stale chat answer')
        await server.database.query({
          text: 'UPDATE chat_messages SET stale_at = now() WHERE uuid = $1',
          values: [uuid],
        });
      return uuid;
    }
    if (kind === 'collection') {
      const { uuid } = await mcpServers.configurations.create(caller, { name, command: mark });
      return (await collections.create(caller, { name, description: mark, serverUuids: [uuid] })).uuid;
    }
    if (kind === 'agent' || kind === 'active agent') {
      const label = `${mark === 'own' ? 'own' : 'canary'}-${made}`;
      const { uuid } = (await agents.create(caller, { name: label, description: mark })).agent;
      if (kind === 'active agent')
        await server.database.query({
          text: "UPDATE agents SET state = 'ACTIVE', applied_revision = 1 WHERE uuid = $1",
          values: [uuid],
        });
      return uuid;
    }
    if (kind === 'registry server') {
      const document = { name: `io.github.${mark}/${name}`, description: mark, version: '1.0.0' };
      await registry.imports.run(Readable.from([Buffer.from(JSON.stringify([document]))]));
      const [row] = await server.database.query<{ uuid: string }>({
        text: `UPDATE mcp_servers SET profile_uuid = $1
          WHERE uuid = (SELECT server_uuid FROM registry_servers WHERE name = $2) RETURNING uuid`,
        values: [user.principal?.profileUuid, document.name],
      });
      return String(row?.uuid);
    }
    if (kind === 'submission') {
      const uuid = randomUUID();
      await server.database.query({
        text: `INSERT INTO registry_submissions (uuid, user_uuid, profile_uuid, repository_id, repository, package_type, transports,
            environment_variables, name, version, document, status, created_at, submitted_at)
          VALUES ($1, $2, $3, $4, $5, 'npm', '{stdio}', '{}', $5, '1.0.0', $6, 'pending', now(), now())`,
        values: [
          uuid,
          user.principal?.userUuid,
          user.principal?.profileUuid,
          Math.trunc(Math.random() * 1e9),
          `${mark}/${name}`,
          JSON.stringify({ name: mark }),
        ],
      });
      return uuid;
    }
    const { uuid } = await clipboard.push(caller, { value: mark });
    return kind === 'entry' ? uuid : '0';
  };
  return { user, key, session, make };
}

/** An id of a kind that leads to nothing. */
export const unknown = (kind: Kind): string =>
  ({
    'entry name': 'there-is-none',
    'entry index': '2000000000',
    'user name': 'nobody-has-this-name',
    'followed user': 'nobody-has-this-name',
    'delivery of webhook': `${randomUUID()}/deliveries/${randomUUID()}`,
  })[kind as string] ?? randomUUID();
