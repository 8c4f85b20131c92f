import { formWithFile } from '../support/route-requests.ts';

// What every id, name and index of the platform can be given to, and by which request: tenant-isolation.test.ts asks them all.

/** What ids and selectors lead to. */
export type Kind =
  | 'project'
  /** One without profiles. */
  | 'new project'
  | 'profile'
  | 'api key'
  | 'entry'
  | 'entry name'
  | 'entry index'
  | 'notification'
  | 'server'
  /** One that is in the registry. */
  | 'registry server'
  /** For the registry; only administrators use it. */
  | 'submission'
  /** One that asks for authorization. */
  | 'authorizable server'
  /** One for which the platform holds tokens. */
  | 'authorized server'
  | 'oauth session'
  /** One of http, at a host of its own. */
  | 'http server'
  /** One that is installed in its own profile. */
  | 'installed server'
  /** A server that the tenant may rate: another tenant's is private, one's own is public and of a third user. */
  | 'rated server'
  | 'collection'
  | 'chat session'
  /** An answer that is complete. */
  | 'chat answer'
  | 'failed chat answer'
  | 'stale chat answer'
  | 'agent'
  | 'document'
  | 'deleted document'
  | 'read document'
  /** One that no document has taken. */
  | 'received file'
  /** One that has sent its first heartbeat. */
  | 'active agent'
  /** The one that its key acts as. */
  | 'acting profile'
  /** A tool of one, by the name that proxies give it. */
  | 'tool'
  | 'webhook'
  | 'delivery'
  | 'user name'
  | 'followed user'
  /** Both together, as paths have them: `<webhook>/deliveries/<delivery>`. */
  | 'delivery of webhook';

/** The same request for whatever the id leads to; it must be right, so that one's own is found by it. */
interface RestRow {
  readonly takes: Kind;
  readonly as: 'key' | 'session';
  readonly request: (id: string) => { path?: string; body?: unknown; headers?: Record<string, string> };
  /** The status of the answer for one's own, where it is not 200. */
  readonly found?: number;
  /** Where a missing one is no error: the status of the answer. */
  readonly missing?: number;
}

const ofWebhook = (request: RestRow['request']): RestRow[] => [
  { takes: 'webhook', as: 'key', request },
  { takes: 'webhook', as: 'session', request },
];

const ofServer = (request: RestRow['request']): RestRow[] => [
  { takes: 'server', as: 'key', request },
  { takes: 'server', as: 'session', request },
];

const ofCollection = (request: RestRow['request']): RestRow[] => [
  { takes: 'collection', as: 'key', request },
  { takes: 'collection', as: 'session', request },
];
const ofChat = (takes: Kind, method: string, path: string, body?: object) => ({
  [`${method} /api/embedded-chat/${path}`]: (['key', 'session'] as const).map(
    (as): RestRow => ({
      takes,
      as,
      request: (id) => ({ path: `/api/embedded-chat/${path.replace(/:\w+/, id)}`, ...(body && { body }) }),
    }),
  ),
});
const ofAgent = (method: string, what: string, body?: object, takes: Kind = 'agent') => ({
  [`${method} /api/agents/:uuid${what}`]: (['key', 'session'] as const).map(
    (as): RestRow => ({ takes, as, request: (id) => ({ path: `/api/agents/${id}${what}`, ...(body && { body }) }) }),
  ),
});
const ofDocument = (method: string, what: string, body?: object, takes: Kind = 'document') => ({
  [`${method} /api/documents/:id${what.replace(/versions\/\d+/, 'versions/:version')}`]: (
    ['key', 'session'] as const
  ).map(
    (as): RestRow => ({ takes, as, request: (id) => ({ path: `/api/documents/${id}${what}`, ...(body && { body }) }) }),
  ),
});
const ofOwnProfile = (request: RestRow['request']): RestRow[] => [
  { takes: 'acting profile', as: 'key', request },
  { takes: 'acting profile', as: 'session', request },
];
/** The rows of a route by its title, which has the name of its operation. */
const titled = (operation: string, rows: Record<string, RestRow[]>) =>
  Object.fromEntries(Object.entries(rows).map(([route, list]) => [`${route} (${operation})`, list]));

const ofRegistryServer = (what: string): RestRow[] =>
  (['key', 'session'] as const).map((as) => ({
    takes: 'registry server',
    as,
    request: (id) => ({ path: `/api/registry/servers/${id}/${what}`, body: { message: 'x' } }),
  }));

