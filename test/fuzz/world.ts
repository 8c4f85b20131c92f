import { deadUrl } from '../support/webhook-stage.ts';
import type { Outgoing } from './exchange.ts';
import { canary } from './oracle.ts';
import type { World } from './values.ts';

const password = 'correct horse battery';

/** The user behind the inputs of one connection, with its own objects, and another user. */
export interface Actor {
  readonly world: World;
  /** To be told of each input that is sent: one may delete the account. */
  noteSent(request: Outgoing): void;
  /** Makes again what earlier inputs ended: the account, sessions, entries, notifications. */
  renew(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are taken apart here
type Answer = { body: any; headers: Headers };

/** @throws when the answer is not 200; null instead for the status in `unless`. */
type Call = {
  (path: string, body: unknown, headers: Record<string, string>): Promise<Answer>;
  (path: string, body: unknown, headers: Record<string, string>, unless: number): Promise<Answer | null>;
};

const callerAt = (base: string) =>
  (async (path, body, headers, unless?: number) => {
    const response = await fetch(base + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (response.status === unless) return null;
    const parsed = response.status === 200 ? JSON.parse(text) : null;
    if (parsed === null || parsed.errors)
      throw new Error(`the stage cannot be set: ${path} answered ${response.status} ${text}`);
    return { body: parsed, headers: response.headers };
  }) as Call;

const sessionIn = (headers: Headers) => /session_token=([^;]+)/.exec(headers.get('set-cookie') ?? '')?.[1] ?? '';

/** Whether a request can delete the account of its caller. */
const canDeleteAccount = ({ path, body }: Outgoing) => /auth\/account|accountDelete/i.test(`${path} ${body ?? ''}`);

/** Signs a user up over HTTP and creates one object of each kind. */
export async function createActor(base: string, name: string, other: World | null): Promise<Actor> {
  const call = callerAt(base);
  let stage = await createStage(call, name, other);
  let world = await stage.worldOf(stage.session);
  let canBeDeleted = false;
  return {
    get world() {
      return world;
    },
    noteSent(request) {
      canBeDeleted ||= canDeleteAccount(request);
    },
    async renew() {
      let session = String(world.session);
      if (await stage.isThere()) {
        // A password that an input changed is not known any more; the session then stays as it is.
        const signedIn = await call('/api/auth/sign-in', stage.account, {}, 401);
        if (signedIn) session = sessionIn(signedIn.headers);
      } else {
        if (!canBeDeleted) throw new Error('the key has ended, and no input can have deleted the account');
        canBeDeleted = false;
        stage = await createStage(call, name, other);
        session = stage.session;
      }
      world = await stage.worldOf(session);
    },
  };
}

/** A new user with its keys and what else inputs cannot delete. */
async function createStage(call: Call, name: string, other: World | null) {
  const username = `${name}-${process.pid}-${Math.floor(performance.now())}`.slice(0, 30);
  const account = { username, email: `${username}@example.com`, password };
  const signedUp = await call('/api/auth/sign-up', account, {});
  const session = sessionIn(signedUp.headers);
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
    ...account,
    key,
    reader,
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

  /** The world of a session; makes again what inputs have deleted. */
  const worldOf = async (session: string): Promise<World> => ({
    ...fixed,
    session,
    ...(await entries()),
    ...(await webhook()),
    ...(await server()),
    ...(await collection()),
  });

  /** False once the key is refused. */
  const isThere = async () => (await call('/graphql', { query: '{ viewer { user { id } } }' }, bearer, 401)) !== null;

  return { account: { username, password }, session, isThere, worldOf };
}

/** Of the product that is asked: nothing listens where GitHub should be, and accounts can be begun to be linked. */
export const productSettings = {
  EGRESS_ALLOW: '127.0.0.0/8',
  GITHUB_URL: 'http://127.0.0.1:65530',
  GITHUB_API_URL: 'http://127.0.0.1:65530',
  GITHUB_CLIENT_ID: 'fuzz',
  GITHUB_CLIENT_SECRET: 'fuzz',
};
