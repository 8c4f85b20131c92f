import { z } from 'zod';
import {
  afterCursor,
  firstRows,
  line,
  oneOf,
  pageLimit,
  pageOffset,
  storableText,
  trueOrFalse,
} from '../platform/input/input.ts';
import { jsonFault } from '../platform/json/json-fault.ts';

/** Source: docs/specification/notifications.md#notification. */
export const notificationTypes = [
  'SYSTEM',
  'ALERT',
  'INFO',
  'SUCCESS',
  'WARNING',
  'CUSTOM',
  'server_installed',
  'document_created_ai',
  'document_rag_failed',
  'agent_unhealthy',
  'webhook_failed',
] as const;
export type NotificationType = (typeof notificationTypes)[number];

/** Source: docs/specification/notifications.md#create. */
export const severities = ['INFO', 'SUCCESS', 'WARNING', 'ALERT'] as const;
export type Severity = (typeof severities)[number];

const titleMax = 255;
const messageMax = 5_000;

/** Bytes of the metadata as JSON in UTF-8. */
const metadataBytesMax = 16_384;
/** Objects and lists within one another, the outermost counted. */
const metadataDepthMax = 16;

/** Notifications of one page. Source: docs/specification/notifications.md#list. */
const pageDefault = 20;
const pageMax = 100;
/** Notifications that can be read by their ids at once. */
export const foundMax = 100;
/** Bytes of the message and the metadata of a notification, at most: 5 000 characters of four bytes and 16 kB of metadata. */
export const notificationBytesMax = 4 * messageMax + metadataBytesMax;
/** The same of a page. */
export const pageBytesMax = pageMax * notificationBytesMax;
/** Missed notifications that a subscription makes up for. */
export const replayedMax = 1_000;

const message = storableText('message')
  .min(1, 'message must not be empty')
  .max(messageMax, `message must be at most ${messageMax} characters`);

/** Not `z.record`, which would silently drop a member named `__proto__`. */
const metadata = z
  .custom<Record<string, unknown>>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
    error: 'metadata must be an object',
    abort: true,
  })
  .superRefine((value, context) => {
    const fault = jsonFault('metadata', value, { bytesMax: metadataBytesMax, depthMax: metadataDepthMax });
    if (fault) context.addIssue({ code: 'custom', message: fault });
  })
  .meta({ type: 'object', additionalProperties: true });

/** A notification that a caller may create. A line break in the title would become a header of the email. */
export const NewNotification = z.object({
  title: line('title', titleMax).nullish(),
  message,
  severity: oneOf('severity', severities).nullish(),
  metadata: metadata.nullish(),
  sendEmail: trueOrFalse('sendEmail').nullish(),
});

/** A notification of the platform itself. */
export const Notice = z.object({
  type: oneOf('type', notificationTypes),
  title: line('title', titleMax).nullish(),
  message,
  severity: oneOf('severity', severities).nullish(),
  metadata: metadata.nullish(),
});

export const PageRequest = z.object({
  unread: trueOrFalse('unread').nullish(),
  limit: pageLimit(pageMax, pageDefault),
  offset: pageOffset,
});

/** A cursor is the place of a notification in its own profile. */
function placeOf(cursor: string): number | null {
  const [, seq] = /^n:([1-9]\d{0,14})$/.exec(Buffer.from(cursor.slice(0, 64), 'base64url').toString()) ?? [];
  return seq === undefined ? null : Number(seq);
}

export const cursorOf = ({ seq }: { seq: number }): string => Buffer.from(`n:${seq}`).toString('base64url');

export const ConnectionRequest = z.object({
  unread: trueOrFalse('unread').nullish(),
  first: firstRows(pageMax, pageDefault),
  after: afterCursor(placeOf),
});

export const Filter = z.object({ unread: trueOrFalse('unread').nullish() });

export const Completion = z.object({ completed: trueOrFalse('completed').nullish() });
