import { createInterface } from 'node:readline';
import { systemClock } from '../../../platform/clock.ts';
import { type PodSettings, runPod } from './pod.ts';

// The runner of one pod, a separate process: `runner.ts <folder of the deployment> <pod>`. It reads its settings and
// secrets from the first line of its standard input. The input stays open as long as the process that started it lives;
// its end, also by kill -9, ends the pod.

const [folder = '', podId = ''] = process.argv.slice(2);
const stopping = new AbortController();
for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, () => stopping.abort());
const input = createInterface({ input: process.stdin });
input.once('close', () => stopping.abort());
input.once('line', async (line) => {
  const settings = JSON.parse(line) as PodSettings;
  await runPod({ folder, podId, settings, clock: systemClock }, stopping.signal);
  process.exit(0);
});
stopping.signal.addEventListener('abort', () => {
  if (input.listenerCount('line') > 0) process.exit(0);
});
