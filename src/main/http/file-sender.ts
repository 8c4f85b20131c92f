import { pipeline } from 'node:stream/promises';
import type { RestDependencies } from '../../../rest-adapter/router.ts';
import type { DocumentArea } from '../../documents/index.ts';
import type { ByteRange } from '../../documents/storage/storage.ts';
import { spenderOf } from '../../platform/limits/rate-limits.ts';
import { createSlots } from '../../platform/limits/slots.ts';

/** Downloads at a time. */
const downloadSlots = { slots: 64, perCaller: 6, waitMs: 10_000, message: 'Too many downloads at once; try again' };

/**
 * Sends files that users have uploaded. A browser saves such a file and never shows it: it may be a page with scripts, and would run
 * as one of this site. Sources: RFC 9110, 14 (ranges); RFC 6266 (names).
 */
export function createFileSender({ downloads }: Pick<DocumentArea, 'downloads'>): RestDependencies['sendFile'] {
  const slots = createSlots(downloadSlots);

  return async function sendFile({ req, res, caller }, { documentUuid, version, fileName, fileSize, sha256 }) {
    const etag = `"${sha256}"`;
    res.setHeader('ETag', etag);
    res.setHeader('Accept-Ranges', 'bytes');
    res.setHeader('Cache-Control', 'private, no-cache');
    if (matches(req.headers['if-none-match'], etag)) return void res.writeHead(304).end();
    const isRangeWanted = req.headers['if-range'] === undefined || req.headers['if-range'] === etag;
    const range = isRangeWanted ? rangeOf(req.headers.range, fileSize) : null;
    res.setHeader('Content-Type', 'application/octet-stream');
    if (range === 'unsatisfiable') {
      res.setHeader('Content-Range', `bytes */${fileSize}`);
      return void res.writeHead(416, { 'Content-Length': 0 }).end();
    }
    res.setHeader('Content-Disposition', dispositionOf(fileName));
    res.setHeader('Content-Security-Policy', "default-src 'none'; sandbox");
    res.setHeader('X-Content-Type-Options', 'nosniff');
    if (range) res.setHeader('Content-Range', `bytes ${range.start}-${range.end}/${fileSize}`);
    res.setHeader('Content-Length', range ? range.end - range.start + 1 : fileSize);
    if (req.method === 'HEAD' || fileSize === 0) return void res.writeHead(200).end();
    const give = await slots.take(spenderOf('general', caller));
    try {
      const content = await downloads
        .open(caller, { uuid: documentUuid, version, range: range ?? undefined })
        .catch((error: unknown) => {
          // The error has its own type and length, and is not an attachment.
          for (const name of ['Content-Disposition', 'Content-Range', 'Content-Length', 'ETag']) res.removeHeader(name);
          throw error;
        });
      res.writeHead(range ? 206 : 200);
      // A client that goes away, and a storage that fails now, both end the connection: nothing more can be said.
      await pipeline(content, res).catch(() => res.destroy());
    } finally {
      give();
    }
  };
}

const matches = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((one) => ['*', etag, `W/${etag}`].includes(one.trim())) ?? false;

/**
 * The part of a file that a request asks for. Several ranges are answered by the whole file, which RFC 9110 allows.
 *
 * @returns null for the whole file.
 */
function rangeOf(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;
  if (first === '')
    return Number(last) === 0 || size === 0
      ? 'unsatisfiable'
      : { start: Math.max(0, size - Number(last)), end: size - 1 };
  const start = Number(first);
  if (last !== '' && Number(last) < start) return null;
  if (start >= size) return 'unsatisfiable';
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

/** The name as an attachment: in full for who knows RFC 6266, and in ASCII for the rest. No character of it is syntax or a path. */
function dispositionOf(fileName: string): string {
  const plain = fileName.replace(/[^\w .()-]/g, '_').replace(/^\.+/, '_') || 'file';
  const full = encodeURIComponent(fileName.replace(/[/\\]/g, '_')).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${full}`;
}
