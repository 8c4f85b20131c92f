import { parentPort, workerData } from 'node:worker_threads';

// A client in a thread of its own: what another client sends and reads in its thread does not delay what is measured here.
const { base, key } = workerData as { base: string; key: string };
/** Until a server's code for a request is compiled, each takes several times as long. */
const warmUpRequests = 1_000;
/** A 95th percentile of fewer says little. */
const leastRequests = 200;

let isOver = true;

async function wait(): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(`${base}/api/clipboard?name=none`, { headers: { Authorization: `Bearer ${key}` } });
  await response.text();
  return performance.now() - startedAt;
}

/** One request after the other until the message `over`, and until there are enough. */
async function round(): Promise<void> {
  isOver = false;
  const milliseconds: number[] = [];
  while (!isOver || milliseconds.length < leastRequests) milliseconds.push(await wait());
  parentPort?.postMessage(milliseconds);
}

parentPort?.on('message', (message: 'begin' | 'over' | 'end') => {
  if (message === 'begin') void round();
  else if (message === 'over') isOver = true;
  else parentPort?.close();
});
for (let n = 0; n < warmUpRequests; n++) await wait();
parentPort?.postMessage('warm');
