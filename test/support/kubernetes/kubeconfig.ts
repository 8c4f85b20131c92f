import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cleanUp } from '../cleanup.ts';

/** The same cluster for another bearer. @returns A file that the test removes. */
export function kubeconfigWithToken(kubeconfig: string, token: string): string {
  const config = JSON.parse(readFileSync(kubeconfig, 'utf8'));
  config.users = config.users.map(({ name }: { name: string }) => ({ name, user: { token } }));
  const file = `${kubeconfig}-${randomBytes(4).toString('hex')}`;
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  cleanUp(() => rmSync(file, { force: true }));
  return file;
}
