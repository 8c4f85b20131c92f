import type { Story } from './story.ts';

/** The notifications of the owner of the sample data, oldest first; installations of their servers come in between. */
const notices = [
  [29.5, 'SYSTEM', 'INFO', 'Welcome', 'This profile has sample data: look around, change it, delete it.'],
  [27, 'SUCCESS', 'SUCCESS', 'Discovery', 'The tools of "Everything" are known now: 3 of them.'],
  [23.2, 'WARNING', 'WARNING', 'Rate limit', 'A key of this profile has used nine tenths of its calls for a minute.'],
  [
    19.4,
    'INFO',
    'INFO',
    'Collections',
    'A collection can be shared: make it public, and others can install it at once.',
  ],
  [
    15.8,
    'ALERT',
    'ALERT',
    'GitHub',
    'The token of "GitHub" expires in 30 days. Replace it in the environment of the server.',
  ],
  [12.1, 'document_created_ai', 'INFO', 'Document', 'An agent has written "Notes on the release".'],
  [9.3, 'WARNING', 'WARNING', 'Calls fail', 'One call in twenty of "Kubernetes" has failed this week.'],
  [6.6, 'SUCCESS', 'SUCCESS', 'Import', 'All servers of "Research desk" can be installed at once.'],
  [2.7, 'INFO', 'INFO', 'Week', 'The most used server of your week is "Playwright".'],
  [1.2, 'agent_unhealthy', 'ALERT', 'Agent', 'The agent "nightly-report" has missed a heartbeat.'],
  [0.3, 'SUCCESS', 'SUCCESS', 'Agent', 'The agent "nightly-report" sends its heartbeats again.'],
] as const;

export function addNotifications({ at }: Story): void {
  for (const [daysAgo, type, severity, title, message] of notices)
    at(daysAgo, ({ services, database, as }) =>
      services.notifications.notify(database, String(as('owner').principal?.profileUuid), {
        type,
        severity,
        title,
        message,
      }),
    );
  at(3, async ({ services, as }) => {
    const owner = as('owner');
    await services.notifications.markAllRead(owner);
    const { notifications } = await services.notifications.page(owner, { limit: 100 });
    for (const { uuid, type } of notifications)
      if (type === 'ALERT') await services.notifications.setCompleted(owner, uuid, { completed: true });
  });
}

const ttlSeconds = 30 * 86_400;

/** Named entries, the oldest first, and then what lies on the stack. */
const named = [
  [
    6.5,
    'ui',
    'deploy_checklist',
    'text/markdown',
    '# Before a release\n\n- [x] migrations read\n- [ ] changelog\n- [ ] tag',
  ],
  [
    5.2,
    'mcp',
    'repository',
    'text/plain',
    'https://github.com/modelcontextprotocol/servers',
    'github.get_file_contents',
  ],
  [
    4.9,
    'mcp',
    'open_issues',
    'application/json',
    '[{"number": 214, "title": "Time zones of guests"}, {"number": 220, "title": "Dark mode"}]',
    'github.list_issues',
  ],
  [3.4, 'sdk', 'last_backup', 'text/plain', 'backup-2026-w46.tar.zst'],
  [
    2.8,
    'mcp',
    'page_summary',
    'text/markdown',
    'The page explains **streamable HTTP**: one endpoint, sessions by header.',
    'fetch.fetch',
  ],
  [
    2.1,
    'mcp',
    'screenshot',
    'image/png',
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'playwright.browser_take_screenshot',
    'base64',
  ],
  [
    1.6,
    'sdk',
    'build_sha256',
    'text/plain',
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    null,
    'hex',
  ],
  [0.8, 'ui', 'standup', 'text/plain', 'Yesterday: collections. Today: sample data. Blocked: no.'],
  [0.4, 'mcp', 'query_result', 'application/json', '{"rows": 3, "elapsed_ms": 12}', 'supabase.execute_sql'],
] as const;

const stack = [
  [1.1, 'Read the README of the repository'],
  [0.9, 'List what has changed since the last tag'],
  [0.6, 'Write the changelog'],
  [0.2, 'Ask for a review'],
] as const;

export function addClipboard({ at }: Story): void {
  for (const [daysAgo, source, name, contentType, value, createdByTool = null, encoding = 'utf-8'] of named)
    at(daysAgo, ({ services, as }) =>
      services.clipboard.set(as('owner', source), { name, contentType, value, createdByTool, encoding, ttlSeconds }),
    );
  for (const [daysAgo, value] of stack)
    at(daysAgo, ({ services, as }) => services.clipboard.push(as('owner', 'mcp'), { value, ttlSeconds }));
}

/** Switched off, so that nothing is ever sent there. */
export function addWebhooks({ at }: Story): void {
  const input = {
    url: 'https://example.com/hooks/patchbay',
    events: ['server.installed', 'collection.shared', 'notification.created'],
    active: false,
  };
  at(8, ({ services, as }) => services.webhooks.registrations.create(as('owner'), input));
}
