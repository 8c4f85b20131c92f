import type { Job } from '../platform/messaging/jobs.ts';
import type { Clipboard } from './clipboard.ts';

/** What of the clipboard runs on a clock. */
export const clipboardJobs = (clipboard: Pick<Clipboard, 'purgeExpired'>): Job[] => [
  { name: 'clipboard-purge-expired', cron: '* * * * *', run: () => clipboard.purgeExpired() },
];
