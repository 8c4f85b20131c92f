import { expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { callerOf, startTestServer, tenantOf } from '../support/server.ts';

const server = await startTestServer();
const long = 'x'.repeat(30_000);

/** Bodies whose fields are wrong for different reasons: by form, by rules about several fields, by settings, a catalogue or the time. */
const wrong: [method: string, path: string, body: Record<string, unknown>, fields: string[]][] = [
  [
    'POST',
    '/api/webhooks',
    { url: 'http://10.0.0.1/', events: ['no.such'], active: 'yes', secret: 'short' },
    ['url', 'events', 'active', 'secret'],
  ],
  ['POST', '/api/webhooks', { url: 'file:///', events: ['no.such'] }, ['url', 'events']],
  ['POST', '/api/webhooks', { events: ['no.such'], secret: 7 }, ['url', 'events', 'secret']],
  [
    'PATCH',
    '/api/webhooks/x',
    { url: 'http://10.0.0.1/', events: ['no.such'], active: 'yes' },
    ['url', 'events', 'active'],
  ],
  ['PATCH', '/api/webhooks/x', { url: 'x', events: ['no.such'], secret: 'short' }, ['url', 'events', 'secret']],
  [
    'POST',
    '/api/mcp-servers',
    { transport: 'http', url: 'http://10.0.0.1/', name: '', notes: 7 },
    ['url', 'name', 'notes'],
  ],
  ['POST', '/api/mcp-servers', { transport: 'stdio', env: 7 }, ['command', 'name', 'env']],
  ['POST', '/api/mcp-servers', { transport: 'sse', args: 'x' }, ['url', 'name', 'args']],
  ['POST', '/api/mcp-servers', { transport: 'smoke', url: 'x' }, ['transport', 'name']],
  ['POST', '/api/mcp-servers', { env: 7 }, ['command', 'name', 'env']],
  [
    'POST',
    '/api/registry/submit',
    { repository: 'https://evil.example/a/b', transport: ['x'], package_type: 'gem' },
    ['repository', 'transport', 'package_type'],
  ],
  [
    'POST',
    '/api/clipboard',
    { name: '', value: 'xyz', encoding: 'hex', ttlSeconds: 0 },
    ['name', 'value', 'ttlSeconds'],
  ],
  ['POST', '/api/clipboard/push', { value: 'AA', encoding: 'base64', visibility: 'all' }, ['value', 'visibility']],
  ['DELETE', '/api/clipboard', { clearAll: 'x' }, ['name', 'clearAll']],
  [
    'POST',
    '/api/auth/sign-up',
    { email: 'x', username: '!', password: 'password123' },
    ['email', 'username', 'password'],
  ],
  [
    'POST',
    '/api/auth/sign-up',
    { email: 'one@example.com', username: '!', password: 'one@example.com' },
    ['username', 'password'],
  ],
  ['POST', '/api/auth/sign-in', {}, ['email', 'password']],
  ['POST', '/api/auth/sign-in', { email: 'a@b.c', username: 'a', password: 7 }, ['email', 'password']],
  [
    'POST',
    '/api/api-keys',
    { name: '', scopes: ['root'], expiresAt: '2001-01-01T00:00:00Z' },
    ['name', 'scopes', 'expiresAt'],
  ],
  [
    'POST',
    '/api/collections',
    { name: '', description: long, serverUuids: 7, isPublic: 7 },
    ['name', 'description', 'serverUuids', 'isPublic'],
  ],
  [
    'POST',
    '/api/notifications',
    { title: 7, message: '', severity: 'x', metadata: 7, send_email: 7 },
    ['title', 'message', 'severity', 'metadata', 'send_email'],
  ],
  [
    'PATCH',
    '/api/users/profile',
    { bio: 7, is_public: 7, avatar_url: 'x', social_links: 7 },
    ['bio', 'is_public', 'avatar_url', 'social_links'],
  ],
];

it.each(wrong)('%s %s with %j names all of %j', verifies('errors.all-fields'), async (method, path, body, fields) => {
  const { call } = await tenantOf(server, { scopes: ['read', 'write', 'admin'] });
  const answer = await (path.startsWith('/api/auth/') ? callerOf(server, null) : call)(method, path, body);
  expect(answer.status, answer.text).toBe(400);
  const details = path.startsWith('/api/clipboard') ? answer.body.details : answer.body.error.details;
  const named = Object.keys(details).map((name) => name.split('.')[0]);
  expect([...new Set(named)].sort()).toEqual([...fields].sort());
});
