import type { Job } from '../platform/messaging/jobs.ts';
import type { Clipboard } from './clipboard.ts';

/** The scheduled jobs of the clipboard. */
export const clipboardJobs = (clipboard: Pick<Clipboard, 'purgeExpired'>): Job[] => [
  { name: 'clipboard-purge-expired', cron: '* * * * *', run: () => clipboard.purgeExpired() },
];
