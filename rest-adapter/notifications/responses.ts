import { z } from 'zod';
import { notificationTypes, severities } from '../../src/notifications/input.ts';
import { namedObject } from '../schema.ts';

const timestamp = z.iso.datetime().describe('ISO 8601, UTC, milliseconds.');

/** Source: docs/specification/notifications.md#notification. Absent values are explicit nulls. */
const NotificationBody = namedObject('Notification', {
  id: z.uuid(),
  type: z.enum(notificationTypes),
  title: z.string().nullable(),
  message: z.string().describe('Plain text. Escape it for display; it may contain text that looks like HTML.'),
  severity: z.enum(severities).nullable(),
  read: z.boolean(),
  created_at: timestamp,
  read_at: timestamp.nullable().describe('Time at which it was first marked as read.'),
  completed: z.boolean().describe('Whether it is marked as completed.'),
  completed_at: timestamp.nullable(),
  metadata: z.record(z.string(), z.unknown()).describe('Facts for programs.'),
});

const success = z.literal(true);

export const listResponse = z.strictObject({
  notifications: z.array(NotificationBody),
  total: z.int().describe('Number of notifications on all pages of the list.'),
  unread_count: z.int().describe('Number of all unread notifications, at the same instant as the list.'),
  limit: z.int(),
  offset: z.int(),
});
export const createResponse = z.strictObject({
  success,
  notification: NotificationBody,
  notificationId: z.uuid(),
  emailSent: z.boolean().describe('Whether an email was queued.'),
});
export const customResponse = z.strictObject({
  success,
  message: z.literal('Notification created'),
  notificationId: z.uuid(),
  emailSent: z.boolean().describe('Whether an email was queued.'),
});
export const readResponse = z.strictObject({
  success,
  notification: NotificationBody.pick({ id: true, read: true, read_at: true }).strict(),
});
export const readAllResponse = z.strictObject({ success, updatedCount: z.int() });
export const completedResponse = z.strictObject({
  success,
  notification: NotificationBody.pick({ id: true, completed: true, completed_at: true }).strict(),
});
export const deleteResponse = z.strictObject({ success, message: z.literal('Notification deleted') });
