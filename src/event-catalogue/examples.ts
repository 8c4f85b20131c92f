import type { EventPayloads } from './catalogue.ts';

const [one, other, profile] = [
  '3f2b8c1e-5a0d-4c7b-9e61-0d4f7a2b9c10',
  '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  'b2d1f0a4-6c3e-4e5f-8a9b-1c2d3e4f5a6b',
];

const agentTransition = (
  from: EventPayloads['agent.created']['from_state'],
  to: 'NEW' | 'PROVISIONED' | 'ACTIVE' | 'DRAINING' | 'TERMINATED' | 'KILLED',
) => ({
  agent_uuid: one,
  agent_name: 'example-agent',
  from_state: from,
  to_state: to,
});

/** What the data of each event looks like; ids of nothing. Test calls send it. */
export const eventExamples: EventPayloads = {
  'server.installed': {
    server_uuid: one,
    user_id: other,
    profile_uuid: profile,
    metadata: { source: 'registry', version: '1.0.0' },
  },
  'server.uninstalled': { server_uuid: one, user_id: other, profile_uuid: profile },
  'server.updated': { server_uuid: one, changes: { name: 'Example server' } },
  'server.authorization_report_changed': {
    server_uuid: one,
    checked_at: '2026-01-02T03:04:05.000Z',
    grade: 'D',
    worse: ['pkce_s256'],
    recovered: [],
  },
  'document.created': { document_id: one, profile_uuid: profile },
  'document.updated': { document_id: one, profile_uuid: profile, version: 2, previous_version: 1 },
  'document.failed': {
    document_id: one,
    profile_uuid: profile,
    version: 1,
    code: 'ENCRYPTED',
    reason: 'The file is encrypted.',
  },
  'document.deleted': { document_id: one },
  'chat.citation_stale': { message_id: one, session_id: other, document_id: profile, version: 2, citations: [1, 3] },
  'collection.shared': { collection_uuid: one },
  'collection.updated': { collection_uuid: one, changes: { name: 'Example collection' } },
  'user.followed': { follower_id: one, followed_id: other },
  'user.unfollowed': { follower_id: one, followed_id: other },
  'notification.created': { notification_id: one, type: 'SYSTEM' },
  'oauth.refresh_failed': {
    session_id: one,
    server_uuid: other,
    provider: 'example-server',
    needs_authorization: false,
    error: 'The token endpoint did not answer',
  },
  'oauth.refresh_recovered': { session_id: one, server_uuid: other, provider: 'example-server' },
  'agent.created': agentTransition(null, 'NEW'),
  'agent.provisioned': agentTransition('NEW', 'PROVISIONED'),
  'agent.activated': agentTransition('PROVISIONED', 'ACTIVE'),
  'agent.draining': agentTransition('ACTIVE', 'DRAINING'),
  'agent.terminated': agentTransition('DRAINING', 'TERMINATED'),
  'agent.killed': agentTransition('ACTIVE', 'KILLED'),
  'agent.suspended': agentTransition('ACTIVE', 'ACTIVE'),
  'agent.resumed': agentTransition('ACTIVE', 'ACTIVE'),
  'agent.unhealthy': agentTransition('ACTIVE', 'ACTIVE'),
  'agent.recovered': agentTransition('ACTIVE', 'ACTIVE'),
};
