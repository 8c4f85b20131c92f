import type { Notification } from '../../src/notifications/index.ts';
import { builder } from '../builder.ts';
import { optional, optionalTime } from '../optional.ts';

const NotificationTypeRef = builder.enumType('NotificationType', {
  description: 'Type of a notification.',
  values: {
    SYSTEM: { description: 'Notice from the platform.' },
    ALERT: { description: 'Needs attention now.' },
    INFO: { description: 'Information.' },
    SUCCESS: { description: 'Success.' },
    WARNING: { description: 'Warning.' },
    CUSTOM: { description: 'Created by a caller with `notificationCreate` or POST /api/notifications.' },
    SERVER_INSTALLED: { value: 'server_installed', description: 'An MCP server was installed.' },
    DOCUMENT_CREATED_AI: { value: 'document_created_ai', description: 'An AI model added a document.' },
    DOCUMENT_RAG_FAILED: { value: 'document_rag_failed', description: 'A document could not be indexed for search.' },
    AGENT_UNHEALTHY: { value: 'agent_unhealthy', description: 'An agent missed its heartbeat.' },
    WEBHOOK_FAILED: { value: 'webhook_failed', description: 'All attempts of a delivery to a webhook have failed.' },
  } as const,
});

export const NotificationSeverity = builder.enumType('NotificationSeverity', {
  description: 'Severity of a notification.',
  values: {
    INFO: { description: 'Information.' },
    SUCCESS: { description: 'Success.' },
    WARNING: { description: 'Warning.' },
    ALERT: { description: 'Needs attention now.' },
  } as const,
});

export const NotificationRef = builder.objectRef<Notification>('Notification');

builder.node(NotificationRef, {
  description: 'A message for the users of a profile.',
  id: { resolve: ({ uuid }) => uuid },
  loadMany: (uuids: string[], { caller, services }) => services.notifications.find(caller, uuids),
  fields: (t) => ({
    uuid: t.expose('uuid', { type: 'UUID', description: 'UUID, as the REST API shows it.' }),
    type: t.expose('type', { type: NotificationTypeRef, description: 'Type of the notification.' }),
    title: t.exposeString('title', optional('One line of at most 255 characters.')),
    message: t.exposeString('message', {
      description:
        'Plain text, at most 5 000 characters. Escape it for display; it may contain text that looks like HTML.',
    }),
    severity: t.expose('severity', {
      type: NotificationSeverity,
      nullable: true,
      description: 'Severity, if one was given.',
    }),
    read: t.boolean({ description: 'Whether it was read.', resolve: ({ readAt }) => readAt !== null }),
    readAt: t.expose('readAt', optionalTime('Time at which it was first marked as read; null if it is unread.')),
    completed: t.boolean({
      description: 'Whether the notification is marked as completed.',
      resolve: ({ completedAt }) => completedAt !== null,
    }),
    completedAt: t.expose('completedAt', optionalTime('Time at which it was marked as completed; null if it is not.')),
    metadata: t.expose('metadata', {
      type: 'JSONObject',
      description: 'Facts for programs, such as `server_id`: at most 16 kB.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of creation.' }),
  }),
});
