import { z } from 'zod';

const wholeNumber = (expected: string, min: number, max: number) =>
  z.coerce.number({ error: expected }).int(expected).min(min, expected).max(max, expected);

/** The settings of the storage of documents, a part of src/platform/config.ts. */
export const documentSettings = {
  DOCUMENT_STORAGE_MB: wholeNumber('a number of megabytes from 1 to 100000000', 1, 100_000_000)
    .default(5_000)
    .describe('Megabytes that the files of a profile’s documents may take, those of deleted documents included.'),
  DOCUMENTS_MAX: wholeNumber('a number of documents from 1 to 1000000', 1, 1_000_000)
    .default(10_000)
    .describe('Documents that a profile may have, deleted ones included.'),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, { error: 'the name of a bucket' })
    .optional()
    .describe(
      'A bucket of an S3-compatible storage for the files of documents. Left out: the folder DATA_DIR/documents; processes on several machines need a bucket.',
    ),
  S3_ENDPOINT: z
    .string()
    .refine((text) => URL.canParse(text) && /^https?:/.test(text), { error: 'a URL like https://s3.example.com' })
    .optional()
    .describe('The address of that storage. Left out: that of AWS for S3_REGION.'),
  S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,50}$/, { error: 'the name of a region' })
    .default('us-east-1')
    .describe('The region of the bucket.'),
  S3_ACCESS_KEY_ID: z.string().min(1).optional().describe('The access key for the bucket.'),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional().describe('The secret of that access key.'),
  EMBEDDINGS_BASE_URL: z
    .string()
    .refine((text) => URL.canParse(text) && /^https?:/.test(text), { error: 'a URL like https://api.example.com/v1' })
    .optional()
    .describe(
      'An endpoint that speaks the embeddings protocol of OpenAI, up to `/embeddings`. Left out: a small offline model for English.',
    ),
  EMBEDDINGS_API_KEY: z.string().min(1).optional().describe('The key of that endpoint.'),
  EMBEDDINGS_MODEL: z
    .string()
    .regex(/^[\w./:-]{1,200}$/, { error: 'the name of a model' })
    .default('text-embedding-3-small')
    .describe('The model of that endpoint. When it changes, all documents are embedded again in the background.'),
  EMBEDDINGS_DIMS: wholeNumber('a number from 1 to 4096', 1, 4_096)
    .default(1_536)
    .describe('Dimensions of its vectors.'),
  EMBEDDINGS_PER_HOUR: wholeNumber('a number of texts from 0 to 100000000', 0, 100_000_000)
    .default(0)
    .describe('Texts that each process can send for embedding within an hour; 0 for no limit.'),
} as const;
