import type { Notification } from '../../src/notifications/index.ts';
import { builder } from '../builder.ts';

const NotificationTypeRef = builder.enumType('NotificationType', {
  description: 'What a notification is about.',
  values: {
    SYSTEM: { description: 'The platform itself.' },
    ALERT: { description: 'Something that needs attention now.' },
    INFO: { description: 'Something good to know.' },
    SUCCESS: { description: 'Something that worked.' },
    WARNING: { description: 'Something that may go wrong.' },
    CUSTOM: { description: 'Made by a caller, with `notificationCreate` or POST /api/notifications.' },
    SERVER_INSTALLED: { value: 'server_installed', description: 'An MCP server was installed.' },
    DOCUMENT_CREATED_AI: { value: 'document_created_ai', description: 'An AI model added a document.' },
    DOCUMENT_RAG_FAILED: { value: 'document_rag_failed', description: 'A document could not be read for search.' },
    AGENT_UNHEALTHY: { value: 'agent_unhealthy', description: 'An agent missed its heartbeat.' },
    WEBHOOK_FAILED: {
      value: 'webhook_failed',
      description: 'A webhook could not be delivered, and is not tried again.',
    },
  } as const,
});

export const NotificationSeverity = builder.enumType('NotificationSeverity', {
  description: 'How much a notification matters.',
  values: {
    INFO: { description: 'Good to know.' },
    SUCCESS: { description: 'It worked.' },
    WARNING: { description: 'It may go wrong.' },
    ALERT: { description: 'It needs attention now.' },
  } as const,
});

export const NotificationRef = builder.objectRef<Notification>('Notification');

builder.node(NotificationRef, {
  description: "Something that a profile's people should know.",
  id: { resolve: ({ uuid }) => uuid },
  loadMany: (uuids: string[], { caller, services }) => services.notifications.find(caller, uuids),
  fields: (t) => ({
    uuid: t.expose('uuid', { type: 'UUID', description: 'The id within the platform, as REST shows it.' }),
    type: t.field({ type: NotificationTypeRef, description: 'What it is about.', resolve: ({ type }) => type }),
    title: t.exposeString('title', { nullable: true, description: 'One line of at most 255 characters.' }),
    message: t.exposeString('message', {
      description:
        'Plain text, at most 5 000 characters. What looks like HTML is text too: escape it where it is shown.',
    }),
    severity: t.field({
      type: NotificationSeverity,
      nullable: true,
      description: 'How much it matters, if that was said.',
      resolve: ({ severity }) => severity,
    }),
    read: t.boolean({ description: 'Whether it was read.', resolve: ({ readAt }) => readAt !== null }),
    readAt: t.expose('readAt', { type: 'DateTime', nullable: true, description: 'When it was first marked as read.' }),
    completed: t.boolean({
      description: 'Whether what it asks for is done.',
      resolve: ({ completedAt }) => completedAt !== null,
    }),
    completedAt: t.expose('completedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when what it asks for is done.',
    }),
    metadata: t.field({
      type: 'JSONObject',
      description: 'Facts for programs, such as `server_id`: at most 16 kB.',
      resolve: ({ metadata }) => metadata,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  }),
});
