import { useCompileCache } from './compile-cache.ts';

// `npm run worker`: delivers webhooks and email and runs scheduled jobs, without a web server. Any number can run over
// the database that the web processes have migrated. This process starts the one that works, and restarts it.

useCompileCache();
const { superviseWorker } = await import('../main/process/supervise-worker.ts');
await superviseWorker();
