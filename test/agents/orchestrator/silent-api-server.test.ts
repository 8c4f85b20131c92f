import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { createKubernetesOrchestrator } from '../../../src/agents/orchestrator/kubernetes/kubernetes.ts';
import type { Orchestrator } from '../../../src/agents/orchestrator/orchestrator.ts';
import { verifies } from '../../requirements.ts';
import { agentDeployment, manifestSettings } from '../../support/agent-deployment.ts';
import { cleanUp } from '../../support/cleanup.ts';
import { eventually, patienceMs, within } from '../../support/deadline.ts';

/** What the interface promises of each call. */
const promisedMs = 10_000;
const never = new AbortController().signal;

/** The driver with its usual times, over an API server that does as the test says. */
async function orchestratorOver(answer: RequestListener) {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const folder = await mkdtemp(path.join(tmpdir(), 'patchbay-silent-'));
  cleanUp(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  });
  const kubeconfig = path.join(folder, 'config');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = {
    clusters: [{ name: 'c', cluster: { server: url, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'u', user: {} }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  };
  await writeFile(kubeconfig, JSON.stringify(config));
  const orchestrator = createKubernetesOrchestrator({ ...manifestSettings, kubeconfig });
  cleanUp(() => orchestrator.close());
  return { orchestrator, requests: () => requests };
}

/** The clocks of the calls, which the test lets run out. */
function timeouts() {
  const begun: { ms: number; controller: AbortController }[] = [];
  const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const controller = new AbortController();
    begun.push({ ms, controller });
    return controller.signal;
  });
  cleanUp(() => spy.mockRestore());
  return {
    begun,
    runOut() {
      for (const { controller } of begun) controller.abort(new DOMException('The time is over', 'TimeoutError'));
    },
  };
}

const calls: Readonly<Record<string, (orchestrator: Orchestrator) => Promise<unknown>>> = {
  apply: (orchestrator) => orchestrator.apply(agentDeployment(), never),
  status: (orchestrator) => orchestrator.status('worker-1', never),
  drain: (orchestrator) => orchestrator.drain('worker-1', never),
  remove: (orchestrator) => orchestrator.remove('worker-1', never),
  list: (orchestrator) => orchestrator.list(never),
  events: (orchestrator) => orchestrator.events('worker-1', never),
  logs: (orchestrator) => orchestrator.logs('worker-1', { tailLines: 10, follow: false }, never).next(),
};

const servers: Readonly<Record<string, RequestListener>> = {
  'never answers': () => {},
  'stops in the middle of an answer': (_request, response) => void response.write('{"kind":'),
};

describe.each(Object.entries(servers))('with an API server that %s', (_what, answer) => {
  it.each(Object.entries(calls))(
    '%s ends as unreachable within 10 seconds',
    verifies('agents.orchestrator.time'),
    async (_name, call) => {
      const { orchestrator, requests } = await orchestratorOver(answer);
      const clocks = timeouts();
      const outcome = call(orchestrator).then(
        () => 'ended',
        (error: unknown) => error,
      );
      await eventually('a request', () => requests() > 0);
      expect(clocks.begun.length).toBeGreaterThan(0);
      for (const { ms } of clocks.begun) expect(ms).toBeLessThan(promisedMs);
      clocks.runOut();
      expect(await within('the end of the call', patienceMs, outcome)).toMatchObject({ kind: 'unreachable' });
    },
  );
});
