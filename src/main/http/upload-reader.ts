import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import multer, { MulterError, type StorageEngine } from 'multer';
import type { ReceivedForm } from '../../../rest-adapter/router.ts';
import type { DocumentArea, ReceivedFile } from '../../documents/index.ts';
import { fileBytesMax } from '../../documents/input.ts';
import type { Caller } from '../../platform/caller.ts';
import { ApiError, isApiError } from '../../platform/errors.ts';
import { invalid } from '../../platform/input/input.ts';
import { type RateLimits, spenderOf } from '../../platform/limits/rate-limits.ts';
import { createSlots } from '../../platform/limits/slots.ts';
import { hasBody, spendLarge } from './body.ts';
import { type BodyPace, endWhenSlow } from './body-pace.ts';
import type { BytesInFlight } from './bytes-in-flight.ts';

/** Bytes of a form beside its file: boundaries, headers of parts and text fields. */
const formBytesMax = 256 * 1024;
/** Memory of an upload: the bytes that wait between the network, the form and the storage. */
const uploadBytes = 512 * 1024;
/** Uploads at a time. */
const uploadSlots = { slots: 32, perCaller: 4, waitMs: 10_000, message: 'Too many uploads at once; try again' };

const limits = {
  fieldNameSize: 100,
  fieldSize: 64 * 1024,
  fields: 20,
  fileSize: fileBytesMax,
  files: 1,
  parts: 22,
  headerPairs: 50,
  fieldNestingDepth: 0,
};

/**
 * Reads multipart forms with one file, `file`, which is stored as it arrives. A caller who may not upload, or whose
 * storage is full, is rejected before the body is read; a slow or aborted form ends, and its bytes are removed.
 */
export function createUploadReader({
  uploads,
  rateLimits,
  bytesInFlight,
  pace,
}: {
  uploads: DocumentArea['uploads'];
  rateLimits: RateLimits;
  bytesInFlight: Pick<BytesInFlight, 'hold'>;
  pace: BodyPace;
}): (req: Request, caller: Caller) => Promise<ReceivedForm> {
  const slots = createSlots(uploadSlots);

  return async function receiveUpload(req, caller) {
    requireForm(req);
    const announced = Number(req.headers['content-length'] ?? 0);
    if (announced > fileBytesMax + formBytesMax) throw tooLarge();
    rateLimits.check('bodies', caller);
    // With a key it may have been stored before: then it is answered alike, however full the storage is now.
    const isKeyed = req.headers['idempotency-key'] !== undefined;
    await uploads.begin(caller, isKeyed ? null : Math.max(0, announced - formBytesMax));
    await spendLarge(rateLimits, caller, announced);
    const give = await slots.take(spenderOf('general', caller));
    const hold = bytesInFlight.hold(caller);
    let stopWatch = () => {};
    try {
      hold.take(uploadBytes);
      if (req.headers.expect?.toLowerCase() === '100-continue') req.res?.writeContinue();
      stopWatch = endWhenSlow(req, pace);
      const { file, fields } = await readForm(req, (content) => uploads.receive(caller, content));
      const discard = () => uploads.discard(caller, file);
      try {
        // One that did not announce its size pays for it now.
        if (announced === 0) await spendLarge(rateLimits, caller, file.fileSize);
      } catch (error) {
        await discard();
        throw error;
      }
      const identity = JSON.stringify([file.fileName, file.contentHash.toString('hex')]);
      return { fileUuid: file.uuid, identity, fields, discard };
    } finally {
      stopWatch();
      hold.give();
      give();
    }

    /** What fails is thrown at once: multer itself would first read the body to its end. */
    function readForm(
      request: Request,
      receive: (content: { fileName: string; content: Readable }) => Promise<ReceivedFile>,
    ): Promise<{ file: ReceivedFile; fields: Record<string, unknown> }> {
      return new Promise((resolve, reject) => {
        let receiving: Promise<ReceivedFile> | null = null;
        let hasFailed = false;
        const fail = (error: unknown) => {
          if (hasFailed) return;
          hasFailed = true;
          request.unpipe();
          request.pause();
          // A file that was stored before the form failed is forgotten.
          void receiving?.then(
            (file) => uploads.discard(caller, file),
            () => undefined,
          );
          reject(apiErrorOf(error));
        };
        const storage: StorageEngine = {
          _handleFile(_request, { originalname, stream }, done) {
            receiving = receive({ fileName: originalname, content: stream });
            receiving.then(
              () => done(null, {}),
              (error: unknown) => {
                fail(error);
                done(error);
              },
            );
          },
          _removeFile: (_request, _file, done) => done(null),
        };
        const form = multer({ storage, limits, defParamCharset: 'utf8', preservePath: true }).single('file');
        form(request, request.res as Response, (error: unknown) => {
          if (error) return fail(error);
          if (hasFailed) return;
          if (receiving === null) return reject(invalid({ file: 'file is required' }));
          receiving.then((file) => resolve({ file, fields: { ...request.body } }), fail);
        });
        request.once('aborted', () => fail(new Error('the request was aborted')));
      });
    }
  };
}

function requireForm(req: IncomingMessage): void {
  if (hasBody(req) && /^multipart\/form-data *;/i.test(req.headers['content-type'] ?? '')) {
    if ((req.headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity') return;
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'A form with a file must not be compressed');
  }
  throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The body must be multipart/form-data with a file');
}

const tooLarge = () => new ApiError('TOO_LARGE', `The file is larger than ${fileBytesMax / 1024 / 1024} MB`);

const messages: Partial<Record<MulterError['code'], string>> = {
  LIMIT_FILE_COUNT: 'The form must have one file',
  LIMIT_UNEXPECTED_FILE: 'The file must be the field "file"',
  LIMIT_FIELD_VALUE: 'The field is too long',
  LIMIT_FIELD_COUNT: 'The form has too many fields',
  LIMIT_PART_COUNT: 'The form has too many parts',
  LIMIT_FIELD_KEY: 'The form has a field with too long a name',
};

function apiErrorOf(error: unknown): unknown {
  if (isApiError(error)) return error;
  if (!(error instanceof MulterError)) return invalid({ body: 'The body is not a complete multipart form' });
  if (error.code === 'LIMIT_FILE_SIZE') return tooLarge();
  return invalid({ [error.field?.slice(0, 100) || 'body']: messages[error.code] ?? 'The form is not valid' });
}
