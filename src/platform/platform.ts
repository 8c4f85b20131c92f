import type { Clock } from './clock.ts';
import type { Database } from './database/database.ts';
import type { Egress } from './egress/egress.ts';
import type { Logger } from './logger.ts';
import type { Mail } from './mail/mail.ts';
import type { Events } from './messaging/events.ts';
import type { Queue } from './messaging/queue.ts';
import type { Secrets } from './security/secrets.ts';

/** The parts of the platform that areas are built on. A service names those that it uses. */
export interface Platform {
  readonly database: Database;
  readonly clock: Clock;
  readonly events: Events;
  readonly log: Logger;
  readonly queue: Queue;
  readonly mail: Mail;
  readonly egress: Egress;
  readonly secrets: Secrets;
}
