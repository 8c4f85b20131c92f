import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { cleanUp } from '../support/cleanup.ts';
import { filesBelow } from '../support/s3-server.ts';
import { libraryOf, storages } from './document-stage.ts';

/** Mounts a disk of one MB, which takes a right of root. It goes with the test. */
function mountDisk(folder: string): void {
  mkdirSync(folder, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' });
  cleanUp(() => execFileSync('umount', [folder]));
}

/** Whether this process may mount: root may, unless its container forbids it. */
function mayMount(): boolean {
  const folder = mkdtempSync(path.join(tmpdir(), 'patchbay-mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' });
    execFileSync('umount', [folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe.runIf(mayMount()).each(storages)('over %s, whose folder is on a full disk', (_name, start) => {
  it(
    'an upload is 503 and leaves nothing, and the next one works once there is space (H08)',
    verifies('documents.orphans'),
    async () => {
      const server = await start();
      const folder = path.join(server.folder, 'documents');
      mountDisk(folder);
      const { upload, call } = await libraryOf(server);
      const content = 'A line of the file.\n'.repeat(10_000);
      const count = async (what: string) =>
        (await server.database.query<{ count: number }>({ text: `SELECT count(*)::int AS count FROM ${what}` }))[0]
          ?.count;
      const events = "outbox_events WHERE type LIKE 'document.%'";
      // Another program has taken all but 100 kB.
      const other = path.join(folder, 'other');
      writeFileSync(other, Buffer.alloc(1024 * 1024 - 100 * 1024));

      const refused = await upload(content);
      expect([refused.status, refused.body]).toEqual([
        503,
        { error: { code: 'UNAVAILABLE', message: 'The file could not be stored; try again' } },
      ]);
      expect(refused.headers.get('retry-after')).toBe('5');
      expect([server.keys().filter((key) => key !== 'other'), filesBelow(folder)]).toEqual([[], ['other']]);
      expect([await count('document_files'), await count('documents'), await count(events)]).toEqual([0, 0, 0]);

      rmSync(other);
      const { status, body } = await upload(content);
      expect(status).toBe(200);
      expect((await call('GET', `/api/library/download/${body.documentId}`)).text).toBe(content);
      expect([await count('document_files'), await count('documents'), await count(events)]).toEqual([1, 1, 1]);
    },
  );
});
