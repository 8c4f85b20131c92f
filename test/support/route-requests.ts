import { Kind } from 'graphql';
import type { Route } from '../../rest-adapter/route.ts';
import type { Caller } from '../../src/platform/caller.ts';
import type { GithubStandIn } from './github.ts';
import { authorizableServer, authorizedServer, checkedServer, pendingSession } from './oauth/authorized.ts';
import { sessionOf, signedIn } from './people.ts';
import { accept, digestOf, inPath, linked, submission } from './registry-stage.ts';
import { type Call, callerOf, type TestServer, tenantOf } from './server.ts';

/** Names a route also where two share a method and a path: `GET /api/clipboard (ListClipboardEntries)`. */
export function titleOf({ method, path, operation }: Route): string {
  const [definition] = operation.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const name = definition && 'name' in definition ? definition.name?.value : undefined;
  return `${method} ${path} (${name})`;
}

/** What a call with some success needs: fresh for each route, so that none depends on another. */
export interface Stage {
  readonly server: TestServer;
  /** A key with every scope. */
  readonly key: Call;
  /** A signed-in browser of another user. */
  readonly session: Call;
  readonly nobody: Call;
  /** The user of the key. */
  readonly user: Caller;
  /** The user of the browser. */
  readonly browsing: Caller;
  readonly github: GithubStandIn;
}

export async function stageOf(server: TestServer, github: GithubStandIn): Promise<Stage> {
  const { call: key, user } = await tenantOf(server, { scopes: ['read', 'write', 'admin'] });
  const { call: session, user: browsing } = await sessionOf(server);
  return { server, key, user, github, session, browsing, nobody: callerOf(server, null) };
}

