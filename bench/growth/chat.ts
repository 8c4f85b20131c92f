import { each, fillBy, type GrowthArea, get, graphql, send, valuesOf } from './stage.ts';

/** All messages are of one session; a profile has at most 1 000 sessions. */
export const chat: GrowthArea = {
  name: 'chat',
  page: 'chat',
  async fill(pool, { owner, own }) {
    await fillBy(
      pool,
      `INSERT INTO chat_sessions (uuid, profile_uuid, title, model, temperature, max_tokens, tools, last_ordinal, created_at, updated_at)
        SELECT gen_random_uuid(), $1, 'session ' || n, 'extractive', 0, 1000, '[]', CASE WHEN n = 1 THEN $2::int ELSE 0 END,
          now() - n * interval '1 minute', now() FROM generate_series(1, least(1000, $2::int)) n`,
      [owner.profileUuid, own],
    );
    await fillBy(
      pool,
      `INSERT INTO chat_messages (uuid, session_uuid, profile_uuid, ordinal, role, content, status, include_context, created_at, finished_at)
        SELECT gen_random_uuid(), s.uuid, $1, n, CASE WHEN n % 2 = 1 THEN 'user' ELSE 'assistant' END, 'message ' || n, 'complete', true, at, at
        FROM generate_series(1, $2::int) n, LATERAL (SELECT now() - ($2::int - n) * interval '30 days' / $2::int AS at) clock,
          (SELECT uuid FROM chat_sessions WHERE profile_uuid = $1 ORDER BY created_at DESC LIMIT 1) s`,
      [owner.profileUuid, own],
    );
    await fillBy(
      pool,
      `INSERT INTO chat_usage (profile_uuid, month, answers, input_tokens, output_tokens) VALUES ($1, date_trunc('month', now(), 'UTC'), 1, 1, 1)`,
      [owner.profileUuid],
    );
  },
  async operations(pool, { owner, own }) {
    const [session] = await valuesOf<string>(
      pool,
      'SELECT uuid FROM chat_sessions WHERE profile_uuid = $1 ORDER BY last_ordinal DESC LIMIT 1',
      [owner.profileUuid],
    );
    const messages = await valuesOf<string>(pool, 'SELECT uuid FROM chat_messages WHERE session_uuid = $1 LIMIT 100', [
      session,
    ]);
    const path = `/api/embedded-chat/sessions/${session}`;
    return [
      { name: 'sessions', calls: [get('/api/embedded-chat/sessions?limit=20')] },
      { name: 'session', calls: [get(path)] },
      { name: 'messages, first page', calls: [get(`${path}/messages?limit=20`)] },
      { name: 'messages, last page', calls: [get(`${path}/messages?limit=20&offset=${own - 20}`)] },
      { name: 'message', calls: each(messages, (uuid) => get(`/api/embedded-chat/messages/${uuid}`)) },
      { name: 'usage', calls: [get('/api/embedded-chat/usage')] },
      {
        name: 'connections',
        calls: [graphql('{ chatSessions(first: 20) { nodes { title } totalCount } }')],
      },
      {
        name: 'messages, connection',
        calls: [
          graphql('query ($session: String!) { chatMessages(sessionId: $session, first: 20) { nodes { content } } }', {
            session,
          }),
        ],
      },
      {
        name: 'messages, total',
        calls: [
          graphql('query ($session: String!) { chatMessages(sessionId: $session, first: 0) { totalCount } }', {
            session,
          }),
        ],
      },
      { name: 'rename a session', calls: each(['a', 'b'], (title) => send('PATCH', path, { title })) },
    ];
  },
};
