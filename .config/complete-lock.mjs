// `npm run lock`: generates package-lock.json from package.json, and completes it.
// A registry mirror may lack the builds of a tool for other platforms; npm then leaves them out of the lock, and `npm ci`
// refuses the lock as incomplete. They are entered here with the platform that their names tell, so that no machine of
// another platform asks for them. Running `npm install` alone loses them again.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const lockFile = path.join(root, 'package-lock.json');

// Elsewhere, because npm keeps to what lies in node_modules, which is this platform's alone.
const folder = mkdtempSync(path.join(tmpdir(), 'patchbay-lock-'));
copyFileSync(path.join(root, 'package.json'), path.join(folder, 'package.json'));
execFileSync('npm', ['install', '--package-lock-only', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });
const lock = JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8'));
rmSync(folder, { recursive: true });

const systems = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32', 'wasm32'];
const processors = {
  x64: 'x64',
  arm64: 'arm64',
  arm: 'arm',
  ia32: 'ia32',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
  wasm32: 'wasm32',
};

let added = 0;
for (const parent of Object.values({ ...lock.packages })) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`;
    const words = name.split(/[/-]/);
    const os = words.find((word) => systems.includes(word));
    const cpu = words.find((word) => word in processors);
    if (key in lock.packages || !os || !cpu) continue;
    const libc = os === 'linux' ? [words.some((word) => word.startsWith('musl')) ? 'musl' : 'glibc'] : undefined;
    lock.packages[key] = {
      version,
      cpu: [processors[cpu]],
      ...(parent.dev && { dev: true }),
      ...(libc && { libc }),
      optional: true,
      os: [os],
    };
    added++;
  }
}
const sorted = Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1));
writeFileSync(lockFile, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`);
process.stdout.write(`package-lock.json: ${sorted.length} packages, ${added} entered for other platforms\n`);
