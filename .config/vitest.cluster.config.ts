import { defineConfig, mergeConfig } from 'vitest/config';
import base from './vitest.config.ts';

// `npm run test:cluster`: the suites over a real API server of Kubernetes. With KUBECONFIG_OF_TESTS, which `-- --kubeconfig FILE` sets,
// only the suite with real pods, in that cluster.
const hasCluster = Boolean(process.env.KUBECONFIG_OF_TESTS);

export default mergeConfig(
  { ...base, test: { ...base.test, include: [], exclude: [], globalSetup: [] } },
  defineConfig({
    test: {
      include: [hasCluster ? 'test/cluster/*.pods.ts' : 'test/cluster/*.test.ts'],
      globalSetup: hasCluster ? [] : ['test/support/global-setup.ts', 'test/support/kubernetes/global-setup.ts'],
      // Three processes for two cores: most of these tests wait for a lease, or for controllers.
      maxWorkers: 3,
    },
  }),
);
