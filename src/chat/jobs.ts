import type { Job } from '../platform/messaging/jobs.ts';
import type { OutboxReader } from '../platform/messaging/outbox-relay.ts';
import type { Chat } from './chat.ts';

/** The scheduled jobs of the chat. */
export const chatJobs = (chat: Pick<Chat, 'endLostAnswers' | 'purge' | 'staleness'>): Job[] => [
  { name: 'chat-end-lost-answers', cron: '* * * * *', run: () => chat.endLostAnswers() },
  { name: 'chat-purge-parts', cron: '*/5 * * * *', run: () => chat.purge() },
  // What a process has taken over and not finished.
  { name: 'chat-compare-citations', cron: '* * * * *', run: () => chat.staleness.check() },
];

/** The outbox readers of the chat. */
export const chatReaders = (chat: Pick<Chat, 'staleness'>): OutboxReader[] => [
  { name: 'chat', read: chat.staleness.read },
];
