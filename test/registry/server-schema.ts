import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/**
 * The official registry's rules for a server.json (server.schema.json of 2025-12-11) and for responses (its OpenAPI
 * document of 2025-12-01), written down independently of the schemas that the product validates with.
 */
const text = { type: 'string' };
const flag = { type: 'boolean' };
const uri = { type: 'string', format: 'uri' };
const listOf = (items: object) => ({ type: 'array', items });
const ref = (name: string) => ({ $ref: `#/$defs/${name}` });
const object = (required: string[], properties: object) => ({ type: 'object', required, properties });
const inputs = { variables: { type: 'object', additionalProperties: ref('input') } };
const web = (type: string) =>
  object(['type', 'url'], {
    type: { enum: [type] },
    url: { ...text, format: 'uri-template' },
    headers: listOf(ref('keyValue')),
  });

const definitions = {
  input: object([], {
    description: text,
    isRequired: flag,
    format: { enum: ['string', 'number', 'boolean', 'filepath'] },
    value: text,
    isSecret: flag,
    default: text,
    placeholder: text,
    choices: listOf(text),
  }),
  keyValue: { allOf: [ref('input'), object([], inputs), object(['name'], { name: text })] },
  positional: {
    allOf: [
      ref('input'),
      object([], inputs),
      {
        ...object(['type'], { type: { enum: ['positional'] }, valueHint: text, isRepeated: flag }),
        anyOf: [{ required: ['valueHint'] }, { required: ['value'] }],
      },
    ],
  },
  named: {
    allOf: [
      ref('input'),
      object([], inputs),
      object(['type', 'name'], { type: { enum: ['named'] }, name: text, isRepeated: flag }),
    ],
  },
  argument: { anyOf: [ref('positional'), ref('named')] },
  stdio: object(['type'], { type: { enum: ['stdio'] } }),
  streamableHttp: web('streamable-http'),
  sse: web('sse'),
  package: object(['registryType', 'identifier', 'transport'], {
    registryType: text,
    registryBaseUrl: uri,
    identifier: text,
    version: { type: 'string', minLength: 1, not: { const: 'latest' } },
    fileSha256: { type: 'string', pattern: '^[a-f0-9]{64}$' },
    runtimeHint: text,
    transport: { anyOf: [ref('stdio'), ref('streamableHttp'), ref('sse')] },
    runtimeArguments: listOf(ref('argument')),
    packageArguments: listOf(ref('argument')),
    environmentVariables: listOf(ref('keyValue')),
  }),
  server: object(['name', 'description', 'version'], {
    $schema: uri,
    name: { type: 'string', minLength: 3, maxLength: 200, pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' },
    description: { type: 'string', minLength: 1, maxLength: 100 },
    title: { type: 'string', minLength: 1, maxLength: 100 },
    version: { type: 'string', maxLength: 255 },
    websiteUrl: uri,
    repository: object(['url', 'source'], { url: uri, source: text, id: text, subfolder: text }),
    icons: listOf(
      object(['src'], {
        src: { ...uri, maxLength: 255 },
        mimeType: { enum: ['image/png', 'image/jpeg', 'image/jpg', 'image/svg+xml', 'image/webp'] },
        sizes: listOf({ type: 'string', pattern: '^(\\d+x\\d+|any)$' }),
        theme: { enum: ['light', 'dark'] },
      }),
    ),
    packages: listOf(ref('package')),
    remotes: listOf({ allOf: [{ anyOf: [ref('streamableHttp'), ref('sse')] }, object([], inputs)] }),
    _meta: object([], { 'io.modelcontextprotocol.registry/publisher-provided': { type: 'object' } }),
  }),
  response: object(['server', '_meta'], {
    server: ref('server'),
    _meta: object(['io.modelcontextprotocol.registry/official'], {
      'io.modelcontextprotocol.registry/official': {
        ...object(['status', 'publishedAt', 'updatedAt', 'isLatest'], {
          status: { enum: ['active', 'deprecated', 'deleted'] },
          statusMessage: { type: 'string', maxLength: 500 },
          statusChangedAt: { type: 'string', format: 'date-time' },
          publishedAt: { type: 'string', format: 'date-time' },
          updatedAt: { type: 'string', format: 'date-time' },
          isLatest: flag,
        }),
        additionalProperties: false,
      },
    }),
  }),
  list: object(['servers'], {
    servers: listOf(ref('response')),
    metadata: object([], { nextCursor: text, count: { type: 'integer' } }),
  }),
};

const ajv = new Ajv2020({ allErrors: true, strict: false });
(formats as unknown as (ajv: Ajv2020) => void)(ajv);

/** What is wrong with a value; empty if it is of the form. */
export function mistakesIn(value: unknown, form: 'server' | 'response' | 'list'): string[] {
  const validate = ajv.getSchema(form) ?? ajv.compile({ $id: form, $defs: definitions, ...ref(form) });
  return validate(value)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