/** A row for every route that takes an id or selector, and for every way to give it. A new route needs one here. */
export const restRows: Record<string, RestRow[]> = {
  ...titled('GetAgent', ofAgent('GET', '')),
  ...titled('GetAgentLogs', ofAgent('GET', '/logs')),
  ...titled('ListAgentPodEvents', ofAgent('GET', '/events')),
  ...titled('DeleteAgent', ofAgent('DELETE', '')),
  ...titled('ExportAgent', ofAgent('POST', '/export', {})),
  ...titled('RecordHeartbeat', ofAgent('POST', '/heartbeat', { mode: 'IDLE', uptime_seconds: 1 })),
  ...titled('RecordMetrics', ofAgent('POST', '/metrics', { cpu_percent: 1, memory_mb: 1, requests_handled: 1 })),
  ...titled('SuspendAgent', ofAgent('POST', '/suspend')),
  ...titled('ResumeAgent', ofAgent('POST', '/resume')),
  ...titled('WakeAgent', ofAgent('POST', '/wake')),
  ...titled('SetAgentIdle', ofAgent('PATCH', '', { idle_after_seconds: 60 })),
  ...titled('GetAgentUsage', ofAgent('GET', '/usage')),
  ...titled('RestartAgent', ofAgent('POST', '/restart')),
  ...titled('RedeployAgent', ofAgent('POST', '/redeploy', { resources: { memory_limit: '2Gi' } })),
  ...titled('DrainAgent', ofAgent('POST', '/drain', {}, 'active agent')),
  ...titled('GetChatSession', ofChat('chat session', 'GET', 'sessions/:session_id')),
  ...titled('UpdateChatSession', ofChat('chat session', 'PATCH', 'sessions/:session_id', { title: 'taken' })),
  ...titled('DeleteChatSession', ofChat('chat session', 'DELETE', 'sessions/:session_id')),
  ...titled('ListChatMessages', ofChat('chat session', 'GET', 'sessions/:session_id/messages')),
  ...titled('GetChatMessage', ofChat('chat answer', 'GET', 'messages/:message_id')),
  ...titled('FollowChatAnswer', ofChat('chat answer', 'GET', 'messages/:message_id/stream')),
  ...titled('AbortChatMessage', ofChat('chat answer', 'POST', 'messages/:message_id/abort')),
  ...titled('RetryChatMessage', ofChat('failed chat answer', 'POST', 'messages/:message_id/retry')),
  ...titled('RenewChatMessage', ofChat('stale chat answer', 'POST', 'messages/:message_id/renew')),
  'POST /api/embedded-chat/messages (SendChatMessage)': (['key', 'session'] as const).map((as) => ({
    takes: 'chat session',
    as,
    request: (id) => ({ body: { sessionId: id, message: 'x' } }),
  })),
  'POST /api/embedded-chat/sessions (CreateChatSession)': (['key', 'session'] as const).map((as) => ({
    takes: 'acting profile',
    as,
    request: (id) => ({ body: { profileUuid: id } }),
  })),
  'GET /api/documents (ListDocuments)': ofOwnProfile((id) => ({ path: `/api/documents?profileUuid=${id}` })),
  'POST /api/documents/upload (UploadDocument)': [
    ...ofOwnProfile((id) => formWithFile({ profileUuid: id })),
    { takes: 'document', as: 'key', request: (id) => formWithFile({ documentId: id }) },
    { takes: 'document', as: 'session', request: (id) => formWithFile({ documentId: id }) },
  ],
  'PUT /api/documents/:id/file (UploadDocument)': (['key', 'session'] as const).map((as) => ({
    takes: 'document',
    as,
    request: (id) => ({ path: `/api/documents/${id}/file`, ...formWithFile({}) }),
  })),
  'POST /api/documents/ai (CreateAiDocument)': ofOwnProfile((id) => ({
    body: { title: 'x', content: 'y', profileUuid: id },
  })).map((row) => ({ ...row, found: 201 })),
  'POST /api/documents/search (SearchDocuments)': ofOwnProfile((id) => ({ body: { query: 'x', profileUuid: id } })),
  'POST /api/rag/query (FindPassages)': ofOwnProfile((id) => ({ body: { query: 'x', profileUuid: id } })),
  'GET /api/documents/grep (GrepDocuments)': (['key', 'session'] as const).map((as) => ({
    takes: 'read document',
    as,
    request: (id) => ({ path: `/api/documents/grep?pattern=.&documentId=${id}` }),
  })),
  ...titled('ReadDocument', ofDocument('GET', '/text', undefined, 'read document')),
  'GET /api/documents/:id/diff (DiffDocument)': (['key', 'session'] as const).map((as) => ({
    takes: 'read document',
    as,
    request: (id) => ({ path: `/api/documents/${id}/diff?from=1&to=1` }),
  })),
  ...titled('GetDocument', ofDocument('GET', '')),
  ...titled('UpdateDocument', ofDocument('PATCH', '', { title: 'x' })),
  ...titled('DeleteDocument', ofDocument('DELETE', '')),
  ...titled('RestoreDocument', ofDocument('POST', '/restore', undefined, 'deleted document')),
  ...titled('ReindexDocument', ofDocument('POST', '/reindex')),
  ...titled('ListDocumentVersions', ofDocument('GET', '/versions')),
  ...titled('GetDocumentVersion', ofDocument('GET', '/versions/1')),
  ...titled('RestoreDocumentVersion', ofDocument('POST', '/versions/1/restore')),
  'GET /api/library/download/:id (GetDocumentVersion)': (['key', 'session'] as const).map((as) => ({
    takes: 'document',
    as,
    request: (id) => ({ path: `/api/library/download/${id}` }),
  })),
  'GET /api/profiles (ListProfiles)': [
    { takes: 'project', as: 'key', request: (id) => ({ path: `/api/profiles?projectUuid=${id}` }) },
    { takes: 'project', as: 'session', request: (id) => ({ path: `/api/profiles?projectUuid=${id}` }) },
  ],
  'POST /api/profiles (CreateProfile)': [
    { takes: 'project', as: 'key', request: (id) => ({ body: { name: 'x', projectUuid: id } }) },
    { takes: 'project', as: 'session', request: (id) => ({ body: { name: 'x', projectUuid: id } }) },
  ],
  'POST /api/profiles/:uuid/activate (ActivateProfile)': [
    { takes: 'profile', as: 'session', request: (id) => ({ path: `/api/profiles/${id}/activate` }) },
  ],
  'DELETE /api/profiles/:uuid (DeleteProfile)': [
    { takes: 'profile', as: 'key', request: (id) => ({ path: `/api/profiles/${id}` }) },
    { takes: 'profile', as: 'session', request: (id) => ({ path: `/api/profiles/${id}` }) },
  ],
  'DELETE /api/projects/:uuid (DeleteProject)': [
    { takes: 'new project', as: 'session', request: (id) => ({ path: `/api/projects/${id}` }) },
  ],
  'GET /api/api-keys (ListApiKeys)': [
    { takes: 'profile', as: 'key', request: (id) => ({ path: `/api/api-keys?profileUuid=${id}` }) },
    { takes: 'profile', as: 'session', request: (id) => ({ path: `/api/api-keys?profileUuid=${id}` }) },
  ],
  'POST /api/api-keys (CreateApiKey)': [
    { takes: 'profile', as: 'key', request: (id) => ({ body: { name: 'x', profileUuid: id } }) },
    { takes: 'profile', as: 'session', request: (id) => ({ body: { name: 'x', profileUuid: id } }) },
  ],
  'DELETE /api/api-keys/:uuid (RevokeApiKey)': [
    { takes: 'api key', as: 'key', request: (id) => ({ path: `/api/api-keys/${id}` }) },
    { takes: 'api key', as: 'session', request: (id) => ({ path: `/api/api-keys/${id}` }) },
  ],
  'GET /api/clipboard (GetClipboardEntry)': [
    { takes: 'entry name', as: 'key', request: (id) => ({ path: `/api/clipboard?name=${id}` }) },
    { takes: 'entry index', as: 'key', request: (id) => ({ path: `/api/clipboard?idx=${id}` }) },
  ],
  'GET /api/clipboard/entries/:uuid (GetClipboardEntryByUuid)': [
    { takes: 'entry', as: 'key', request: (id) => ({ path: `/api/clipboard/entries/${id}` }) },
    { takes: 'entry', as: 'session', request: (id) => ({ path: `/api/clipboard/entries/${id}` }) },
  ],
  'POST /api/clipboard/get (GetClipboardEntry)': [
    { takes: 'entry name', as: 'key', request: (id) => ({ body: { name: id } }) },
    { takes: 'entry index', as: 'key', request: (id) => ({ body: { idx: Number(id) } }) },
  ],
  'PATCH /api/notifications/:id/read (MarkNotificationRead)': [
    { takes: 'notification', as: 'key', request: (id) => ({ path: `/api/notifications/${id}/read` }) },
    { takes: 'notification', as: 'session', request: (id) => ({ path: `/api/notifications/${id}/read` }) },
  ],
  'PATCH /api/notifications/:id/completed (CompleteNotification)': [
    { takes: 'notification', as: 'key', request: (id) => ({ path: `/api/notifications/${id}/completed` }) },
    { takes: 'notification', as: 'session', request: (id) => ({ path: `/api/notifications/${id}/completed` }) },
  ],
  'DELETE /api/notifications/:id (DeleteNotification)': [
    { takes: 'notification', as: 'key', request: (id) => ({ path: `/api/notifications/${id}` }) },
    { takes: 'notification', as: 'session', request: (id) => ({ path: `/api/notifications/${id}` }) },
  ],
  'DELETE /api/clipboard (DeleteClipboardEntry)': [
    { takes: 'entry name', as: 'key', request: (id) => ({ body: { name: id } }), missing: 200 },
    { takes: 'entry index', as: 'key', request: (id) => ({ body: { idx: Number(id) } }), missing: 200 },
  ],
  'GET /api/users/:username (GetUserProfile)': [
    { takes: 'user name', as: 'key', request: (name) => ({ path: `/api/users/${name}` }) },
    { takes: 'user name', as: 'session', request: (name) => ({ path: `/api/users/${name}` }) },
  ],
  'POST /api/users/:username/follow (FollowUser)': [
    { takes: 'followed user', as: 'key', request: (name) => ({ path: `/api/users/${name}/follow` }) },
    { takes: 'followed user', as: 'session', request: (name) => ({ path: `/api/users/${name}/follow` }) },
  ],
  'DELETE /api/users/:username/follow (UnfollowUser)': [
    { takes: 'followed user', as: 'key', request: (name) => ({ path: `/api/users/${name}/follow` }) },
    { takes: 'followed user', as: 'session', request: (name) => ({ path: `/api/users/${name}/follow` }) },
  ],
  'GET /api/servers/:uuid (GetServer)': ofServer((id) => ({ path: `/api/servers/${id}` })),
  'GET /api/servers/:uuid/authorization-report (GetServerAuthorizationReport)': ofServer((id) => ({
    path: `/api/servers/${id}/authorization-report`,
  })),
  'GET /api/servers/:uuid/stats (GetServerStats)': ofServer((id) => ({ path: `/api/servers/${id}/stats` })),
  'POST /api/discover/:uuid (DiscoverServer)': ofServer((id) => ({ path: `/api/discover/${id}` })),
  'POST /api/servers/:uuid/capabilities (ReportServerCapabilities)': ofServer((id) => ({
    path: `/api/servers/${id}/capabilities`,
    body: { tools: [{ name: 'x' }] },
  })),
  'GET /api/resolve/tool (ResolveServer)': [
    { takes: 'tool', as: 'key', request: (id) => ({ path: `/api/resolve/tool?name=${id}` }) },
    { takes: 'tool', as: 'session', request: (id) => ({ path: `/api/resolve/tool?name=${id}` }) },
  ],
  'POST /api/notifications/mcp-activity (ReportServerActivity)': ['tool_call', 'install', 'uninstall'].flatMap(
    (action) =>
      (['key', 'session'] as const).map((as) => ({
        takes: action === 'uninstall' ? 'installed server' : 'server',
        as,
        missing: 200,
        request: (id) => ({ body: { action, serverUuid: id, itemName: 'x' } }),
      })),
  ),
  'GET /api/collections/:uuid (ListCollections)': [
    { takes: 'acting profile', as: 'key', request: (id) => ({ path: `/api/collections/${id}` }) },
    { takes: 'acting profile', as: 'session', request: (id) => ({ path: `/api/collections/${id}` }) },
  ],
  'GET /api/collections/public/:uuid (GetCollection)': ofCollection((id) => ({
    path: `/api/collections/public/${id}`,
  })),
  'POST /api/collections (CreateCollection)': [
    { takes: 'acting profile', as: 'key', request: (id) => ({ body: { name: 'x', profileUuid: id } }) },
    { takes: 'acting profile', as: 'session', request: (id) => ({ body: { name: 'x', profileUuid: id } }) },
    { takes: 'server', as: 'key', missing: 400, request: (id) => ({ body: { name: 'x', serverUuids: [id] } }) },
  ],
  'PATCH /api/collections/:uuid (UpdateCollection)': ofCollection((id) => ({
    path: `/api/collections/${id}`,
    body: { name: 'taken', isPublic: true, serverUuids: [] },
  })),
  'DELETE /api/collections/:uuid (DeleteCollection)': ofCollection((id) => ({ path: `/api/collections/${id}` })),
  'POST /api/collections/import/:uuid (ImportCollection)': ofCollection((id) => ({
    path: `/api/collections/import/${id}`,
  })),
  'POST /api/registry/servers/:uuid/deprecate (DeprecateRegistryServer)': ofRegistryServer('deprecate'),
  'POST /api/registry/servers/:uuid/reactivate (ReactivateRegistryServer)': ofRegistryServer('reactivate'),
  'POST /api/registry/servers/:uuid/withdraw (WithdrawRegistryServer)': ofRegistryServer('withdraw'),
  'POST /api/oauth/initiate (BeginOauthFlow)': [
    { takes: 'authorizable server', as: 'session', request: (id) => ({ body: { serverUuid: id } }) },
  ],
  // Whether there is such a server is hidden by the status that the specification has for the servers of others.
  'POST /api/oauth/refresh (RefreshOauthTokens)': [
    { takes: 'authorized server', as: 'session', missing: 403, request: (id) => ({ body: { serverUuid: id } }) },
  ],
  'POST /api/mcp/oauth/session (CreateOauthSession)': (['key', 'session'] as const).map((as) => ({
    takes: 'authorizable server',
    as,
    request: (id) => ({ body: { provider: id, redirect_uri: 'https://example.com/back' } }),
  })),
  'GET /api/mcp/oauth/session/:sessionId (GetOauthSession)': (['key', 'session'] as const).map((as) => ({
    takes: 'oauth session',
    as,
    request: (id) => ({ path: `/api/mcp/oauth/session/${id}` }),
  })),
  'DELETE /api/mcp/oauth/session/:sessionId (RevokeOauthSession)': (['key', 'session'] as const).map((as) => ({
    takes: 'oauth session',
    as,
    request: (id) => ({ path: `/api/mcp/oauth/session/${id}` }),
  })),
  'GET /api/webhooks/:webhook_id (GetWebhook)': ofWebhook((id) => ({ path: `/api/webhooks/${id}` })),
  'PATCH /api/webhooks/:webhook_id (UpdateWebhook)': ofWebhook((id) => ({
    path: `/api/webhooks/${id}`,
    body: { active: false, url: 'https://example.com/taken' },
  })),
  'PATCH /api/webhooks/:webhook_id (ReplaceWebhookSecret)': ofWebhook((id) => ({
    path: `/api/webhooks/${id}`,
    body: { active: false, url: 'https://example.com/taken', secret: 'taken-over-by-another-else' },
  })),
  'DELETE /api/webhooks/:webhook_id (DeleteWebhook)': ofWebhook((id) => ({ path: `/api/webhooks/${id}` })),
  'POST /api/webhooks/:webhook_id/rotate-secret (RotateWebhookSecret)': ofWebhook((id) => ({
    path: `/api/webhooks/${id}/rotate-secret`,
  })),
  'POST /api/webhooks/:webhook_id/test (TestWebhook)': ofWebhook((id) => ({ path: `/api/webhooks/${id}/test` })),
  'GET /api/webhooks/:webhook_id/deliveries (ListWebhookDeliveries)': [
    ...ofWebhook((id) => ({ path: `/api/webhooks/${id}/deliveries` })),
    ...ofWebhook((id) => ({ path: `/api/webhooks/${id}/deliveries?status=failed&limit=1` })),
  ],
  'POST /api/webhooks/:webhook_id/replay (ReplayFailedWebhookDeliveries)': ofWebhook((id) => ({
    path: `/api/webhooks/${id}/replay`,
    body: { since: '2026-01-01T00:00:00Z' },
  })),
  'POST /api/webhooks/:webhook_id/deliveries/:delivery_id/replay (ReplayWebhookDelivery)': [
    { takes: 'delivery of webhook', as: 'key', request: (ids) => ({ path: `/api/webhooks/${ids}/replay` }) },
    { takes: 'delivery of webhook', as: 'session', request: (ids) => ({ path: `/api/webhooks/${ids}/replay` }) },
  ],
};

