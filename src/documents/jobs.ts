import type { Job } from '../platform/messaging/jobs.ts';
import type { DocumentArea } from './area.ts';

/** The scheduled jobs of documents. */
export const documentJobs = ({ ingestion, files, changes, reembed, vectorIndexes }: DocumentArea): Job[] => [
  { name: 'documents-send-overdue', cron: '* * * * *', run: () => ingestion.sendOverdue() },
  { name: 'documents-remove-unused-files', cron: '*/5 * * * *', run: () => files.removeUnused() },
  { name: 'documents-compare-storage', cron: '*/5 * * * *', run: () => files.compare() },
  { name: 'documents-purge', cron: '23 * * * *', run: () => changes.purge() },
  { name: 'documents-reembed', cron: '* * * * *', run: () => reembed() },
  {
    name: 'documents-vector-indexes',
    cron: '*/5 * * * *',
    run: async () => {
      vectorIndexes.begin();
      return 0;
    },
  },
];
