import type { Job } from '../platform/messaging/jobs.ts';
import type { Oauth } from './oauth.ts';

/** The scheduled jobs of the area. Source: docs/specification/oauth.md#states. */
export const oauthJobs = ({
  states,
  upkeep,
  securityEvents,
  reportRuns,
}: Pick<Oauth, 'states' | 'upkeep' | 'securityEvents' | 'reportRuns'>): Job[] => [
  { name: 'oauth-cleanup-pkce', cron: '*/15 * * * *', run: () => states.cleanUp('scheduled') },
  { name: 'oauth-refresh-expiring', cron: '* * * * *', run: () => upkeep.refreshExpiring() },
  { name: 'oauth-expire', cron: '*/5 * * * *', run: () => upkeep.expire() },
  { name: 'oauth-run-reports', cron: '17 * * * *', run: () => reportRuns.runDue() },
  { name: 'oauth-purge-report-hosts', cron: '37 4 * * *', run: () => reportRuns.purge() },
  { name: 'oauth-purge', cron: '23 4 * * *', run: () => upkeep.purge() },
  { name: 'oauth-purge-security-events', cron: '29 4 * * *', run: () => securityEvents.purge() },
];