/** The servers with these names are public or cannot be found: test/registry/official.rest.test.ts. */
export const restOfPublic = [
  'GET /v0.1/servers/:serverName/versions (ListRegistryServerVersions)',
  'GET /v0.1/servers/:serverName/versions/:version (GetRegistryServer)',
];

/** For administrators, to whom nothing is another's; to everybody else nothing is there: test/registry/reviews.rest.test.ts. */
export const restOfAdministrators = [
  'POST /api/registry/submissions/:uuid/accept (AcceptRegistrySubmission)',
  'POST /api/registry/submissions/:uuid/reject (RejectRegistrySubmission)',
];

/** The routes that take no id: what they show and change is the caller's own by nature. */
export const restWithoutIds = [
  'GET /api/embedded-chat/models (ListChatModels)', // The same for everybody.
  'GET /api/embedded-chat/sessions (ListChatSessions)',
  'POST /api/documents/files (GetReceivedFile)',
  'GET /api/rag/storage-stats (GetDocumentStorage)',
  'GET /api/embedded-chat/usage (GetChatUsage)',
  'GET /api/agents (ListAgents)',
  'POST /api/agents (CreateAgent)',
  'POST /api/mcp/oauth/callback (CompleteOauthSession)', // Its own id and state: test/oauth/sessions.rest.test.ts.
  'GET /api/mcp/oauth/session (ListOauthSessions)',
  'DELETE /api/auth/account (DeleteAccount)',
  'POST /api/auth/sign-up (SignUp)',
  'POST /api/auth/sign-in (SignIn)',
  'POST /api/auth/sign-out (SignOut)',
  'GET /api/auth/session (GetSession)',
  'POST /api/auth/password (ChangePassword)',
  'GET /api/projects (ListProjects)',
  'GET /api/trending/servers (ListTrendingServers)', // Public servers alone: test/analytics.
  'GET /api/check-username (CheckUsername)', // It shows whether a name is taken: so does sign-up.
  'PATCH /api/users/profile (UpdateUserProfile)',
  'POST /api/projects (CreateProject)',
  'GET /api/clipboard (ListClipboardEntries)',
  'POST /api/clipboard (SetClipboardEntry)', // The name is one of the caller's own profile; see "a name that another tenant has".
  'POST /api/clipboard/push (PushClipboardEntry)',
  'DELETE /api/clipboard/pop (PopClipboardEntry)',
  'POST /api/clipboard/pop (PopClipboardEntry)',
  'DELETE /api/clipboard (ClearClipboard)',
  'DELETE /api/clipboard/all (ClearClipboard)',
  'GET /api/notifications (ListNotifications)',
  'POST /api/notifications (CreateNotification)',
  'POST /api/notifications/custom (CreateNotification)',
  'PATCH /api/notifications/read-all (MarkAllNotificationsRead)',
  'GET /api/webhooks (ListWebhooks)',
  'GET /api/webhooks/events (ListWebhookEvents)',
  'POST /api/webhooks (CreateWebhook)',
  'GET /api/tools (ListServerOffers)',
  'GET /api/resources (ListServerOffers)',
  'GET /api/resource-templates (ListServerOffers)',
  'GET /api/prompts (ListServerOffers)',
  'GET /api/resolve/prompt (ResolveServer)', // As of a tool.
  'GET /api/resolve/resource (ResolveServer)', // As of a tool.
  'POST /api/discover/all (DiscoverAllServers)',
  'GET /api/mcp-servers (ListProxiedServers)',
  'GET /api/registry/health (GetRegistryHealth)',
  'POST /api/registry/submit (SubmitToRegistry)', // Whose repository it is GitHub says: test/registry/submit.rest.test.ts.
  'GET /api/registry/submissions (ListRegistrySubmissions)',
  'GET /api/registry/github/link (BeginGithubLink)',
  'DELETE /api/registry/github/link (UnlinkGithub)',
  'GET /v0.1/servers (ListRegistryServers)',
  'POST /api/mcp-servers (CreateServer)',
  'GET /api/search (SearchServers)', // Public servers alone, the same for everybody: test/search.
  'GET /api/service/search (GetSearchStatistics)', // Of all users together, from three on: test/search.
];

