import type { Services } from '../../schema/context.ts';
import { authJobs, createAuth } from '../auth/index.ts';
import { clipboardJobs, createClipboard } from '../clipboard/index.ts';
import type { EventPayloads } from '../event-catalogue/index.ts';
import { createNotifications } from '../notifications/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { Events } from '../platform/events.ts';
import type { Job } from '../platform/jobs.ts';
import type { Logger } from '../platform/logger.ts';
import type { Mail } from '../platform/mail.ts';
import { createOutbox } from '../platform/outbox.ts';
import type { Queue, Worker } from '../platform/queue.ts';

export interface Platform {
  readonly database: Database;
  readonly clock: Clock;
  readonly events: Events;
  readonly log: Logger;
  readonly queue: Queue;
  readonly mail: Mail;
}

/** The areas in the order of their dependencies, a line each: this page is the dependency graph. */
export function createServices({ database, clock, events, log, queue, mail }: Platform): Services {
  const outbox = createOutbox<EventPayloads>({ queue, clock, events });
  const auth = createAuth({ database, clock, log });
  const clipboard = createClipboard({ database, clock, events });
  const notifications = createNotifications({ database, clock, events, outbox, mail, log });
  return { auth, clipboard, notifications };
}

/** What runs on a clock, of every area. */
export const jobsOf = ({ auth, clipboard }: Services): Job[] => [...authJobs(auth), ...clipboardJobs(clipboard)];

/** What deals with the queues, of every area. */
export const workersOf = (_services: Services, { mail }: Pick<Platform, 'mail'>): Worker[] => [mail.worker];
