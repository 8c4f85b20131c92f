import { spawn } from 'node:child_process';
import path from 'node:path';

/**
 * `npm run test:cluster`: the suites over an API server that it builds or finds.
 *
 *     npm run test:cluster -- --kubeconfig FILE    the suite with real pods, in a cluster of yours
 *     npm run test:cluster -- rights               only files with this word
 */
const words = process.argv.slice(2);
const at = words.indexOf('--kubeconfig');
const [, kubeconfig] = at === -1 ? [] : words.splice(at, 2);
if (at !== -1 && !kubeconfig) {
  process.stderr.write('--kubeconfig: expected a file\n');
  process.exit(2);
}
const child = spawn('vitest', ['run', '--config', '.config/vitest.cluster.config.ts', ...words], {
  stdio: 'inherit',
  env: { ...process.env, ...(kubeconfig && { KUBECONFIG_OF_TESTS: path.resolve(kubeconfig) }) },
});
child.on('exit', (code, signal) => {
  process.exitCode = signal ? 1 : (code ?? 1);
});