interface GraphqlRow {
  readonly takes: Kind;
  readonly as: 'key' | 'session';
  readonly query: string;
  readonly variables: (id: string) => Record<string, unknown>;
}

const both = (row: Omit<GraphqlRow, 'as'>): GraphqlRow[] => [
  { ...row, as: 'key' },
  { ...row, as: 'session' },
];

const ofWebhookInGraph = (query: string) => both({ takes: 'webhook', query, variables: (id) => ({ id }) });

const ofServerInGraph = (query: string) => both({ takes: 'server', query, variables: (id) => ({ id }) });

const ofChatInGraph = (takes: Kind, query: string) => both({ takes, query, variables: (id) => ({ id }) });

const ofAgentInGraph = (query: string) => both({ takes: 'agent', query, variables: (id) => ({ id }) });

const ofDocumentInGraph = (query: string, takes: Kind = 'document') =>
  both({ takes, query, variables: (id) => ({ id }) });
const ofOwnProfileInGraph = (query: string) => both({ takes: 'acting profile', query, variables: (id) => ({ id }) });

const ofCollectionInGraph = (query: string) => both({ takes: 'collection', query, variables: (id) => ({ id }) });
const ofRegistryServerInGraph = (name: string, input = '') =>
  both({
    takes: 'registry server',
    query: `mutation ($id: String!) { ${name}(input: { uuid: $id ${input} }) { serverUuid name status } }`,
    variables: (id) => ({ id }),
  });

