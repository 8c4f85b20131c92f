import { createServer } from 'node:http';

// An agent: it reports that it lives and what it uses, writes what it does to its clipboard, and serves requests.
const { PATCHBAY_URL, PATCHBAY_AGENT_UUID: uuid, PATCHBAY_API_KEY: key, PORT, MODE: mode = 'IDLE' } = process.env;
const intervals: Record<string, number> = { EMERGENCY: 5_000, IDLE: 30_000, SLEEP: 900_000 };
const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
let requests = 0;

async function post(path: string, body: object): Promise<void> {
  const init = { method: 'POST', headers, body: JSON.stringify(body), signal: AbortSignal.timeout(5_000) };
  const answer = fetch(`${PATCHBAY_URL}/api${path}`, init).then((r) => r.arrayBuffer().then(() => r.status));
  console.log(`POST ${path}: ${await answer.catch((error: Error) => error.message)}`);
}

const heartbeat = () => post(`/agents/${uuid}/heartbeat`, { mode, uptime_seconds: process.uptime() });
async function report(): Promise<void> {
  const [up, { user, system }, memory_mb] = [process.uptime(), process.cpuUsage(), process.memoryUsage.rss() / 1e6];
  const cpu_percent = Math.min(100, (user + system) / 1e4 / up);
  await post(`/agents/${uuid}/metrics`, { cpu_percent, memory_mb, requests_handled: requests, custom_metrics: {} });
  await post('/clipboard', { name: `agent-${uuid}`, value: `Up for ${up} seconds, ${requests} requests handled.` });
}

const server = createServer((request, response) => {
  if (request.url !== '/healthz') requests += 1;
  response.end(request.url === '/healthz' ? 'ok\n' : `Agent ${uuid}\n`);
});
server.listen(Number(PORT ?? 8080), () => console.log('The agent has started.'));
// Twice in each interval, so that one lost request does no harm.
setInterval(heartbeat, (intervals[mode] ?? 30_000) / 2);
setInterval(report, 60_000);
process.once('SIGTERM', () => server.close(() => process.exit(0)).closeAllConnections());
await Promise.all([heartbeat(), report()]);
