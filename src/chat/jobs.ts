import type { Job } from '../platform/messaging/jobs.ts';
import type { OutboxReader } from '../platform/messaging/outbox-relay.ts';
import type { Chat } from './chat.ts';

/** What of the chat runs on a clock. */
export const chatJobs = (chat: Pick<Chat, 'endLostAnswers' | 'purge' | 'staleness'>): Job[] => [
  { name: 'chat-end-lost-answers', cron: '* * * * *', run: () => chat.endLostAnswers() },
  { name: 'chat-purge-parts', cron: '*/5 * * * *', run: () => chat.purge() },
  // What a process has taken over and not finished.
  { name: 'chat-compare-citations', cron: '* * * * *', run: () => chat.staleness.check() },
];

/** What of the chat reads the outbox. */
export const chatReaders = (chat: Pick<Chat, 'staleness'>): OutboxReader[] => [
  { name: 'chat', read: chat.staleness.read },
];
