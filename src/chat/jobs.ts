import type { Job } from '../platform/jobs.ts';
import type { Chat } from './chat.ts';

/** What of the chat runs on a clock. */
export const chatJobs = (chat: Pick<Chat, 'endLostAnswers' | 'purge'>): Job[] => [
  { name: 'chat-end-lost-answers', cron: '* * * * *', run: () => chat.endLostAnswers() },
  { name: 'chat-purge-parts', cron: '*/5 * * * *', run: () => chat.purge() },
];
