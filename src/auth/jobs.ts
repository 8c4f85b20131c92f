import type { Job } from '../platform/messaging/jobs.ts';
import type { Auth } from './auth.ts';

/** The scheduled jobs of identity. */
export const authJobs = (auth: {
  sessions: Pick<Auth['sessions'], 'purgeExpired'>;
  removal: Pick<Auth['removal'], 'removeLeftovers'>;
  guesses: Pick<Auth['guesses'], 'purgeNetworks'>;
}): Job[] => [
  { name: 'auth-purge-expired-sessions', cron: '7 * * * *', run: () => auth.sessions.purgeExpired() },
  { name: 'auth-purge-known-networks', cron: '17 * * * *', run: () => auth.guesses.purgeNetworks() },
  { name: 'auth-remove-deleted', cron: '* * * * *', run: () => auth.removal.removeLeftovers() },
];
