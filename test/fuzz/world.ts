import { deadUrl } from '../support/webhook-stage.ts';
import { canary } from './oracle.ts';
import type { World } from './values.ts';

const password = 'correct horse battery';

/** The user behind the inputs of one connection, with its own objects, and another user. */
export interface Actor {
  world: World;
  /** Makes again what earlier inputs ended: sessions, entries, notifications. */
  renew(): Promise<void>;
}

type Call = (
  path: string,
  body: unknown,
  headers: Record<string, string>,
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are taken apart here
) => Promise<{ body: any; headers: Headers }>;

const callerAt =
  (base: string): Call =>
  async (path, body, headers) => {
    const response = await fetch(base + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (response.status !== 200)
      throw new Error(`the stage cannot be set: ${path} answered ${response.status} ${text}`);
    return { body: JSON.parse(text), headers: response.headers };
  };

const sessionIn = (headers: Headers) => /session_token=([^;]+)/.exec(headers.get('set-cookie') ?? '')?.[1] ?? '';

/** Signs a user up over HTTP and creates one object of each kind. */
export async function createActor(base: string, name: string, other: World | null): Promise<Actor> {
  const call = callerAt(base);
  const username = `${name}-${process.pid}-${Math.floor(performance.now())}`.slice(0, 30);
  const email = `${username}@example.com`;
  const signedUp = await call('/api/auth/sign-up', { username, email, password }, {});
  let session = sessionIn(signedUp.headers);
  const keyOf = async (scopes: string[]) =>
    (await call('/api/api-keys', { name: 'fuzz', scopes }, { Cookie: `session_token=${session}` })).body;
  const key = (await keyOf(['read', 'write', 'admin'])).secret as string;
  const reader = (await keyOf(['read'])).secret as string;
  // One that inputs may revoke.
  const { apiKey } = await keyOf(['read']);
  const bearer = { Authorization: `Bearer ${key}` };
  const profile = (await call('/api/profiles', { name: 'Second' }, bearer)).body.profile;

  const ids = await call(
    '/graphql',
    {
      query: `{ viewer { user { id } project { id } profile { id apiKeys(first: 1) { nodes { id } } } } profiles(first: 1) { edges { cursor } } }`,
    },
    bearer,
  );
  const { viewer, profiles } = ids.body.data;

  if (other === null) {
    // Not public: no other user may see it.
    const query = `mutation { userProfileUpdate(input: { bio: "${canary}" }) { profile { uuid } } }`;
    await call('/graphql', { query }, bearer);
  }

  async function entries(): Promise<Record<string, string>> {
    const value = other === null ? canary : 'x';
    const { entry } = (await call('/api/clipboard', { name: 'kept', value }, bearer)).body;
    await call('/api/clipboard/push', { value }, bearer);
    const input = { message: value };
    const { notification } = (await call('/api/notifications', input, bearer)).body;
    const found = await call(
      '/graphql',
      {
        query:
          '{ clipboardEntries(first: 1) { edges { cursor node { id } } } clipboardEntry(by: { name: "kept" }) { id } notifications(first: 1) { edges { cursor node { id } } } }',
      },
      bearer,
    );
    const { clipboardEntries, clipboardEntry, notifications } = found.body.data;
    return {
      entryUuid: entry.uuid,
      entryName: 'kept',
      entryId: clipboardEntry.id,
      notificationUuid: notification.id,
      notificationId: notifications.edges[0].node.id,
      notificationCursor: notifications.edges[0].cursor,
      cursor: clipboardEntries.edges[0].cursor,
    };
  }

  /** A webhook with a delivery: the oldest that inputs have left, or a new one. Another tenant's tells whose it is. */
  async function webhook(): Promise<Record<string, string>> {
    const query = '{ webhooks(first: 1) { nodes { id uuid deliveries(first: 1) { nodes { id uuid } } } } }';
    const ask = async () => (await call('/graphql', { query }, bearer)).body.data.webhooks.nodes[0];
    let found = await ask();
    if (!found) {
      const url = other === null ? `${deadUrl}/${canary}` : deadUrl;
      await call('/api/webhooks', { url, events: ['document.deleted'] }, bearer);
      found = await ask();
    }
    if (found.deliveries.nodes.length === 0) {
      await call(`/api/webhooks/${found.uuid}/test`, {}, bearer);
      found = await ask();
    }
    const [delivery] = found.deliveries.nodes;
    return { webhookUuid: found.uuid, webhookId: found.id, deliveryUuid: delivery.uuid, deliveryId: delivery.id };
  }

  /** A private server that offers a tool; likewise. */
  async function server(): Promise<Record<string, string>> {
    const ask = async () =>
      (await call('/graphql', { query: '{ ownServers(first: 1) { nodes { id uuid } } }' }, bearer)).body.data.ownServers
        .nodes[0];
    let found = await ask();
    if (!found) {
      const mark = other === null ? canary : 'mine';
      const { body } = await call('/api/mcp-servers', { name: mark, command: mark, env: { TOKEN: mark } }, bearer);
      await call(`/api/servers/${body.uuid}/capabilities`, { tools: [{ name: mark }] }, bearer);
      found = await ask();
    }
    return { serverUuid: found.uuid, serverId: found.id };
  }

  /** A private collection; likewise. */
  async function collection(): Promise<Record<string, string>> {
    const query = '{ collections(first: 1) { nodes { id uuid } } }';
    const ask = async () => (await call('/graphql', { query }, bearer)).body.data.collections.nodes[0];
    let found = await ask();
    if (!found) {
      const name = other === null ? canary : 'mine';
      await call('/api/collections', { name, description: name }, bearer);
      found = await ask();
    }
    return { collectionUuid: found.uuid, collectionId: found.id };
  }

  const fixed = {
    key,
    reader,
    username,
    email,
    password,
    apiKeyUuid: apiKey.uuid as string,
    apiKeyId: viewer.profile.apiKeys.nodes[0].id as string,
    profileUuid: profile.uuid as string,
    profileId: viewer.profile.id as string,
    projectUuid: signedUp.body.project.uuid as string,
    projectId: viewer.project.id as string,
    userUuid: signedUp.body.user.uuid as string,
    userId: viewer.user.id as string,
    profileCursor: profiles.edges[0].cursor as string,
    otherEntryUuid: other?.entryUuid ?? '',
    otherEntryId: other?.entryId ?? '',
    otherNotificationUuid: other?.notificationUuid ?? '',
    otherNotificationId: other?.notificationId ?? '',
    otherProfileUuid: other?.profileUuid ?? '',
    otherProfileId: other?.profileId ?? '',
    otherApiKeyUuid: other?.apiKeyUuid ?? '',
    otherUserUuid: other?.userUuid ?? '',
    otherUsername: other?.username ?? '',
    otherEmail: other?.email ?? '',
    otherCursor: other?.cursor ?? '',
    otherWebhookUuid: other?.webhookUuid ?? '',
    otherWebhookId: other?.webhookId ?? '',
    otherDeliveryUuid: other?.deliveryUuid ?? '',
    otherServerUuid: other?.serverUuid ?? '',
    otherServerId: other?.serverId ?? '',
    otherCollectionUuid: other?.collectionUuid ?? '',
    otherCollectionId: other?.collectionId ?? '',
  };

  /** What inputs may have deleted. */
  const changing = async () => ({
    ...(await entries()),
    ...(await webhook()),
    ...(await server()),
    ...(await collection()),
  });

  const actor: Actor = {
    world: { ...fixed, session, ...(await changing()) },
    async renew() {
      // A password that an input changed is not known any more; the session then stays as it is.
      const signedIn = await call('/api/auth/sign-in', { username, password }, {}).catch(() => null);
      if (signedIn) session = sessionIn(signedIn.headers);
      actor.world = { ...fixed, session, ...(await changing()) };
    },
  };
  return actor;
}

/** Of the product that is asked: nothing listens where GitHub should be, and accounts can be begun to be linked. */
export const productSettings = {
  EGRESS_ALLOW: '127.0.0.0/8',
  GITHUB_URL: 'http://127.0.0.1:65530',
  GITHUB_API_URL: 'http://127.0.0.1:65530',
  GITHUB_CLIENT_ID: 'fuzz',
  GITHUB_CLIENT_SECRET: 'fuzz',
};