/** A row for every root field that takes an id or selector. A new root field needs one here. */
export const graphqlRows: Record<string, GraphqlRow[]> = {
  'Query.apiKeyPage': both({
    takes: 'profile',
    query: 'query ($id: String) { apiKeyPage(profileUuid: $id) { total apiKeys { uuid name profile { uuid } } } }',
    variables: (id) => ({ id }),
  }),
  'Query.apiKeys': both({
    takes: 'profile',
    query: 'query ($id: String) { apiKeys(profileUuid: $id) { totalCount nodes { uuid name profile { uuid } } } }',
    variables: (id) => ({ id }),
  }),
  'Query.profilePage': both({
    takes: 'project',
    query: 'query ($id: String) { profilePage(projectUuid: $id) { total profiles { uuid name } } }',
    variables: (id) => ({ id }),
  }),
  'Query.profiles': both({
    takes: 'project',
    query: 'query ($id: String) { profiles(projectUuid: $id) { totalCount nodes { uuid name } } }',
    variables: (id) => ({ id }),
  }),
  'Query.clipboardEntry': [
    ...both({
      takes: 'entry name',
      query: 'query ($by: ClipboardEntrySelector!) { clipboardEntry(by: $by) { uuid value } }',
      variables: (name) => ({ by: { name } }),
    }),
    ...both({
      takes: 'entry index',
      query: 'query ($by: ClipboardEntrySelector!) { clipboardEntry(by: $by) { uuid value } }',
      variables: (idx) => ({ by: { idx: Number(idx) } }),
    }),
  ],
  'Query.oauthSession': both({
    takes: 'oauth session',
    query: 'query ($id: String!) { oauthSession(uuid: $id) { uuid provider status scopes } }',
    variables: (id) => ({ id }),
  }),
  'Mutation.oauthSessionRevoke': both({
    takes: 'oauth session',
    query: 'mutation ($id: String!) { oauthSessionRevoke(input: { uuid: $id }) { session { uuid status } } }',
    variables: (id) => ({ id }),
  }),
  'Mutation.oauthSessionCreate': both({
    takes: 'authorizable server',
    query:
      'mutation ($id: String!) { oauthSessionCreate(input: { provider: $id, redirectUri: "https://example.com/back" }) { session { uuid } } }',
    variables: (id) => ({ id }),
  }),
  'Mutation.oauthServerConfigure': ofServerInGraph(
    'mutation ($id: String!) { oauthServerConfigure(input: { serverUuid: $id, omitsResource: true }) { server { uuid } } }',
  ),
  'Mutation.authorizationReportRequest': both({
    takes: 'http server',
    query: 'mutation ($id: String!) { authorizationReportRequest(input: { serverUuid: $id }) { server { uuid } } }',
    variables: (id) => ({ id }),
  }),
  'Mutation.oauthFlowBegin': [
    {
      takes: 'authorizable server',
      as: 'session',
      query: 'mutation ($id: String!) { oauthFlowBegin(input: { serverUuid: $id }) { expiresAt } }',
      variables: (id) => ({ id }),
    },
  ],
  'Mutation.oauthTokensRefresh': [
    {
      takes: 'authorized server',
      as: 'session',
      query: 'mutation ($id: String!) { oauthTokensRefresh(input: { serverUuid: $id }) { expiresAt } }',
      variables: (id) => ({ id }),
    },
  ],
  'Query.clipboardEntryByUuid': both({
    takes: 'entry',
    query: 'query ($id: String!) { clipboardEntryByUuid(uuid: $id) { uuid value idx } }',
    variables: (id) => ({ id }),
  }),
  'Mutation.apiKeyCreate': both({
    takes: 'profile',
    query: 'mutation ($id: String!) { apiKeyCreate(input: { name: "x", profileUuid: $id }) { apiKey { uuid } } }',
    variables: (id) => ({ id }),
  }),
  'Mutation.apiKeyRevoke': both({
    takes: 'api key',
    query: 'mutation ($id: String!) { apiKeyRevoke(input: { uuid: $id }) { apiKey { uuid name } } }',
    variables: (id) => ({ id }),
  }),
  'Mutation.profileDelete': both({
    takes: 'profile',
    query: 'mutation ($id: String!) { profileDelete(input: { uuid: $id }) { uuid } }',
    variables: (id) => ({ id }),
  }),
  'Mutation.projectDelete': [
    {
      takes: 'new project',
      as: 'session',
      query: 'mutation ($id: String!) { projectDelete(input: { uuid: $id }) { uuid } }',
      variables: (id) => ({ id }),
    },
  ],
  'Mutation.profileActivate': [
    {
      takes: 'profile',
      as: 'session',
      query: 'mutation ($id: String!) { profileActivate(input: { uuid: $id }) { profile { uuid name } } }',
      variables: (id) => ({ id }),
    },
  ],
  'Mutation.profileCreate': both({
    takes: 'project',
    query: 'mutation ($id: String!) { profileCreate(input: { name: "x", projectUuid: $id }) { profile { uuid } } }',
    variables: (id) => ({ id }),
  }),
  'Mutation.notificationMarkRead': both({
    takes: 'notification',
    query: 'mutation ($id: String!) { notificationMarkRead(input: { uuid: $id }) { notification { uuid message } } }',
    variables: (id) => ({ id }),
  }),
  'Mutation.notificationComplete': both({
    takes: 'notification',
    query: 'mutation ($id: String!) { notificationComplete(input: { uuid: $id }) { notification { uuid message } } }',
    variables: (id) => ({ id }),
  }),
  'Mutation.notificationDelete': both({
    takes: 'notification',
    query: 'mutation ($id: String!) { notificationDelete(input: { uuid: $id }) { deletedUuid } }',
    variables: (id) => ({ id }),
  }),
  'Mutation.clipboardDelete': [
    ...both({
      takes: 'entry name',
      query: 'mutation ($by: ClipboardEntrySelector!) { clipboardDelete(input: $by) { deleted deletedUuid } }',
      variables: (name) => ({ by: { name } }),
    }),
    ...both({
      takes: 'entry index',
      query: 'mutation ($by: ClipboardEntrySelector!) { clipboardDelete(input: $by) { deleted deletedUuid } }',
      variables: (idx) => ({ by: { idx: Number(idx) } }),
    }),
  ],
  'Query.userProfile': both({
    takes: 'user name',
    query: 'query ($name: String!) { userProfile(username: $name) { uuid username followers { totalCount } } }',
    variables: (name) => ({ name }),
  }),
  'Mutation.userFollow': both({
    takes: 'followed user',
    query: 'mutation ($name: String!) { userFollow(input: { username: $name }) { following profile { uuid } } }',
    variables: (name) => ({ name }),
  }),
  'Mutation.userUnfollow': both({
    takes: 'followed user',
    query: 'mutation ($name: String!) { userUnfollow(input: { username: $name }) { following profile { uuid } } }',
    variables: (name) => ({ name }),
  }),
  'Query.server': ofServerInGraph('query ($id: String!) { server(uuid: $id) { uuid name env tools { name } } }'),
  'Query.serverToolChanges': ofServerInGraph(
    'query ($id: String!) { serverToolChanges(uuid: $id) { totalCount nodes { name } } }',
  ),
  'Query.serverOffering': both({
    takes: 'tool',
    query: 'query ($id: String!) { serverOffering(kind: TOOL, name: $id) { uuid name } }',
    variables: (id) => ({ id }),
  }),
  'Query.serverOffers': both({
    takes: 'tool',
    query: 'query ($id: String!) { serverOffers(kind: TOOL, name: $id) { serverUuid name } }',
    variables: (id) => ({ id }),
  }),
  'Mutation.serverDiscover': ofServerInGraph(
    'mutation ($id: String!) { serverDiscover(input: { uuid: $id }) { queued } }',
  ),
  'Mutation.serverCapabilitiesReport': ofServerInGraph(
    'mutation ($id: String!) { serverCapabilitiesReport(input: { uuid: $id, prompts: [] }) { server { uuid } } }',
  ),
  'Query.serverStats': ofServerInGraph('query ($id: String!) { serverStats(uuid: $id) { installations } }'),
  'Mutation.serverUpdate': ofServerInGraph(
    'mutation ($id: String!) { serverUpdate(input: { uuid: $id, name: "x" }) { server { uuid name } } }',
  ),
  'Mutation.serverVisibilitySet': ofServerInGraph(
    'mutation ($id: String!) { serverVisibilitySet(input: { uuid: $id, isPublic: false }) { server { uuid } } }',
  ),
  'Mutation.serverDelete': ofServerInGraph('mutation ($id: String!) { serverDelete(input: { uuid: $id }) { uuid } }'),
  'Mutation.serverInstall': ofServerInGraph(
    'mutation ($id: String!) { serverInstall(input: { uuid: $id }) { server { uuid name } } }',
  ),
  'Mutation.serverUninstall': both({
    takes: 'installed server',
    query: 'mutation ($id: String!) { serverUninstall(input: { uuid: $id }) { uuid } }',
    variables: (id) => ({ id }),
  }),
  'Mutation.serverRate': both({
    takes: 'rated server',
    query: 'mutation ($id: String!) { serverRate(input: { uuid: $id, rating: 5 }) { server { uuid rating } } }',
    variables: (id) => ({ id }),
  }),
  'Mutation.serverActivityReport': ofServerInGraph(
    'mutation ($id: String!) { serverActivityReport(input: { uuid: $id, action: TOOL_CALL }) { uuid } }',
  ),
  'Query.chatSession': ofChatInGraph('chat session', 'query ($id: String!) { chatSession(uuid: $id) { uuid title } }'),
  'Query.chatMessages': ofChatInGraph(
    'chat session',
    'query ($id: String!) { chatMessages(sessionId: $id) { totalCount nodes { uuid content } } }',
  ),
  'Query.chatMessagePage': ofChatInGraph(
    'chat session',
    'query ($id: String!) { chatMessagePage(sessionId: $id) { total messages { uuid content } } }',
  ),
  'Query.chatMessage': ofChatInGraph(
    'chat answer',
    'query ($id: String!) { chatMessage(uuid: $id) { uuid content citations { text } } }',
  ),
  'Mutation.chatSessionCreate': ofChatInGraph(
    'acting profile',
    'mutation ($id: String!) { chatSessionCreate(input: { profileUuid: $id }) { session { uuid } } }',
  ),
  'Mutation.chatSessionUpdate': ofChatInGraph(
    'chat session',
    'mutation ($id: String!) { chatSessionUpdate(input: { uuid: $id, title: "taken" }) { session { uuid title } } }',
  ),
  'Mutation.chatSessionDelete': ofChatInGraph(
    'chat session',
    'mutation ($id: String!) { chatSessionDelete(input: { uuid: $id }) { uuid } }',
  ),
  'Mutation.chatMessageSend': ofChatInGraph(
    'chat session',
    'mutation ($id: String!) { chatMessageSend(input: { sessionId: $id, message: "x", waitSeconds: 20 }) { message { uuid } } }',
  ),
  'Mutation.chatMessageAbort': ofChatInGraph(
    'chat answer',
    'mutation ($id: String!) { chatMessageAbort(input: { uuid: $id }) { message { uuid content } } }',
  ),
  'Mutation.chatMessageRetry': ofChatInGraph(
    'failed chat answer',
    'mutation ($id: String!) { chatMessageRetry(input: { uuid: $id, waitSeconds: 20 }) { message { uuid content } } }',
  ),
  'Mutation.chatMessageRenew': ofChatInGraph(
    'stale chat answer',
    'mutation ($id: String!) { chatMessageRenew(input: { uuid: $id, waitSeconds: 20 }) { message { uuid content } previous { uuid } } }',
  ),
  'Query.agent': ofAgentInGraph(
    'query ($id: String!) { agent(uuid: $id) { uuid name health recentHeartbeats { id } recentMetrics { id } lifecycleEvents { id } } }',
  ),
  'Query.agentLogLines': ofAgentInGraph('query ($id: String!) { agentLogLines(uuid: $id) { text } }'),
  'Query.agentPodEvents': ofAgentInGraph('query ($id: String!) { agentPodEvents(uuid: $id) { reason } }'),
  'Query.agentExport': ofAgentInGraph(
    'query ($id: String!) { agentExport(uuid: $id) { agent { uuid name } heartbeats { id } metrics { id } } }',
  ),
  'Query.agentMetricSeries': ofAgentInGraph(
    'query ($id: String!) { agentMetricSeries(uuid: $id, resolution: HOUR, from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z") { at } }',
  ),
  'Mutation.agentDelete': ofAgentInGraph(
    'mutation ($id: String!) { agentDelete(input: { uuid: $id }) { agent { uuid state } } }',
  ),
  'Mutation.agentSuspend': ofAgentInGraph(
    'mutation ($id: String!) { agentSuspend(input: { uuid: $id }) { agent { uuid } } }',
  ),
  'Mutation.agentResume': ofAgentInGraph(
    'mutation ($id: String!) { agentResume(input: { uuid: $id }) { agent { uuid } } }',
  ),
  'Mutation.agentWake': ofAgentInGraph(
    'mutation ($id: String!) { agentWake(input: { uuid: $id }) { agent { uuid } } }',
  ),
  'Mutation.agentSetIdle': ofAgentInGraph(
    'mutation ($id: String!) { agentSetIdle(input: { uuid: $id, idleAfterSeconds: 60 }) { agent { uuid } } }',
  ),
  'Mutation.agentRestart': ofAgentInGraph(
    'mutation ($id: String!) { agentRestart(input: { uuid: $id }) { agent { uuid } } }',
  ),
  'Mutation.agentRedeploy': ofAgentInGraph(
    'mutation ($id: String!) { agentRedeploy(input: { uuid: $id, resources: { cpuLimit: "2" } }) { agent { uuid } } }',
  ),
  'Mutation.agentDrain': both({
    takes: 'active agent',
    query: 'mutation ($id: String!) { agentDrain(input: { uuid: $id }) { agent { uuid } } }',
    variables: (id) => ({ id }),
  }),
  'Mutation.agentHeartbeat': ofAgentInGraph(
    'mutation ($id: String!) { agentHeartbeat(input: { uuid: $id, mode: IDLE, uptimeSeconds: 1 }) { uuid } }',
  ),
  'Mutation.agentMetricsReport': ofAgentInGraph(
    'mutation ($id: String!) { agentMetricsReport(input: { uuid: $id, cpuPercent: 1, memoryMb: 1, requestsHandled: 1 }) { uuid } }',
  ),
  'Query.documents': ofOwnProfileInGraph(
    'query ($id: String) { documents(profileUuid: $id) { totalCount nodes { uuid } } }',
  ),
  'Query.documentPage': ofOwnProfileInGraph(
    'query ($id: String) { documentPage(profileUuid: $id) { total documents { uuid } } }',
  ),
  'Query.documentSearch': ofOwnProfileInGraph(
    'query ($id: String) { documentSearch(query: "x", profileUuid: $id) { total } }',
  ),
  'Query.documentPassages': ofOwnProfileInGraph(
    'query ($id: String) { documentPassages(query: "x", profileUuid: $id) { text } }',
  ),
  'Query.document': ofDocumentInGraph(
    'query ($id: String!) { document(uuid: $id) { uuid title fileName tags status } }',
  ),
  'Query.documentVersions': ofDocumentInGraph(
    'query ($id: String!) { documentVersions(uuid: $id) { version fileName } }',
  ),
  'Query.documentVersion': ofDocumentInGraph(
    'query ($id: String!) { documentVersion(uuid: $id) { version fileName } }',
  ),
  'Query.documentRead': ofDocumentInGraph(
    'query ($id: String!) { documentRead(uuid: $id) { text title } }',
    'read document',
  ),
  'Query.documentDiff': ofDocumentInGraph(
    'query ($id: String!) { documentDiff(uuid: $id, from: 1, to: 1) { patch } }',
    'read document',
  ),
  'Query.documentGrep': ofDocumentInGraph(
    'query ($id: String!) { documentGrep(pattern: ".", documentId: $id) { matches { title text } } }',
    'read document',
  ),
  'Query.documentReceivedFile': ofDocumentInGraph(
    'query ($id: String!) { documentReceivedFile(uuid: $id) { uuid fileName sha256 } }',
    'received file',
  ),
  'Mutation.documentUpload': ofDocumentInGraph(
    'mutation ($id: String!) { documentUpload(input: { fileUuid: $id }) { document { uuid title } duplicateOf } }',
    'received file',
  ),
  'Mutation.documentCreate': ofOwnProfileInGraph(
    'mutation ($id: String) { documentCreate(input: { title: "x", content: "y", profileUuid: $id }) { document { uuid } } }',
  ),
  'Mutation.documentAiCreate': ofOwnProfileInGraph(
    'mutation ($id: String) { documentAiCreate(input: { title: "x", content: "y", profileUuid: $id }) { document { uuid } } }',
  ),
  'Mutation.documentUpdate': ofDocumentInGraph(
    'mutation ($id: String!) { documentUpdate(input: { uuid: $id, visibility: PUBLIC }) { document { uuid title } } }',
  ),
  'Mutation.documentDelete': ofDocumentInGraph(
    'mutation ($id: String!) { documentDelete(input: { uuid: $id, permanent: true }) { uuid } }',
  ),
  'Mutation.documentRestore': ofDocumentInGraph(
    'mutation ($id: String!) { documentRestore(input: { uuid: $id }) { document { uuid title } } }',
    'deleted document',
  ),
  'Mutation.documentReindex': ofDocumentInGraph(
    'mutation ($id: String!) { documentReindex(input: { uuid: $id }) { document { uuid title } } }',
  ),
  'Mutation.documentVersionRestore': ofDocumentInGraph(
    'mutation ($id: String!) { documentVersionRestore(input: { uuid: $id, version: 1 }) { document { uuid version } } }',
  ),
  'Query.collections': both({
    takes: 'acting profile',
    query: 'query ($id: String) { collections(profileUuid: $id) { totalCount nodes { uuid name } } }',
    variables: (id) => ({ id }),
  }),
  'Query.collectionPage': both({
    takes: 'acting profile',
    query: 'query ($id: String) { collectionPage(profileUuid: $id) { total collections { uuid name } } }',
    variables: (id) => ({ id }),
  }),
  'Query.collection': ofCollectionInGraph(
    'query ($id: String!) { collection(uuid: $id) { uuid name servers { totalCount nodes { uuid } } } }',
  ),
  'Mutation.collectionCreate': [
    ...both({
      takes: 'acting profile',
      query:
        'mutation ($id: String) { collectionCreate(input: { name: "x", profileUuid: $id }) { collection { uuid } } }',
      variables: (id) => ({ id }),
    }),
    ...ofServerInGraph(
      'mutation ($id: String!) { collectionCreate(input: { name: "x", serverUuids: [$id] }) { collection { uuid } } }',
    ),
  ],
  'Mutation.collectionUpdate': ofCollectionInGraph(
    'mutation ($id: String!) { collectionUpdate(input: { uuid: $id, name: "taken", isPublic: true }) { collection { uuid } } }',
  ),
  'Mutation.collectionDelete': ofCollectionInGraph(
    'mutation ($id: String!) { collectionDelete(input: { uuid: $id }) { uuid } }',
  ),
  'Mutation.collectionImport': ofCollectionInGraph(
    'mutation ($id: String!) { collectionImport(input: { uuid: $id }) { installed collection { uuid name } } }',
  ),
  'Mutation.registryServerDeprecate': ofRegistryServerInGraph('registryServerDeprecate', 'message: "x"'),
  'Mutation.registryServerReactivate': ofRegistryServerInGraph('registryServerReactivate'),
  'Mutation.registryServerWithdraw': ofRegistryServerInGraph('registryServerWithdraw', 'message: "x"'),
  'Query.webhook': ofWebhookInGraph(
    'query ($id: String!) { webhook(uuid: $id) { uuid url events deliveries { totalCount } } }',
  ),
  'Query.webhookDeliveryPage': ofWebhookInGraph(
    'query ($id: String!) { webhookDeliveryPage(webhookUuid: $id) { total limit deliveries { uuid } } }',
  ),
  'Mutation.webhookUpdate': ofWebhookInGraph(
    'mutation ($id: String!) { webhookUpdate(input: { uuid: $id, active: false }) { webhook { uuid url } } }',
  ),
  'Mutation.webhookSecretReplace': ofWebhookInGraph(
    'mutation ($id: String!) { webhookSecretReplace(input: { uuid: $id, secret: "taken-over-by-another" }) { webhook { uuid url } } }',
  ),
  'Mutation.webhookDelete': ofWebhookInGraph(
    'mutation ($id: String!) { webhookDelete(input: { uuid: $id }) { uuid } }',
  ),
  'Mutation.webhookSecretRotate': ofWebhookInGraph(
    'mutation ($id: String!) { webhookSecretRotate(input: { uuid: $id }) { secret webhook { uuid } } }',
  ),
  'Mutation.webhookTest': ofWebhookInGraph(
    'mutation ($id: String!) { webhookTest(input: { uuid: $id }) { delivery { uuid status } } }',
  ),
  'Mutation.webhookFailedReplay': ofWebhookInGraph(
    'mutation ($id: String!) { webhookFailedReplay(input: { webhookUuid: $id, since: "2026-01-01T00:00:00Z" }) { count } }',
  ),
  'Mutation.webhookDeliveryReplay': both({
    takes: 'delivery of webhook',
    query:
      'mutation ($webhook: String!, $id: String!) { webhookDeliveryReplay(input: { webhookUuid: $webhook, uuid: $id }) { delivery { uuid } } }',
    variables: (ids) => ({ webhook: ids.split('/')[0], id: ids.split('/')[2] }),
  }),
};

