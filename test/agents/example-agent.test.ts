import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { freePort } from '../../src/agents/orchestrator/local/health-check.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/deadline.ts';

const folder = path.resolve(import.meta.dirname, '../../deploy/example-agent');
const uuid = '0199aaaa-0000-7000-8000-000000000001';
const key = 'pbk_example_agent_test';

interface Received {
  readonly path: string | undefined;
  readonly authorization: string | undefined;
  readonly type: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into it
  readonly body: any;
}

/** A platform that accepts everything. */
async function openPlatform() {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const { authorization, 'content-type': type } = request.headers;
    received.push({ path: request.url, authorization, type, body: JSON.parse(await text(request)) });
    response.end('{"message": "recorded"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp(() => server.close());
  cleanUp(() => server.closeAllConnections());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

async function startAgent(command: string, file: string, environment: Record<string, string>) {
  const child = spawn(command, [path.join(folder, file)], {
    env: { PATH: process.env.PATH, PATCHBAY_AGENT_UUID: uuid, PATCHBAY_API_KEY: key, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  cleanUp(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk) => (output += chunk));
  return { child, ended, output: () => output };
}

describe('the example agent', () => {
  it.each([
    ['TypeScript', process.execPath, 'agent.ts'],
    ['shell', '/bin/sh', 'agent.sh'],
  ])(
    'in %s heartbeats, reports metrics, writes to its clipboard and ends when it is asked to',
    async (_, command, file) => {
      const platform = await openPlatform();
      const port = await freePort();
      const agent = await startAgent(command, file, { PATCHBAY_URL: platform.url, PORT: String(port) });
      const of = (suffix: string) => platform.received.find((request) => request.path?.endsWith(suffix));
      await eventually('three requests', () => of('/heartbeat') && of('/metrics') && of('/clipboard'));

      expect(of('/heartbeat')).toEqual({
        path: `/api/agents/${uuid}/heartbeat`,
        authorization: `Bearer ${key}`,
        type: 'application/json',
        body: { mode: 'IDLE', uptime_seconds: expect.any(Number) },
      });
      expect(of('/metrics')?.path).toBe(`/api/agents/${uuid}/metrics`);
      const { cpu_percent, memory_mb, requests_handled } = of('/metrics')?.body ?? {};
      expect(cpu_percent).toBeGreaterThanOrEqual(0);
      expect(cpu_percent).toBeLessThanOrEqual(100);
      expect(memory_mb).toBeGreaterThan(0);
      expect(requests_handled).toBe(0);
      expect(of('/clipboard')).toMatchObject({
        path: '/api/clipboard',
        body: { name: `agent-${uuid}`, value: expect.stringMatching(/^Up for /) },
      });

      if (file === 'agent.ts') {
        const answer = await fetch(`http://127.0.0.1:${port}/healthz`);
        expect([answer.status, await answer.text()]).toEqual([200, 'ok\n']);
        expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toContain(uuid);
      }
      agent.child.kill('SIGTERM');
      expect(await agent.ended).toEqual([0, null]);
      expect(agent.output()).not.toContain(key);
    },
  );

  it('goes on where the platform cannot be reached', async () => {
    const agent = await startAgent(process.execPath, 'agent.ts', {
      PATCHBAY_URL: `http://127.0.0.1:${await freePort()}`,
      PORT: '0',
    });
    await eventually('three failures', () => agent.output().match(/fetch failed/g)?.length === 3);
    expect(agent.child.exitCode).toBeNull();
  });
});
