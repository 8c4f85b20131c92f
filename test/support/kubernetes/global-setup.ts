import type { TestProject } from 'vitest/node';
import { startControlPlane } from './control-plane.ts';
import { startFakeKubelet } from './fake-kubelet.ts';
import { buildPrograms } from './programs.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A kubeconfig of the cluster that all files of `npm run test:cluster` share. */
    kubeconfig: string;
  }
}

/** One control plane for the whole run; every test has a namespace of its own. */
export async function setup(project: TestProject): Promise<void> {
  buildPrograms();
  const plane = await startControlPlane();
  const endKubelet = await startFakeKubelet(plane.api);
  project.provide('kubeconfig', plane.kubeconfig);
  end = async () => {
    await endKubelet();
    await plane.stop();
  };
}

let end = async () => {};

export const teardown = () => end();
