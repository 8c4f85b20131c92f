import { describe, expect, it } from 'vitest';
import { createOffOrchestrator } from '../../../src/agents/orchestrator/off.ts';
import { within } from '../../support/deadline.ts';
import { atOnceMs, quiet, sampleDeployment } from './orchestrator-stage.ts';

describe('the orchestrator that is off', () => {
  const orchestrator = createOffOrchestrator();

  it('refuses to deploy, with a sentence', async () => {
    await expect(orchestrator.apply(sampleDeployment('any'), quiet())).rejects.toMatchObject({
      kind: 'rejected',
      message: 'The orchestrator is off',
    });
  });

  it('ends agents that were deployed before', async () => {
    await orchestrator.drain('agent-a', quiet());
    expect(await orchestrator.remove('agent-a', quiet())).toBe(true);
  });

  it('knows no deployment', async () => {
    expect(await orchestrator.status('agent-a', quiet())).toBeNull();
    expect(await orchestrator.list(quiet())).toEqual([]);
    expect(await orchestrator.events('agent-a', quiet())).toEqual([]);
    const log = orchestrator.logs('agent-a', { tailLines: 1, follow: false }, quiet());
    expect(await log.next()).toEqual({ done: true, value: undefined });
  });

  it('watches nothing until it is aborted', async () => {
    const reachable: boolean[] = [];
    const ending = new AbortController();
    const listener = { onStatus: () => undefined, onReachable: (is: boolean) => void reachable.push(is) };
    const watching = orchestrator.watch(listener, ending.signal);
    ending.abort();
    await within('the end of the watch', atOnceMs, watching);
    expect(reachable).toEqual([false]);
    await within('the end of the watch', atOnceMs, orchestrator.watch(listener, ending.signal));
  });
});
