import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { type Orchestrator, OrchestratorError } from '../../src/agents/orchestrator/orchestrator.ts';
import { createRuntime } from '../../src/agents/runtime.ts';
import { verifies } from '../requirements.ts';
import { createAgentServices, ownerOf } from './agent-stage.ts';

/** Logs that have no lines; those of `broken` end with an error, those of `short` end. */
async function stageOf() {
  const stage = await createAgentServices();
  const owner = await ownerOf(stage);
  const other = await ownerOf(stage);
  const { agents } = stage.services;
  const open = new Set<AbortSignal>();
  const orchestrator: Pick<Orchestrator, 'logs' | 'events'> = {
    // biome-ignore lint/correctness/useYield: it has no lines
    async *logs(deployment, _which, signal) {
      open.add(signal);
      try {
        if (deployment.startsWith('broken')) throw new OrchestratorError('rejected', 'It has no log');
        if (deployment.startsWith('long') && !signal.aborted) await once(signal, 'abort');
      } finally {
        open.delete(signal);
      }
    },
    events: async () => [],
  };
  const runtime = createRuntime({ orchestrator, find: agents.find });
  const made = async (name: string, of = owner) => (await agents.create(of, { name })).agent.uuid;
  return { runtime, owner, other, made, open };
}

describe('logs that are followed', () => {
  it(
    'are at most twenty of a profile at once, each a connection to the orchestrator',
    verifies('agents.logs.followed'),
    async () => {
      const { runtime, owner, other, made, open } = await stageOf();
      const [long, foreign] = [await made('long'), await made('long', other)];
      const logs = await Promise.all(Array.from({ length: 20 }, () => runtime.follow(owner, long)));
      const reads = logs.map((log) => log.next());
      expect(open.size).toBe(20);
      await expect(runtime.follow(owner, long)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
      const theirs = await runtime.follow(other, foreign);
      await theirs.return();
      await logs[0]?.return();
      await logs[0]?.return();
      const next = await runtime.follow(owner, long);
      await expect(runtime.follow(owner, long)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
      for (const log of [...logs, next]) await log.return();
      await Promise.all(reads);
      expect(open.size).toBe(0);
    },
  );

  it(
    'give their place back when they end by themselves, or with an error',
    verifies('agents.logs.followed'),
    async () => {
      const { runtime, owner, made } = await stageOf();
      const [short, broken] = [await made('short'), await made('broken')];
      for (let number = 0; number < 30; number++) {
        expect(await (await runtime.follow(owner, short)).next()).toMatchObject({ done: true });
        await expect((await runtime.follow(owner, broken)).next()).rejects.toMatchObject({ code: 'CONFLICT' });
      }
    },
  );
});
