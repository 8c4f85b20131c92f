import { z } from 'zod';

const uuid = (meaning: string) => z.uuid().describe(meaning);
const changes = z.record(z.string(), z.unknown()).describe('The changed fields with their new values.');

/** The states that an agent goes through. Source: docs/specification/agents.md#states. */
const agentState = z.enum(['NEW', 'PROVISIONED', 'ACTIVE', 'DRAINING', 'TERMINATED', 'KILLED']);

/** Source: docs/specification/webhooks.md#events. */
const agentTransition = (meaning: string) =>
  z
    .object({
      agent_uuid: uuid('The agent.'),
      agent_name: z.string().describe('Its name.'),
      from_state: agentState.nullable().describe('State before the event; null for a new agent.'),
      to_state: agentState.describe('State after the event.'),
    })
    .describe(meaning);

/**
 * All events of webhooks, with the `data` of each. The area that causes an event writes it to the outbox with one of
 * these; a new event is a new entry here. Source: docs/specification/webhooks.md#events.
 */
export const eventCatalogue = {
  'server.installed': z
    .object({
      server_uuid: uuid('The server.'),
      user_id: uuid('User who installed the server.'),
      profile_uuid: uuid('Profile in which the server was installed.'),
      metadata: z.object({
        source: z.string().describe('Origin of the server.'),
        version: z.string().nullable().describe('Version of the server, if it states one.'),
      }),
    })
    .describe('An MCP server was installed.'),
  'server.uninstalled': z
    .object({
      server_uuid: uuid('The server.'),
      user_id: uuid('User who uninstalled the server.'),
      profile_uuid: uuid('Profile in which the server was uninstalled.'),
    })
    .describe('An MCP server was uninstalled.'),
  'server.updated': z
    .object({ server_uuid: uuid('The server.'), changes })
    .describe('The configuration of a server was changed.'),
  'server.authorization_report_changed': z
    .object({
      server_uuid: uuid('The server.'),
      checked_at: z.iso.datetime().describe('Time of the check.'),
      grade: z.enum(['A', 'B', 'C', 'D']).nullable().describe('The new grade; null if there is none.'),
      worse: z.array(z.string()).describe('Rules that fail and did not fail before.'),
      recovered: z.array(z.string()).describe('Rules that pass and failed before.'),
    })
    .describe('The authorization report of a server of yours has changed.'),
  'document.created': z
    .object({ document_id: uuid('The document.'), profile_uuid: uuid('Profile that owns the document.') })
    .describe('A document was added to the library.'),
  'document.updated': z
    .object({
      document_id: uuid('The document.'),
      profile_uuid: uuid('Profile that owns the document.'),
      version: z.int().describe('Version that search finds from now on.'),
      previous_version: z.int().describe('Version that search found before.'),
    })
    .describe('A new version of a document is ready.'),
  'document.failed': z
    .object({
      document_id: uuid('The document.'),
      profile_uuid: uuid('Profile that owns the document.'),
      version: z.int().describe('The version that failed.'),
      code: z.string().describe('The reason as a code, such as `ENCRYPTED`.'),
      reason: z.string().describe('The reason as a sentence.'),
    })
    .describe('A version of a document could not be processed; search does not find it.'),
  'document.deleted': z.object({ document_id: uuid('The document.') }).describe('A document was deleted.'),
  'chat.citation_stale': z
    .object({
      message_id: uuid('The answer.'),
      session_id: uuid('Chat session of the answer.'),
      document_id: uuid('The cited document.'),
      version: z.int().nullable().describe('The version that changed the passage; null if the document was deleted.'),
      citations: z.array(z.int()).describe('The numbers of the citations in the text of the answer.'),
    })
    .describe('A passage of a document that a chat answer cites has changed.'),
  'collection.shared': z.object({ collection_uuid: uuid('The collection.') }).describe('A collection was made public.'),
  'collection.updated': z
    .object({ collection_uuid: uuid('The collection.'), changes })
    .describe('A collection was changed.'),
  'user.followed': z
    .object({ follower_id: uuid('Who follows.'), followed_id: uuid('User who is followed.') })
    .describe('A user started to follow you.'),
  'user.unfollowed': z
    .object({ follower_id: uuid('Who followed.'), followed_id: uuid('User who was followed.') })
    .describe('A user stopped following you.'),
  'notification.created': z
    .object({
      notification_id: uuid('The notification.'),
      type: z.string().describe('Its type, such as `SYSTEM` or `server_installed`.'),
    })
    .describe('A notification was created.'),
  'oauth.refresh_failed': z
    .object({
      session_id: uuid('The OAuth session.'),
      server_uuid: uuid('The MCP server.').nullable().describe('The MCP server; null for a configured provider.'),
      provider: z.string().describe('The provider, or the slug of the server.'),
      needs_authorization: z
        .boolean()
        .describe('Whether the user must authorize again. If false, the platform tries the refresh again.'),
      error: z.string().describe('The reason.'),
    })
    .describe('The tokens of an OAuth session could not be refreshed. Not sent again until a refresh has succeeded.'),
  'oauth.refresh_recovered': z
    .object({
      session_id: uuid('The OAuth session.'),
      server_uuid: uuid('The MCP server.').nullable().describe('The MCP server; null for a configured provider.'),
      provider: z.string().describe('The provider, or the slug of the server.'),
    })
    .describe('The tokens of an OAuth session were refreshed after a failure.'),
  'agent.created': agentTransition('An agent was created.'),
  'agent.provisioned': agentTransition('An agent was deployed.'),
  'agent.activated': agentTransition('An agent sent its first heartbeat.'),
  'agent.draining': agentTransition('An agent is draining: it gets no new requests.'),
  'agent.terminated': agentTransition('An agent has ended.'),
  'agent.killed': agentTransition('An agent was ended by the control plane.'),
  'agent.suspended': agentTransition('An agent was scaled to zero, by its owner or because it was idle.'),
  'agent.resumed': agentTransition('A suspended agent was started again.'),
  'agent.unhealthy': agentTransition('An agent missed its heartbeat.'),
  'agent.recovered': agentTransition('An unhealthy agent sent a heartbeat again.'),
} as const satisfies Record<string, z.ZodObject>;

export type EventType = keyof typeof eventCatalogue;

/** The `data` of each event. */
export type EventPayloads = { [Type in EventType]: z.output<(typeof eventCatalogue)[Type]> };

export const eventTypes = Object.keys(eventCatalogue) as EventType[];

/** The catalogue as JSON Schema 2020-12: a schema of `data` for each event. */
export const jsonSchemaOfEvents = (): Record<EventType, object> =>
  Object.fromEntries(
    eventTypes.map((type) => {
      const { $schema: _, ...schema } = z.toJSONSchema(eventCatalogue[type]);
      return [type, schema];
    }),
  ) as Record<EventType, object>;
