import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import S3rver from '@20minutes/s3rver';
import { cleanUp } from './cleanup.ts';
import { quickFolder } from './quick-folder.ts';

export interface S3Server {
  /** http://127.0.0.1:port */
  readonly endpoint: string;
  /** Its one bucket. */
  readonly bucket: string;
  /** The one key pair that it knows. */
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** What the product is told of it. */
  readonly environment: Record<string, string>;
  /** The keys of all objects, as they lie on its disk. */
  keys(): string[];
  /** Ends all connections, and refuses new ones. */
  stop(): Promise<void>;
}

/**
 * A server that speaks S3 over HTTP, with one empty bucket. It ends with the test or the file that asked for it.
 *
 * @param options.isStrict Whether it refuses wrong signatures. It takes that of a list of files for wrong, because its path ends with a slash.
 */
export async function startS3Server({ isStrict = false } = {}): Promise<S3Server> {
  const bucket = 'documents';
  const directory = mkdtempSync(path.join(quickFolder(), 's3-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    vhostBuckets: false,
    allowMismatchedSignatures: !isStrict,
    configureBuckets: [{ name: bucket }],
  });
  const { port } = await server.run();
  const stop = async () => {
    if (!server.httpServer.listening) return;
    const closed = new Promise((resolve) => server.httpServer.close(resolve));
    server.httpServer.closeAllConnections();
    await closed;
  };
  cleanUp(async () => {
    await stop();
    rmSync(directory, { recursive: true, force: true });
  });
  const endpoint = `http://127.0.0.1:${port}`;
  const accessKeyId = 'S3RVER';
  const secretAccessKey = 'S3RVER';
  return {
    endpoint,
    bucket,
    accessKeyId,
    secretAccessKey,
    environment: {
      S3_BUCKET: bucket,
      S3_ENDPOINT: endpoint,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    },
    keys: () =>
      filesBelow(path.join(directory, bucket)).flatMap((file) => /^(.*)\._S3rver_object$/.exec(file)?.[1] ?? []),
    stop,
  };
}

/** The paths of all files below a folder, from it; none for a folder that does not exist. */
export function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
}