interface Request {
  readonly as: 'key' | 'session' | 'nobody';
  readonly path?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** A multipart form as text: its fields, and a file of one line. */
export function formWithFile(fields: Readonly<Record<string, string>>): {
  body: string;
  headers: Record<string, string>;
} {
  const parts = Object.entries(fields).map(
    ([name, value]) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`,
  );
  const file = 'Content-Disposition: form-data; name="file"; filename="x.txt"\r\n\r\nThe first line.';
  const body = [...parts, file].map((part) => `--limit\r\n${part}\r\n`).join('');
  return { body: `${body}--limit--\r\n`, headers: { 'Content-Type': 'multipart/form-data; boundary=limit' } };
}

let people = 0;
const password = 'correct horse battery';
const newPerson = () => {
  const username = `route-${++people}-${process.pid}`;
  return { email: `${username}@example.com`, username, password };
};

const named = async ({ key }: Stage) => (await key('POST', '/api/clipboard', { name: 'there', value: 'x' })).body.entry;
const pushed = async ({ key }: Stage) => (await key('POST', '/api/clipboard/push', { value: 'x' })).body.entry;

const notified = async ({ key }: Stage) =>
  (await key('POST', '/api/notifications', { message: 'x' })).body.notification;

/** The name of the key's user, whose profile is public from now on. */
const shown = async ({ key }: Stage) => {
  const links = { github: 'https://github.com/octocat' };
  const { body } = await key('PATCH', '/api/users/profile', { is_public: true, bio: 'b', social_links: links });
  return body.profile.username as string;
};

/** No listener: requests fail at once, and can be replayed. */
const hook = { url: 'http://127.0.0.1:65531/hook', events: ['document.deleted'] };
const webhookOf = async ({ key }: Stage) => (await key('POST', '/api/webhooks', hook)).body.id as string;
const deliveryOf = async (stage: Stage) => {
  const path = `/api/webhooks/${await webhookOf(stage)}`;
  return { path, delivery: (await stage.key('POST', `${path}/test`)).body.id as string };
};

const serverOf = async ({ key }: Stage) =>
  (await key('POST', '/api/mcp-servers', { name: 'x', command: 'npx', env: { TOKEN: 'x' } })).body.uuid as string;

/** A server that others see and use. */
const usedByAnother = async ({ server }: Stage): Promise<Request> => {
  const [owner, other] = [(await tenantOf(server)).caller, (await tenantOf(server)).caller];
  const { configurations, usage } = server.services.mcpServers;
  const { uuid } = await configurations.create(owner, { name: 'x', command: 'npx', category: 'files' });
  await configurations.setVisibility(owner, uuid, { isPublic: true });
  await usage.install(other, uuid);
  await server.services.analytics.trending.rollUp();
  return { as: 'key' };
};

const offering = async (stage: Stage) => {
  const uuid = await serverOf(stage);
  await stage.key('POST', `/api/servers/${uuid}/capabilities`, {
    tools: [{ name: 't', description: 'x', inputSchema: { type: 'object' } }],
    resources: [{ uri: 'file:///r', name: 'r' }],
    resourceTemplates: [{ uriTemplate: 'file:///{x}', name: 'x' }],
    prompts: [{ name: 'p' }],
  });
  return uuid;
};
const offered = async (stage: Stage): Promise<Request> => {
  await offering(stage);
  return { as: 'key' };
};

let agents = 0;
const agentOf = async ({ key }: Stage) =>
  (await key('POST', '/api/agents', { name: `agent-${++agents}` })).body.agent.uuid as string;
const ofAgent =
  (what: string, body?: object) =>
  async (stage: Stage): Promise<Request> => ({
    as: 'key',
    path: `/api/agents/${await agentOf(stage)}${what}`,
    ...(body && { body }),
  });
/** An agent that has sent its first heartbeat. */
const activeAgentOf = async (stage: Stage) => {
  const uuid = await agentOf(stage);
  const text = "UPDATE agents SET state = 'ACTIVE', applied_revision = 1 WHERE uuid = $1";
  await stage.server.database.query({ text, values: [uuid] });
  return uuid;
};

const documentOf = async ({ key }: Stage) =>
  (await key('POST', '/api/documents/ai', { title: 'x', content: 'Words of a document.' })).body.documentId as string;
/** Something is found. */
const searched = async (stage: Stage): Promise<Request> => {
  await stage.server.services.documents.ingestion.settle(await documentOf(stage));
  return { as: 'key', body: { query: 'words' } };
};
/** What has been read of a document. */
const ofReadDocument =
  (what: string) =>
  async (stage: Stage): Promise<Request> => {
    const uuid = await documentOf(stage);
    await stage.server.services.documents.ingestion.settle(uuid);
    return { as: 'key', path: `/api/documents/${uuid}${what}` };
  };
const ofDocument =
  (what: string, body?: object) =>
  async (stage: Stage): Promise<Request> => ({
    as: 'key',
    path: `/api/documents/${await documentOf(stage)}${what}`,
    ...(body && { body }),
  });
const collectionOf = async (stage: Stage) => {
  const body = { name: 'x', serverUuids: [await serverOf(stage)], isPublic: true };
  return (await stage.key('POST', '/api/collections', body)).body as { uuid: string; profile_uuid: string };
};
/** What the key's user, who is an administrator from now on, has submitted. */
const submitted = async ({ server, key, user, github }: Stage) => {
  const account = github.account(`octo-${++people}`);
  github.repository(account, 'tool');
  await server.database.query({
    text: 'UPDATE users SET is_admin = true WHERE uuid = $1',
    values: [user.principal?.userUuid],
  });
  await linked(github, await signedIn(server, user), account);
  const { body } = await key('POST', '/api/registry/submit', submission(`${account.login}/tool`));
  return { uuid: body.uuid as string, login: account.login };
};
const published = async (stage: Stage) => {
  const { uuid } = await submitted(stage);
  await accept(stage.key, uuid);
  return uuid;
};
const publishedName = async (stage: Stage) => {
  const { uuid, login } = await submitted(stage);
  await accept(stage.key, uuid);
  return inPath(`io.github.${login}/tool`);
};
const ofRegistry = (what: string) => async (stage: Stage) => ({
  as: 'key' as const,
  path: `/api/registry/servers/${await published(stage)}/${what}`,
  body: { message: 'x' },
});

const chatOf = async ({ key }: Stage) =>
  (await key('POST', '/api/embedded-chat/sessions', { title: 'x' })).body.sessionId as string;
const chatAnswerOf = async (stage: Stage) => {
  const body = { sessionId: await chatOf(stage), message: 'x' };
  return (await stage.key('POST', '/api/embedded-chat/messages', body)).body.messageId as string;
};
const ofChat =
  (what = '', body?: object) =>
  async (stage: Stage): Promise<Request> => ({
    as: 'key',
    path: `/api/embedded-chat/sessions/${await chatOf(stage)}${what}`,
    ...(body && { body }),
  });
const failedChatAnswerOf = async (stage: Stage) => {
  const uuid = await chatAnswerOf(stage);
  const text = "UPDATE chat_messages SET status = 'failed' WHERE uuid = $1";
  await stage.server.database.query({ text, values: [uuid] });
  return uuid;
};

/** A request that succeeds, for every route. A new route needs a line here. */
export const requestOf: Record<string, (stage: Stage) => Request | Promise<Request>> = {
  'POST /api/auth/sign-up (SignUp)': () => ({ as: 'nobody', body: newPerson() }),
  'POST /api/auth/sign-in (SignIn)': async ({ nobody }) => {
    const { username, ...person } = newPerson();
    await nobody('POST', '/api/auth/sign-up', { username, ...person });
    return { as: 'nobody', body: { username, password } };
  },
  'POST /api/auth/sign-out (SignOut)': () => ({ as: 'session' }),
  'GET /api/auth/session (GetSession)': () => ({ as: 'session' }),
  'POST /api/auth/password (ChangePassword)': () => ({
    as: 'session',
    body: { currentPassword: password, newPassword: 'another staple of mine' },
  }),
  'DELETE /api/auth/account (DeleteAccount)': () => ({ as: 'session', body: { password } }),
  'POST /api/oauth/initiate (BeginOauthFlow)': async ({ server, browsing }) => ({
    as: 'session',
    body: { serverUuid: await authorizableServer(server.services, browsing) },
  }),
  'POST /api/oauth/refresh (RefreshOauthTokens)': async ({ server, browsing }) => ({
    as: 'session',
    body: { serverUuid: await authorizedServer(server.services, browsing) },
  }),
  'GET /api/mcp/oauth/session (ListOauthSessions)': async ({ server, user }) => {
    await authorizedServer(server.services, user);
    return { as: 'key' };
  },
  'POST /api/mcp/oauth/session (CreateOauthSession)': async ({ server, user }) => ({
    as: 'key',
    body: {
      provider: await authorizableServer(server.services, user),
      redirect_uri: 'http://127.0.0.1:9/back',
      scopes: ['notes:read'],
    },
  }),
  'POST /api/mcp/oauth/callback (CompleteOauthSession)': async ({ server, user }) => ({
    as: 'key',
    body: (await pendingSession(server.services, user)).callback,
  }),
  'GET /api/mcp/oauth/session/:sessionId (GetOauthSession)': async ({ server, user }) => ({
    as: 'key',
    path: `/api/mcp/oauth/session/${(await pendingSession(server.services, user)).uuid}`,
  }),
  'DELETE /api/mcp/oauth/session/:sessionId (RevokeOauthSession)': async ({ server, user }) => ({
    as: 'key',
    path: `/api/mcp/oauth/session/${(await pendingSession(server.services, user)).uuid}`,
  }),
  'POST /api/embedded-chat/sessions (CreateChatSession)': () => ({ as: 'key', body: { model: 'extractive' } }),
  'GET /api/embedded-chat/sessions (ListChatSessions)': async (stage) => {
    await chatOf(stage);
    return { as: 'key' };
  },
  'GET /api/embedded-chat/sessions/:session_id (GetChatSession)': ofChat(),
  'PATCH /api/embedded-chat/sessions/:session_id (UpdateChatSession)': ofChat('', { title: 'y' }),
  'DELETE /api/embedded-chat/sessions/:session_id (DeleteChatSession)': ofChat(),
  'GET /api/embedded-chat/sessions/:session_id/messages (ListChatMessages)': ofChat('/messages'),
  'POST /api/embedded-chat/messages/:message_id/renew (RenewChatMessage)': async (stage) => {
    const uuid = await chatAnswerOf(stage);
    const text = 'UPDATE chat_messages SET stale_at = now() WHERE uuid = $1';
    await stage.server.database.query({ text, values: [uuid] });
    return { as: 'key', path: `/api/embedded-chat/messages/${uuid}/renew` };
  },
  'GET /api/embedded-chat/usage (GetChatUsage)': () => ({ as: 'key' }),
  'GET /api/embedded-chat/models (ListChatModels)': () => ({ as: 'key' }),
  'POST /api/embedded-chat/messages (SendChatMessage)': async (stage) => ({
    as: 'key',
    body: { sessionId: await chatOf(stage), message: 'x' },
  }),
  'GET /api/embedded-chat/messages/:message_id (GetChatMessage)': async (stage) => ({
    as: 'key',
    path: `/api/embedded-chat/messages/${await chatAnswerOf(stage)}`,
  }),
  'GET /api/embedded-chat/messages/:message_id/stream (FollowChatAnswer)': async (stage) => ({
    as: 'key',
    path: `/api/embedded-chat/messages/${await chatAnswerOf(stage)}/stream`,
  }),
  'POST /api/embedded-chat/messages/:message_id/abort (AbortChatMessage)': async (stage) => ({
    as: 'key',
    path: `/api/embedded-chat/messages/${await chatAnswerOf(stage)}/abort`,
  }),
  'POST /api/embedded-chat/messages/:message_id/retry (RetryChatMessage)': async (stage) => ({
    as: 'key',
    path: `/api/embedded-chat/messages/${await failedChatAnswerOf(stage)}/retry`,
  }),
  'GET /api/projects (ListProjects)': () => ({ as: 'key' }),
  'POST /api/projects (CreateProject)': () => ({ as: 'session', body: { name: 'Second' } }),
  'GET /api/profiles (ListProfiles)': () => ({ as: 'key' }),
  'POST /api/profiles (CreateProfile)': () => ({ as: 'key', body: { name: 'Second' } }),
  'DELETE /api/projects/:uuid (DeleteProject)': async ({ session }) => {
    const { project } = (await session('POST', '/api/projects', { name: 'Second' })).body;
    return { as: 'session', path: `/api/projects/${project.uuid}` };
  },
  'DELETE /api/profiles/:uuid (DeleteProfile)': async ({ session }) => {
    const { profile } = (await session('POST', '/api/profiles', { name: 'Second' })).body;
    return { as: 'session', path: `/api/profiles/${profile.uuid}` };
  },
  'POST /api/profiles/:uuid/activate (ActivateProfile)': async ({ session }) => {
    const { profile } = (await session('POST', '/api/profiles', { name: 'Second' })).body;
    return { as: 'session', path: `/api/profiles/${profile.uuid}/activate` };
  },
  'GET /api/api-keys (ListApiKeys)': () => ({ as: 'key' }),
  'POST /api/api-keys (CreateApiKey)': () => ({
    as: 'key',
    body: { name: 'Second', expiresAt: '2027-01-01T00:00:00.000Z' },
  }),
  'DELETE /api/api-keys/:uuid (RevokeApiKey)': async ({ key }) => {
    const { apiKey } = (await key('POST', '/api/api-keys', { name: 'Second' })).body;
    return { as: 'key', path: `/api/api-keys/${apiKey.uuid}` };
  },
  'GET /api/clipboard (GetClipboardEntry)': async (stage) => {
    await named(stage);
    return { as: 'key', path: '/api/clipboard?name=there' };
  },
  'GET /api/clipboard (ListClipboardEntries)': async (stage) => {
    await Promise.all([named(stage), pushed(stage)]);
    return { as: 'key' };
  },
  'GET /api/clipboard/entries/:uuid (GetClipboardEntryByUuid)': async (stage) => ({
    as: 'key',
    path: `/api/clipboard/entries/${(await pushed(stage)).uuid}`,
  }),
  'POST /api/clipboard/get (GetClipboardEntry)': async (stage) => {
    await pushed(stage);
    return { as: 'key', body: { idx: 0 } };
  },
  'POST /api/clipboard (SetClipboardEntry)': () => ({
    as: 'key',
    body: { name: 'there', value: 'x', createdByTool: 'tool' },
  }),
  'POST /api/clipboard/push (PushClipboardEntry)': () => ({ as: 'key', body: { value: 'x', visibility: 'workspace' } }),
  'DELETE /api/clipboard/pop (PopClipboardEntry)': async (stage) => {
    await pushed(stage);
    return { as: 'key' };
  },
  'POST /api/clipboard/pop (PopClipboardEntry)': async (stage) => {
    await pushed(stage);
    return { as: 'key' };
  },
  'DELETE /api/clipboard (ClearClipboard)': async (stage) => {
    await pushed(stage);
    return { as: 'key', body: { clearAll: true } };
  },
  'DELETE /api/clipboard (DeleteClipboardEntry)': async (stage) => {
    await named(stage);
    return { as: 'key', body: { name: 'there' } };
  },
  'DELETE /api/clipboard/all (ClearClipboard)': async (stage) => {
    await pushed(stage);
    return { as: 'key' };
  },
  'GET /api/notifications (ListNotifications)': async (stage) => {
    const { id } = await notified(stage);
    await stage.key('PATCH', `/api/notifications/${id}/read`);
    await notified(stage);
    return { as: 'key', path: '/api/notifications?unread=false' };
  },
  'POST /api/notifications (CreateNotification)': () => ({
    as: 'key',
    body: { title: 't', message: 'x', severity: 'ALERT', send_email: true, metadata: { server_id: 's' } },
  }),
  'PATCH /api/notifications/read-all (MarkAllNotificationsRead)': async (stage) => {
    await notified(stage);
    return { as: 'key' };
  },
  'PATCH /api/notifications/:id/read (MarkNotificationRead)': async (stage) => ({
    as: 'key',
    path: `/api/notifications/${(await notified(stage)).id}/read`,
  }),
  'PATCH /api/notifications/:id/completed (CompleteNotification)': async (stage) => ({
    as: 'key',
    path: `/api/notifications/${(await notified(stage)).id}/completed`,
    body: { completed: true },
  }),
  'DELETE /api/notifications/:id (DeleteNotification)': async (stage) => ({
    as: 'key',
    path: `/api/notifications/${(await notified(stage)).id}`,
  }),
  'GET /api/check-username (CheckUsername)': () => ({ as: 'key', path: '/api/check-username?username=nobody-yet' }),
  'GET /api/users/:username (GetUserProfile)': async (stage) => ({
    as: 'nobody',
    path: `/api/users/${await shown(stage)}`,
  }),
  'PATCH /api/users/profile (UpdateUserProfile)': () => ({
    as: 'key',
    body: {
      bio: 'b',
      is_public: true,
      avatar_url: 'https://example.com/a.png',
      social_links: { x: 'https://x.com/b' },
    },
  }),
  'POST /api/users/:username/follow (FollowUser)': async (stage) => ({
    as: 'session',
    path: `/api/users/${await shown(stage)}/follow`,
  }),
  'DELETE /api/users/:username/follow (UnfollowUser)': async (stage) => {
    const path = `/api/users/${await shown(stage)}/follow`;
    await stage.session('POST', path);
    return { as: 'session', path };
  },
  'POST /api/mcp-servers (CreateServer)': () => ({
    as: 'key',
    body: { name: 'x', transport: 'stdio', command: 'npx', args: ['-y', 'x'], env: { TOKEN: 'x' }, notes: 'x' },
  }),
  'GET /api/mcp-servers (ListProxiedServers)': async (stage) => {
    await serverOf(stage);
    return { as: 'key' };
  },
  'GET /api/tools (ListServerOffers)': async (stage) => ({
    ...(await offered(stage)),
    path: '/api/tools?prefix_tools=true',
  }),
  'GET /api/resources (ListServerOffers)': offered,
  'GET /api/resource-templates (ListServerOffers)': offered,
  'GET /api/prompts (ListServerOffers)': offered,
  'GET /api/resolve/tool (ResolveServer)': async (stage) => ({
    ...(await offered(stage)),
    path: '/api/resolve/tool?name=t',
  }),
  'GET /api/resolve/prompt (ResolveServer)': async (stage) => ({
    ...(await offered(stage)),
    path: '/api/resolve/prompt?name=p',
  }),
  'GET /api/resolve/resource (ResolveServer)': async (stage) => ({
    ...(await offered(stage)),
    path: '/api/resolve/resource?uri=file%3A%2F%2F%2Fr',
  }),
  'POST /api/discover/all (DiscoverAllServers)': () => ({ as: 'key' }),
  'POST /api/discover/:uuid (DiscoverServer)': async (stage) => ({
    as: 'key',
    path: `/api/discover/${await serverOf(stage)}`,
  }),
  'POST /api/servers/:uuid/capabilities (ReportServerCapabilities)': async (stage) => ({
    as: 'key',
    path: `/api/servers/${await serverOf(stage)}/capabilities`,
    body: { tools: [{ name: 't' }] },
  }),
  'GET /api/search (SearchServers)': () => ({ as: 'key', path: '/api/search?q=' }),
  'GET /api/service/search (GetSearchStatistics)': () => ({ as: 'key', path: '/api/service/search?q=x' }),
  'GET /api/servers/:uuid (GetServer)': async (stage) => ({
    as: 'key',
    path: `/api/servers/${await serverOf(stage)}`,
  }),
  'GET /api/servers/:uuid/authorization-report (GetServerAuthorizationReport)': async ({ server, user }) => ({
    as: 'key',
    path: `/api/servers/${await checkedServer(server.services, user)}/authorization-report`,
  }),
  'GET /api/servers/:uuid/stats (GetServerStats)': async (stage) => ({
    as: 'key',
    path: `/api/servers/${await serverOf(stage)}/stats`,
  }),
  'GET /api/trending/servers (ListTrendingServers)': usedByAnother,
  'POST /api/notifications/custom (CreateNotification)': () => ({
    as: 'key',
    body: { title: 'x', message: 'x', severity: 'INFO', sendEmail: false },
  }),
  'POST /api/notifications/mcp-activity (ReportServerActivity)': async (stage) => ({
    as: 'key',
    body: { action: 'tool_call', serverUuid: await serverOf(stage), serverName: 'x', itemName: 'x', success: true },
  }),
  'GET /api/agents (ListAgents)': async (stage) => {
    await agentOf(stage);
    return { as: 'key', path: '/api/agents?limit=1' };
  },
  'POST /api/agents (CreateAgent)': () => ({
    as: 'key',
    body: { name: `agent-${++agents}`, description: 'd', resources: { cpu_limit: '2' } },
  }),
  'GET /api/agents/:uuid (GetAgent)': async (stage) => {
    const path = `/api/agents/${await agentOf(stage)}`;
    await stage.key('POST', `${path}/heartbeat`, { mode: 'IDLE', uptime_seconds: 1 });
    await stage.key('POST', `${path}/metrics`, {
      cpu_percent: 1,
      memory_mb: 1,
      requests_handled: 1,
      custom_metrics: { a: 1 },
    });
    return { as: 'key', path };
  },
  'GET /api/agents/:uuid/logs (GetAgentLogs)': ofAgent('/logs?tail=5'),
  'GET /api/agents/:uuid/events (ListAgentPodEvents)': ofAgent('/events'),
  'DELETE /api/agents/:uuid (DeleteAgent)': ofAgent(''),
  'POST /api/agents/:uuid/export (ExportAgent)': async (stage) => {
    const path = `/api/agents/${await agentOf(stage)}`;
    await stage.key('POST', `${path}/heartbeat`, { mode: 'IDLE', uptime_seconds: 1 });
    return { as: 'key', path: `${path}/export`, body: { telemetry_limit: 5 } };
  },
  'POST /api/agents/:uuid/heartbeat (RecordHeartbeat)': ofAgent('/heartbeat', { mode: 'IDLE', uptime_seconds: 1 }),
  'POST /api/agents/:uuid/metrics (RecordMetrics)': ofAgent('/metrics', {
    cpu_percent: 1,
    memory_mb: 1,
    requests_handled: 1,
  }),
  'POST /api/agents/:uuid/suspend (SuspendAgent)': ofAgent('/suspend'),
  'POST /api/agents/:uuid/resume (ResumeAgent)': ofAgent('/resume'),
  'POST /api/agents/:uuid/wake (WakeAgent)': ofAgent('/wake'),
  'PATCH /api/agents/:uuid (SetAgentIdle)': ofAgent('', { idle_after_seconds: 60 }),
  'GET /api/agents/:uuid/usage (GetAgentUsage)': ofAgent('/usage'),
  'POST /api/agents/:uuid/restart (RestartAgent)': ofAgent('/restart'),
  'POST /api/agents/:uuid/redeploy (RedeployAgent)': ofAgent('/redeploy', { resources: { memory_limit: '2Gi' } }),
  'POST /api/agents/:uuid/drain (DrainAgent)': async (stage) => ({
    as: 'key',
    path: `/api/agents/${await activeAgentOf(stage)}/drain`,
    body: { grace_seconds: 1 },
  }),
  'GET /api/documents (ListDocuments)': async (stage) => {
    await documentOf(stage);
    return { as: 'key' };
  },
  'POST /api/documents/upload (UploadDocument)': () => ({ as: 'key', ...formWithFile({ title: 'x' }) }),
  'PUT /api/documents/:id/file (UploadDocument)': async (stage) => ({
    as: 'key',
    path: `/api/documents/${await documentOf(stage)}/file`,
    ...formWithFile({}),
  }),
  'POST /api/documents/files (GetReceivedFile)': () => ({ as: 'key', ...formWithFile({}) }),
  'POST /api/documents/ai (CreateAiDocument)': () => ({
    as: 'key',
    body: { title: 'x', content: 'y', model: { provider: 'p', name: 'n' } },
  }),
  'GET /api/documents/:id (GetDocument)': ofDocument(''),
  'PATCH /api/documents/:id (UpdateDocument)': ofDocument('', { title: 'y', tags: ['a'] }),
  'DELETE /api/documents/:id (DeleteDocument)': ofDocument('?permanent=true'),
  'POST /api/documents/:id/restore (RestoreDocument)': async (stage) => {
    const path = `/api/documents/${await documentOf(stage)}`;
    await stage.key('DELETE', path);
    return { as: 'key', path: `${path}/restore` };
  },
  'POST /api/documents/:id/reindex (ReindexDocument)': ofDocument('/reindex'),
  'GET /api/documents/:id/versions (ListDocumentVersions)': ofDocument('/versions'),
  'GET /api/documents/:id/versions/:version (GetDocumentVersion)': ofDocument('/versions/1'),
  'POST /api/documents/:id/versions/:version/restore (RestoreDocumentVersion)': ofDocument('/versions/1/restore'),
  'GET /api/library/download/:id (GetDocumentVersion)': async (stage) => ({
    as: 'key',
    path: `/api/library/download/${await documentOf(stage)}`,
  }),
  'GET /api/rag/storage-stats (GetDocumentStorage)': () => ({ as: 'key' }),
  'POST /api/documents/search (SearchDocuments)': searched,
  'POST /api/rag/query (FindPassages)': searched,
  'GET /api/documents/grep (GrepDocuments)': async (stage) => {
    await searched(stage);
    return { as: 'key', path: '/api/documents/grep?pattern=words' };
  },
  'GET /api/documents/:id/text (ReadDocument)': ofReadDocument('/text'),
  'GET /api/documents/:id/diff (DiffDocument)': ofReadDocument('/diff?from=1&to=1'),
  'GET /api/collections/:uuid (ListCollections)': async (stage) => ({
    as: 'key',
    path: `/api/collections/${(await collectionOf(stage)).profile_uuid}?limit=2`,
  }),
  'GET /api/collections/public/:uuid (GetCollection)': async (stage) => ({
    as: 'nobody',
    path: `/api/collections/public/${(await collectionOf(stage)).uuid}`,
  }),
  'POST /api/collections (CreateCollection)': async (stage) => ({
    as: 'key',
    body: { name: 'x', description: 'd', serverUuids: [await serverOf(stage)], isPublic: true },
  }),
  'PATCH /api/collections/:uuid (UpdateCollection)': async (stage) => ({
    as: 'key',
    path: `/api/collections/${(await collectionOf(stage)).uuid}`,
    body: { name: 'y', serverUuids: [await serverOf(stage)] },
  }),
  'DELETE /api/collections/:uuid (DeleteCollection)': async (stage) => ({
    as: 'key',
    path: `/api/collections/${(await collectionOf(stage)).uuid}`,
  }),
  'POST /api/collections/import/:uuid (ImportCollection)': async (stage) => ({
    as: 'key',
    path: `/api/collections/import/${(await collectionOf(stage)).uuid}`,
  }),
  'GET /api/webhooks/events (ListWebhookEvents)': () => ({ as: 'nobody' }),
  'POST /api/webhooks (CreateWebhook)': () => ({ as: 'key', body: hook }),
  'GET /api/registry/health (GetRegistryHealth)': () => ({ as: 'key' }),
  'POST /api/registry/submit (SubmitToRegistry)': async (stage) => ({
    as: 'key',
    body: submission(`${(await submitted(stage)).login}/tool`),
  }),
  'GET /api/registry/submissions (ListRegistrySubmissions)': async (stage) => {
    await submitted(stage);
    return { as: 'key', path: '/api/registry/submissions?limit=1' };
  },
  'POST /api/registry/submissions/:uuid/accept (AcceptRegistrySubmission)': async (stage) => {
    const { uuid } = await submitted(stage);
    const body = { digest: await digestOf(stage.key, uuid) };
    return { as: 'key', path: `/api/registry/submissions/${uuid}/accept`, body };
  },
  'POST /api/registry/submissions/:uuid/reject (RejectRegistrySubmission)': async (stage) => ({
    as: 'key',
    path: `/api/registry/submissions/${(await submitted(stage)).uuid}/reject`,
    body: { reason: 'x' },
  }),
  'POST /api/registry/servers/:uuid/deprecate (DeprecateRegistryServer)': ofRegistry('deprecate'),
  'POST /api/registry/servers/:uuid/reactivate (ReactivateRegistryServer)': ofRegistry('reactivate'),
  'POST /api/registry/servers/:uuid/withdraw (WithdrawRegistryServer)': ofRegistry('withdraw'),
  'GET /api/registry/github/link (BeginGithubLink)': () => ({ as: 'session' }),
  'DELETE /api/registry/github/link (UnlinkGithub)': () => ({ as: 'session' }),
  'GET /v0.1/servers (ListRegistryServers)': async (stage) => {
    await published(stage);
    return { as: 'nobody', path: '/v0.1/servers?limit=1' };
  },
  'GET /v0.1/servers/:serverName/versions (ListRegistryServerVersions)': async (stage) => ({
    as: 'nobody',
    path: `/v0.1/servers/${await publishedName(stage)}/versions`,
  }),
  'GET /v0.1/servers/:serverName/versions/:version (GetRegistryServer)': async (stage) => ({
    as: 'nobody',
    path: `/v0.1/servers/${await publishedName(stage)}/versions/latest`,
  }),
  'GET /api/webhooks (ListWebhooks)': async (stage) => {
    await webhookOf(stage);
    return { as: 'key' };
  },
  'GET /api/webhooks/:webhook_id (GetWebhook)': async (stage) => ({
    as: 'key',
    path: `/api/webhooks/${await webhookOf(stage)}`,
  }),
  'PATCH /api/webhooks/:webhook_id (UpdateWebhook)': async (stage) => ({
    as: 'key',
    path: `/api/webhooks/${await webhookOf(stage)}`,
    body: { active: false },
  }),
  'PATCH /api/webhooks/:webhook_id (ReplaceWebhookSecret)': async (stage) => ({
    as: 'key',
    path: `/api/webhooks/${await webhookOf(stage)}`,
    body: { active: false, secret: 'a-secret-of-the-tests' },
  }),
  'DELETE /api/webhooks/:webhook_id (DeleteWebhook)': async (stage) => ({
    as: 'key',
    path: `/api/webhooks/${await webhookOf(stage)}`,
  }),
  'POST /api/webhooks/:webhook_id/rotate-secret (RotateWebhookSecret)': async (stage) => ({
    as: 'key',
    path: `/api/webhooks/${await webhookOf(stage)}/rotate-secret`,
  }),
  'POST /api/webhooks/:webhook_id/test (TestWebhook)': async (stage) => ({
    as: 'key',
    path: `/api/webhooks/${await webhookOf(stage)}/test`,
    body: { event: 'test.ping' },
  }),
  'GET /api/webhooks/:webhook_id/deliveries (ListWebhookDeliveries)': async (stage) => ({
    as: 'key',
    path: `${(await deliveryOf(stage)).path}/deliveries`,
  }),
  'POST /api/webhooks/:webhook_id/deliveries/:delivery_id/replay (ReplayWebhookDelivery)': async (stage) => {
    const { path, delivery } = await deliveryOf(stage);
    return { as: 'key', path: `${path}/deliveries/${delivery}/replay` };
  },
  'POST /api/webhooks/:webhook_id/replay (ReplayFailedWebhookDeliveries)': async (stage) => ({
    as: 'key',
    path: `${(await deliveryOf(stage)).path}/replay`,
    body: { since: '2026-01-01T00:00:00Z' },
  }),
};
