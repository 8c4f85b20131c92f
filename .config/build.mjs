// What must be made before the sources run: Prisma's client. The sources themselves need no compiling, Node strips their types.
// Done again only when the schema or the generator's version changed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const generated = path.join(root, 'prisma', 'generated');
const stampFile = path.join(generated, 'stamp');

const hash = createHash('sha256');
for (const file of readdirSync(path.join(root, 'prisma'))
  .filter((name) => name.endsWith('.prisma'))
  .sort())
  hash.update(file).update(readFileSync(path.join(root, 'prisma', file)));
hash.update(readFileSync(path.join(root, 'prisma', 'generate-columns.mjs')));
hash.update(readFileSync(path.join(root, 'node_modules', 'prisma', 'package.json')));
hash.update(readFileSync(path.join(root, 'node_modules', '@pothos', 'plugin-prisma', 'package.json')));
const stamp = hash.digest('hex');

if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== stamp) {
  process.stdout.write('  Generating the database client …\n');
  // Every command of Prisma's looks for an engine that it does not need here and would download; this one stands in.
  const env = {
    ...process.env,
    PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true',
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  };
  const prisma = path.join(root, 'node_modules', 'prisma', 'build', 'index.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [prisma, 'generate', '--schema', 'prisma'], {
    cwd: root,
    env,
    encoding: 'utf8',
  });
  if (status !== 0) {
    process.stderr.write(`${stdout}${stderr}\nThe database client could not be generated.\n`);
    process.exit(1);
  }
  writeFileSync(stampFile, stamp);
}
