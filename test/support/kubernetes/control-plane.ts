import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createKubernetesApi, type KubernetesApi } from '../../../src/agents/orchestrator/kubernetes/api.ts';
import { loadCluster } from '../../../src/agents/orchestrator/kubernetes/cluster.ts';
import { freePort } from '../../services/free-port.ts';
import { selfSignedCertificate } from '../certificate.ts';
import { eventually } from '../deadline.ts';
import { quickFolder } from '../quick-folder.ts';
import { programsFolder } from './programs.ts';

/** A real API server with etcd and the controllers, on loopback. */
export interface ControlPlane {
  /** A kubeconfig file of an administrator. */
  readonly kubeconfig: string;
  readonly api: KubernetesApi;
  /** Kills the API server at once (SIGKILL). */
  killApiServer(): Promise<void>;
  /** Starts it again, on the same port. */
  startApiServer(): Promise<void>;
  stop(): Promise<void>;
}

const controllers =
  'deployment,replicaset,garbagecollector,endpoint,namespace,serviceaccount,serviceaccount-token,resourcequota,podgc';

/** @param options.apiServer Further arguments of kube-apiserver. */
export async function startControlPlane(options: { apiServer?: readonly string[] } = {}): Promise<ControlPlane> {
  const folder = mkdtempSync(path.join(quickFolder(), 'patchbay-cluster-'));
  const at = (name: string) => path.join(folder, name);
  const certificate = selfSignedCertificate('localhost');
  writeFileSync(at('api.crt'), certificate.cert);
  writeFileSync(at('api.key'), certificate.key, { mode: 0o600 });
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(at('accounts.key'), privateKey.export({ type: 'pkcs1', format: 'pem' }), { mode: 0o600 });
  const token = randomBytes(16).toString('hex');
  writeFileSync(at('tokens.csv'), `${token},admin,admin,"system:masters"\n`, { mode: 0o600 });
  const [etcdPort, peerPort, apiPort, controllersPort] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const server = `https://127.0.0.1:${apiPort}`;

  const kubeconfig = at('kubeconfig');
  const cluster = { server, 'certificate-authority': at('api.crt'), 'tls-server-name': 'localhost' };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    clusters: [{ name: 'test', cluster }],
    users: [{ name: 'test', user: { token } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
  };
  writeFileSync(kubeconfig, JSON.stringify(config), { mode: 0o600 });

  const running = new Map<string, ChildProcess>();
  function run(name: string, ...args: string[]): void {
    const log = openSync(at(`${name}.log`), 'a');
    const child = spawn(path.join(programsFolder(), name), args, { stdio: ['ignore', log, log] });
    running.set(name, child);
    child.once('exit', () => running.get(name) === child && running.delete(name));
  }
  async function end(name: string, signal: NodeJS.Signals): Promise<void> {
    const child = running.get(name);
    if (!child) return;
    running.delete(name);
    const exited = once(child, 'exit');
    child.kill(signal);
    const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
    await exited;
    clearTimeout(timer);
  }

  const api = createKubernetesApi(loadCluster(kubeconfig));
  async function stop(): Promise<void> {
    for (const name of ['kube-controller-manager', 'kube-apiserver', 'etcd']) await end(name, 'SIGKILL');
    api.close();
    rmSync(folder, { recursive: true, force: true });
  }
  async function startApiServer(): Promise<void> {
    run(
      'kube-apiserver',
      `--etcd-servers=http://127.0.0.1:${etcdPort}`,
      '--bind-address=127.0.0.1',
      '--advertise-address=127.0.0.1',
      `--secure-port=${apiPort}`,
      '--insecure-port=0',
      '--endpoint-reconciler-type=none',
      `--tls-cert-file=${at('api.crt')}`,
      `--tls-private-key-file=${at('api.key')}`,
      `--token-auth-file=${at('tokens.csv')}`,
      '--authorization-mode=RBAC',
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-key-file=${at('accounts.key')}`,
      `--service-account-signing-key-file=${at('accounts.key')}`,
      '--service-cluster-ip-range=10.0.0.0/16',
      `--cert-dir=${at('certs')}`,
      ...(options.apiServer ?? []),
    );
    await eventually('the API server is ready', async () => {
      if (!running.has('kube-apiserver')) throw new Error(readFileSync(at('kube-apiserver.log'), 'utf8').slice(-2_000));
      const signal = AbortSignal.timeout(2_000);
      return api.call('GET', '/api/v1/namespaces/default', { signal }).catch(() => null);
    });
  }

  async function start(): Promise<void> {
    run(
      'etcd',
      '--name=test',
      `--data-dir=${at('etcd')}`,
      `--listen-client-urls=http://127.0.0.1:${etcdPort}`,
      `--advertise-client-urls=http://127.0.0.1:${etcdPort}`,
      `--listen-peer-urls=http://127.0.0.1:${peerPort}`,
      `--initial-advertise-peer-urls=http://127.0.0.1:${peerPort}`,
      `--initial-cluster=test=http://127.0.0.1:${peerPort}`,
      '--unsafe-no-fsync',
    );
    await startApiServer();
    run(
      'kube-controller-manager',
      `--kubeconfig=${kubeconfig}`,
      '--leader-elect=false',
      '--port=0',
      `--secure-port=${controllersPort}`,
      '--bind-address=127.0.0.1',
      `--cert-dir=${at('certs')}`,
      `--service-account-private-key-file=${at('accounts.key')}`,
      `--controllers=${controllers}`,
      '--concurrent-gc-syncs=5',
      '--kube-api-qps=300',
      '--kube-api-burst=600',
    );
    await eventually('the controllers run', () =>
      api
        .call('GET', '/api/v1/namespaces/default/serviceaccounts/default', { signal: AbortSignal.timeout(2_000) })
        .catch(() => null),
    );
  }
  await start().catch(async (error) => {
    await stop();
    throw error;
  });

  return {
    kubeconfig,
    api,
    killApiServer: () => end('kube-apiserver', 'SIGKILL'),
    startApiServer,
    stop,
  };
}
