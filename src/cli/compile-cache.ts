import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Keeps what V8 and Node make of the sources, which saves each later start a second. The folder belongs to this installation: a
 * cache that other users of the machine can write to would run their code.
 *
 * Processes that this one starts use the cache from their first file on.
 */
export function useCompileCache(): void {
  const folder = fileURLToPath(new URL('../../node_modules/.cache/patchbay', import.meta.url));
  process.env.NODE_COMPILE_CACHE ??= folder;
  enableCompileCache(process.env.NODE_COMPILE_CACHE);
}