/** Checked below, by type, for every type that is a node. */
export const nodeFields = ['Query.node', 'Query.nodes'];

/** The root fields that take no id: what they show and change is the caller's own by nature. */
/** For administrators alone, who may name every project and user: test/auth/removal.rest.test.ts. */
export const graphqlOfAdministrators = ['Mutation.agentKill', 'Mutation.projectTierSet', 'Mutation.userDisable'];

export const graphqlWithoutIds = [
  'Query.chatModels', // The same for everybody.
  'Query.chatSessions',
  'Query.chatUsage',
  'Subscription.chatAnswerStale', // test/chat/staleness.test.ts
  'Query.chatSessionPage',
  'Subscription.chatMessage', // Takes an id: test/chat/follow.test.ts
  'Subscription.chatAnswer', // There, too.
  'Query.documentStorageStatistics',
  'Subscription.documentProgress', // Takes an id: test/documents/documents.graphql.subscription.test.ts
  'Query.agents',
  'Query.agentUsage',
  'Query.agentQuota',
  'Query.agentPage',
  'Mutation.agentCreate',
  'Subscription.agentLifecycle', // Takes an id: test/agents/agents.graphql.subscription.test.ts
  'Subscription.agentHeartbeats', // There, too.
  'Subscription.agentMetrics', // There, too.
  'Subscription.agentLogs', // There, too.
  'Query.oauthSessions',
  'Query.oauthSessionList',
  'Query.oauthSecurityEvents',
  'Mutation.oauthSessionComplete', // Its own id and state: test/oauth/sessions.rest.test.ts.
  'Mutation.oauthFlowComplete', // The state is of one user: test/oauth.
  'Mutation.oauthStatesCleanup', // For administrators.
  'Subscription.oauthSessionChanged', // test/oauth/sessions.rest.test.ts.
  'Mutation.accountDelete',
  'Query.clipboardEntries',
  'Query.clipboardEntryPage',
  'Query.projectPage',
  'Query.projects',
  'Query.viewer',
  'Query.notificationPage',
  'Query.notifications',
  'Query.unreadNotificationCount',
  'Mutation.clipboardClear',
  'Mutation.clipboardPop',
  'Mutation.clipboardPush',
  'Mutation.clipboardSet', // The name is one of the caller's own profile.
  'Mutation.notificationCreate',
  'Mutation.notificationMarkAllRead',
  'Mutation.projectCreate',
  'Mutation.userPasswordChange',
  'Mutation.userSignIn',
  'Mutation.userSignOut',
  'Mutation.userSignUp',
  'Mutation.userProfileUpdate',
  'Query.usernameAvailable', // It shows whether a name is taken: so does sign-up.
  'Query.webhookEvents', // The same for everybody.
  'Query.webhookPage',
  'Query.trendingServers',
  'Query.ownServers',
  'Query.servers', // Public ones alone, the same for everybody: test/search.
  'Query.serverPage', // Likewise.
  'Query.searchStatistics', // Of all users together, from three on: test/search.
  'Mutation.searchResultOpened', // Counts what a search of the caller's has shown, and tells no more: test/search.
  'Query.proxiedServers',
  'Mutation.serverCreate',
  'Query.webhooks',
  'Mutation.githubLinkBegin',
  'Mutation.githubLinkComplete', // The state is of one user and session: test/registry/links.rest.test.ts
  'Mutation.githubUnlink',
  'Mutation.registrySubmit', // Whose repository it is GitHub says.
  'Mutation.registrySubmissionAccept', // For administrators, as over REST.
  'Mutation.registrySubmissionReject', // Likewise.
  'Query.registryHealth',
  'Query.registryServer', // By a name that is public, as over REST.
  'Query.registryServerVersions', // Likewise.
  'Query.registryServers',
  'Query.registrySubmissions',
  'Mutation.webhookCreate',
  'Subscription.collectionChanged', // test/collections/collections.graphql.subscription.test.ts
  'Subscription.clipboardChanged', // test/main/graphql/live.graphql.test.ts
  'Subscription.notificationAdded', // Its id in test/notifications/notifications.graphql.subscription.test.ts
  'Subscription.serverDiscoveryProgressed', // Takes an id: test/mcp-servers/discovery.test.ts
  'Subscription.serverToolsChanged', // There, too.
  'Subscription.unreadCountChanged', // There, too.
  'Subscription.webhookDelivered', // Takes an id: test/webhooks/webhooks.graphql.subscription.test.ts
];

/** What leads to a node of each type. A new node type needs a line here. */
export const nodes: Record<string, Kind | 'user'> = {
  Agent: 'agent',
  ApiKey: 'api key',
  ClipboardEntry: 'entry',
  ChatMessage: 'chat answer',
  ChatSession: 'chat session',
  Collection: 'collection',
  Document: 'document',
  McpServer: 'server',
  OauthSession: 'oauth session',
  Notification: 'notification',
  Profile: 'profile',
  Project: 'project',
  User: 'user',
  UserProfile: 'user',
  Webhook: 'webhook',
  WebhookDelivery: 'delivery',
};
