import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deploymentsIn, type Pod, readFolder } from '../../../src/agents/orchestrator/local/deployment-folder.ts';
import type { LocalTiming } from '../../../src/agents/orchestrator/local/timing.ts';
import type { Orchestrator } from '../../../src/agents/orchestrator/orchestrator.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import { commandLine } from '../../../src/platform/command-line.ts';
import { cleanUp } from '../../support/cleanup.ts';
import { openLocalDriver } from './local-driver.ts';
import type { OrchestratorStage } from './orchestrator-stage.ts';

const localImages: OrchestratorStage['images'] = {
  works: 'local:works',
  talks: 'local:talks',
  crashes: 'local:crashes',
  unavailable: 'registry.example.com/unknown:1',
};

export interface LocalStage extends OrchestratorStage {
  readonly dataDir: string;
  /** Another driver over the same folder. It is closed after the test. */
  open(timing?: Partial<LocalTiming>, clock?: Clock): Orchestrator;
  /** The command lines of its runners. */
  processesOf(deployment: string): Promise<readonly string[]>;
  /** The pods of a deployment. */
  podsOf(deployment: string): Promise<readonly Pod[]>;
  /** The folder of a deployment. */
  folderOf(deployment: string): string;
}

/** A folder for local agents, and two drivers over it. All that runs is ended and removed afterwards. */
export async function openLocalStage(timing: Partial<LocalTiming> = {}): Promise<LocalStage> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'patchbay-agents-'));
  cleanUp(() => rm(dataDir, { recursive: true, force: true }));
  const root = path.join(dataDir, 'agents');
  const folderOf = (deployment: string) => path.join(root, deployment);
  const podsOf = async (deployment: string) => (await readFolder(folderOf(deployment)))?.pods ?? [];

  function open(more: Partial<LocalTiming> = {}, clock?: Clock): Orchestrator {
    const orchestrator = openLocalDriver(dataDir, { ...timing, ...more }, clock);
    cleanUp(() => orchestrator.close());
    return orchestrator;
  }

  return {
    dataDir,
    open,
    folderOf,
    podsOf,
    processesOf: (deployment) => processesOf(folderOf(deployment)),
    orchestrator: open(),
    elsewhere: open(),
    images: localImages,
    async instances(deployment) {
      return (await podsOf(deployment)).flatMap(({ agentPid }) => agentPid ?? []).map(String);
    },
    async isServed(deployment) {
      const found = await readFolder(folderOf(deployment));
      const port = found?.pods.find(({ id }) => id === found.spec?.podId)?.status?.port;
      if (found === null || found.isDrained || !port) return false;
      return fetch(`http://127.0.0.1:${port}/`).then(
        (response) => response.ok,
        () => false,
      );
    },
    async remains(deployment) {
      const names = (await deploymentsIn(root)).filter((name) => name === deployment);
      return [...names, ...(await processesOf(folderOf(deployment)))];
    },
    async readableText(deployment) {
      return [await textBelow(folderOf(deployment)), ...(await processesOf(folderOf(deployment)))].join('\n');
    },
  };
}

/** The command lines of all processes that name a folder. */
async function processesOf(folder: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(pids.map((pid) => commandLine(Number(pid))));
  return lines.filter((line) => line.includes(`${folder}\0`));
}

async function textBelow(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true });
  const files = names.map((name) => path.join(folder, name));
  const texts = await Promise.all(
    files.map(async (file) => ((await stat(file)).isFile() ? `${file}\n${await readFile(file, 'utf8')}` : file)),
  );
  return texts.join('\n');
}
