import { useCompileCache } from './compile-cache.ts';

// `npm run worker`: delivers webhooks and mail and runs what is scheduled, without a web server. Any number may run, over
// the database that the web processes have migrated. This process starts the one that works, again whenever that one ends.

useCompileCache();
const { superviseWorker } = await import('../main/process/supervise-worker.ts');
await superviseWorker();
