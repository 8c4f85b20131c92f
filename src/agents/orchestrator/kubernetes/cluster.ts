import path from 'node:path';
import { KubeConfig } from '@kubernetes/client-node';

/**
 * Reads how the cluster is reached. `~/.kube/config` is never read: agents must not appear in a cluster only because the person at this
 * machine uses kubectl with it.
 *
 * @param kubeconfig Files joined by `:`, as kubectl reads them; undefined for the cluster that this process runs in.
 * @throws {Error} when a file cannot be read, or names no cluster.
 */
export function loadCluster(kubeconfig: string | undefined): KubeConfig {
  const config = new KubeConfig();
  if (kubeconfig === undefined) config.loadFromCluster();
  else {
    const [first = '', ...others] = kubeconfig.split(path.delimiter);
    config.loadFromFile(first);
    for (const file of others) {
      const other = new KubeConfig();
      other.loadFromFile(file);
      config.mergeConfig(other, true);
    }
  }
  if (!config.getCurrentCluster()) throw new Error('KUBECONFIG: its current context names no cluster');
  return config;
}
