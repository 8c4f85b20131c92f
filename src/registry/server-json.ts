import { z } from 'zod';
import { isHttpUrl } from '../platform/input/input.ts';

/** The format that documents are written in. Source: the official registry, server.schema.json of 2025-12-11. */
export const schemaUrl = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/** Bytes of one document as text. */
export const documentBytesMax = 64 * 1024;
const listMax = 100;
const depthMax = 24;

const text = (max = 8_192) => z.string().max(max);
const list = <Item extends z.ZodType>(item: Item) => z.array(item).max(listMax);
const address = text(2_048).refine((value) => URL.canParse(value), 'must be a URI');
/** A link that users follow. RFC 3986: a URI is ASCII. */
const link = text(2_048)
  .regex(/^[\x21-\x7e]*$/, 'must be a URI')
  .refine(isHttpUrl, 'must be an http URL without user info');
/** A URI with variables in braces, which may stand for all of it. */
const addressTemplate = text(2_048)
  .regex(/^(?:https?:\/\/\S+|\{[A-Za-z_][A-Za-z0-9_]*\}\S*)$/, 'must be an http URL')
  .regex(/^[^{}]*(?:\{[^{}]+\}[^{}]*)*$/, 'must close its braces');

const inputFields = {
  description: text().optional(),
  isRequired: z.boolean().optional(),
  format: z.enum(['string', 'number', 'boolean', 'filepath']).optional(),
  value: text().optional(),
  isSecret: z.boolean().optional(),
  default: text().optional(),
  placeholder: text().optional(),
  choices: list(text()).optional(),
};
const Input = z.looseObject(inputFields);
const variables = z.record(text(255), Input).optional();
const KeyValue = z.looseObject({ ...inputFields, variables, name: text(255).min(1) });

const Argument = z
  .looseObject({
    ...inputFields,
    variables,
    type: z.enum(['positional', 'named']),
    name: text(255).optional(),
    valueHint: text(255).optional(),
    isRepeated: z.boolean().optional(),
  })
  .refine(
    ({ type, name, value, valueHint }) =>
      type === 'named' ? name !== undefined : value !== undefined || valueHint !== undefined,
    'a named argument needs a name, a positional one value or valueHint',
  );

const webFields = { url: addressTemplate, headers: list(KeyValue).optional() };
const Stdio = z.looseObject({ type: z.literal('stdio') });
const StreamableHttp = z.looseObject({ type: z.literal('streamable-http'), ...webFields });
const Sse = z.looseObject({ type: z.literal('sse'), ...webFields });
const LocalTransport = z.discriminatedUnion('type', [Stdio, StreamableHttp, Sse]);
const RemoteTransport = z.discriminatedUnion('type', [StreamableHttp.extend({ variables }), Sse.extend({ variables })]);

const Package = z.looseObject({
  registryType: text(64).min(1),
  registryBaseUrl: address.optional(),
  identifier: text(2_048).min(1),
  version: text(255)
    .min(1)
    .refine((version) => version !== 'latest', 'must be a version, not latest')
    .optional(),
  fileSha256: z
    .string()
    .regex(/^[a-f0-9]{64}$/)
    .optional(),
  runtimeHint: text(255).optional(),
  transport: LocalTransport,
  runtimeArguments: list(Argument).optional(),
  packageArguments: list(Argument).optional(),
  environmentVariables: list(KeyValue).optional(),
});

const Icon = z.looseObject({
  src: link.max(255),
  mimeType: z.enum(['image/png', 'image/jpeg', 'image/jpg', 'image/svg+xml', 'image/webp']).optional(),
  sizes: list(z.string().regex(/^(\d+x\d+|any)$/)).optional(),
  theme: z.enum(['light', 'dark']).optional(),
});

const Repository = z.looseObject({
  url: address,
  source: text(255),
  id: text(255).optional(),
  subfolder: text(1_024).optional(),
});

const isRange = (version: string) => /^[\^~<>=]|^(?:latest|\*)$|(?:^|\.)[x*](?:\.|$)/i.test(version);

/**
 * A server.json. Fields that it does not name are kept: publishers add their own.
 *
 * @see The official registry, server.schema.json of 2025-12-11
 */
const Fields = z.looseObject({
  $schema: address.optional(),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/, 'must be like io.github.owner/name'),
  description: z.string().min(1).max(100),
  title: z.string().min(1).max(100).optional(),
  repository: Repository.optional(),
  version: z
    .string()
    .min(1)
    .max(255)
    .refine((version) => !isRange(version), 'must be one version, not a range'),
  websiteUrl: link.optional(),
  icons: list(Icon).optional(),
  packages: list(Package).optional(),
  remotes: list(RemoteTransport).optional(),
  _meta: z
    .looseObject({ 'io.modelcontextprotocol.registry/publisher-provided': z.looseObject({}).optional() })
    .optional(),
});

export type ServerJson = z.output<typeof Fields>;

/** The same, of bounded depth, and without characters that cannot be stored as text. */
export const ServerJsonDocument = z
  .custom<object>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
    error: 'must be an object',
    abort: true,
  })
  .refine((value) => isPlain(value, depthMax), { error: 'must be storable text, at most 24 levels deep', abort: true })
  .refine((value) => Buffer.byteLength(JSON.stringify(value)) <= documentBytesMax, {
    error: 'must be at most 64 kB',
    abort: true,
  })
  .pipe(Fields);

/** Whether all text within can be stored, and nothing lies deeper. */
function isPlain(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\u0000');
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  return Object.entries(value).every(([name, member]) => isPlain(name, 1) && isPlain(member, depth - 1));
}
