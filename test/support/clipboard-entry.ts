import { uuid } from './clipboard-responses.ts';
import { defaults } from './new-clipboard-entry.ts';

/** Everything that a client may say of a value, and nothing of it by default. The value must be base64. */
export const givenFields = {
  contentType: 'image/png',
  encoding: 'base64',
  visibility: 'workspace',
  createdByTool: 'a tool',
  createdByModel: 'a model',
} as const;

/** An entry of an ASCII value as REST shows it when a client said nothing else. In the order of the fields. */
export const entryBody = (now: Date, place: { name: string | null; idx: number | null; value: string }) => ({
  uuid,
  ...place,
  contentType: defaults.contentType,
  encoding: defaults.encoding as string,
  sizeBytes: place.value.length,
  visibility: defaults.visibility as string,
  createdByTool: defaults.createdByTool,
  createdByModel: defaults.createdByModel,
  source: defaults.source as string,
  createdAt: now.toISOString(),
  updatedAt: now.toISOString(),
  expiresAt: new Date(now.getTime() + 86_400_000).toISOString(),
});
