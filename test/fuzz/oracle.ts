import { shapeOfPath } from '../../rest-adapter/errors.ts';
import { statusOfCode } from '../../src/platform/errors.ts';
import type { Incoming, Outgoing } from './exchange.ts';
import { createValidator, type JsonSchema } from './json-schema.ts';
import type { OpenApi, OpenApiOperation } from './rest-inputs.ts';

/** What is wrong with an answer. */
export interface Fault {
  readonly kind:
    | 'no answer'
    | 'hang'
    | '5xx'
    | 'not JSON'
    | 'shape'
    | 'undocumented status'
    | 'leak'
    | 'altered value'
    | 'cost';
  readonly text: string;
  /** Of the answer, where there was one. */
  readonly requestId?: string;
}

/** Longer than this and a caller would say that it hangs. */
const hangMs = 2_000;
/** A test call waits for its receiver, five seconds at most. */
const hangOfTestCallMs = 7_000;
const isTestCall = ({ path, body }: Outgoing) => /\/test([?/]|$)/.test(path) || /webhookTest/.test(String(body) + path);

/** Only another user's private entry has this value. */
export const canary = 'canary-of-another-tenant-8f3c1d';

/** What no error may tell: where our code stands, what it runs on, and how it asks. */
const leaks =
  /\bat [^\n]*\.(?:ts|js|mjs|cjs):\d+|node_modules|prisma|\bpg_|relation "|syntax error at or near|violates|\bECONN|\/src\/|invalid input syntax/i;

/** Checks answers against the served document and the rules that hold for all of them. */
export function createOracle(openApi: OpenApi) {
  const { mistakeIn } = createValidator(openApi);
  const paths = Object.entries(openApi.paths).map(([path, methods]) => ({
    path,
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
    methods,
  }));
  // What has a name of its own is no id, as for the router.
  const routes = paths.sort((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')));

  /** @returns What is wrong; null for an answer as it should be. */
  function faultIn(request: Outgoing, answer: Incoming | { failure: string; milliseconds: number }): Fault | null {
    if ('failure' in answer) return { kind: 'no answer', text: answer.failure };
    if (answer.milliseconds > (isTestCall(request) ? hangOfTestCallMs : hangMs))
      return { kind: 'hang', text: `${Math.round(answer.milliseconds)} ms` };
    const requestId = String(answer.headers['x-request-id'] ?? '');
    if (answer.status >= 500) return { requestId, kind: '5xx', text: `${answer.status} ${answer.text.slice(0, 300)}` };
    if (answer.text.includes(canary)) return { kind: 'leak', text: "another tenant's value" };
    if (answer.isStream || isAskedFor(request, answer)) return null;
    const path = request.path.split('?')[0] as string;
    // What is no HTTP is refused whatever its method says.
    if (request.method === 'HEAD' || (request.method === 'OPTIONS' && answer.status !== 400))
      return answer.text === '' ? null : { kind: 'shape', text: `a body to ${request.method}` };
    const body = jsonOf(answer);
    if (body === undefined)
      return {
        kind: 'not JSON',
        text: `${answer.status} ${answer.headers['content-type']} ${JSON.stringify(answer.text.slice(0, 200))}`,
      };
    if (answer.status >= 400 && leaks.test(answer.text)) return { kind: 'leak', text: answer.text.slice(0, 500) };
    return path === '/graphql' ? checkGraphql(answer, body) : checkRest(request, path, answer, body);
  }

  function checkRest(
    { method, body: sent }: Outgoing,
    path: string,
    { status, headers }: Incoming,
    body: unknown,
  ): Fault | null {
    const methods = routes.find(({ pattern }) => pattern.test(path))?.methods;
    const operation = methods?.[method.toLowerCase()];
    if (status < 300) {
      const schema = operation?.responses[status]?.content?.['application/json']?.schema;
      if (!schema) return { kind: 'undocumented status', text: `${status} where nothing is documented` };
      const mistake = mistakeIn(body, schema);
      return mistake ? { kind: 'shape', text: `${status} ${mistake}` } : alteredValue(path, sent, body);
    }
    // An unknown path has the general shape wherever it lies; one that cannot be decoded has that of its group.
    const shape = methods || status === 400 ? shapeOfPath(path).name : 'general';
    const mistake = mistakeIn(body, errorSchemas[shape]);
    // What cannot be read as HTTP has no path yet.
    const isUnread =
      headers.connection === 'close' &&
      mistakeIn(body, errorSchemas.general) === null &&
      [400, 408, 431].includes(status);
    if (mistake && !isUnread)
      return { kind: 'shape', text: `${status} ${mistake}: ${JSON.stringify(body).slice(0, 200)}` };
    const code = (body as { error?: { code?: string } }).error?.code;
    if (code !== undefined && statusOfCode[code as keyof typeof statusOfCode] !== status)
      return { kind: 'shape', text: `${status} with the code ${code}` };
    return statusFault(status, headers, methods, operation);
  }

  function statusFault(
    status: number,
    headers: Incoming['headers'],
    methods: Readonly<Record<string, OpenApiOperation>> | undefined,
    operation: OpenApiOperation | undefined,
  ): Fault | null {
    if (status === 405)
      return headers.allow && !operation
        ? null
        : { kind: 'shape', text: '405 without Allow, or on a documented method' };
    if (operation)
      return String(status) in operation.responses ? null : { kind: 'undocumented status', text: `${status}` };
    // The caller is identified first, there too: wrong keys are counted wherever they are tried.
    const expected = methods ? [405, 400] : [404, 400, 401, 403];
    return expected.includes(status)
      ? null
      : { kind: 'undocumented status', text: `${status} where nothing is documented` };
  }

  function checkGraphql({ status, headers }: Incoming, body: unknown): Fault | null {
    if (status === 405 && !headers.allow) return { kind: 'shape', text: '405 without Allow' };
    const mistake = mistakeIn(body, graphqlResponse);
    if (mistake) return { kind: 'shape', text: `${status} ${mistake}: ${JSON.stringify(body).slice(0, 200)}` };
    const { errors = [], data } = body as {
      errors?: { message: string; extensions: { code: string } }[];
      data?: unknown;
    };
    const masked = errors.find(({ extensions }) => ['SERVER_ERROR', 'UNAVAILABLE'].includes(extensions.code));
    if (masked) return { kind: '5xx', text: `${status} ${JSON.stringify(masked).slice(0, 300)}` };
    if (errors.length === 0 && (data === undefined || data === null))
      return { kind: 'shape', text: `${status} neither data nor errors` };
    if (errors.length === 0 && status !== 200) return { kind: 'shape', text: `${status} without an error` };
    const telling = errors.find(({ message }) => leaks.test(message));
    return telling ? { kind: 'leak', text: telling.message.slice(0, 500) } : null;
  }

  return faultIn;
}

/** The graph's answers in parts, and its page for browsers. */
function isAskedFor({ method, path, headers }: Outgoing, answer: Incoming): boolean {
  const accept = headers.find(([name]) => name === 'Accept')?.[1] ?? '';
  const type = String(answer.headers['content-type']).split(';')[0] as string;
  if (!/^\/graphql($|\?)/.test(path) || !accept.includes(type)) return false;
  return type === 'multipart/mixed' || (type === 'text/html' && method === 'GET' && answer.status === 200);
}

function jsonOf({ headers, text }: Incoming): unknown {
  if (!/^application\/([a-z-]+\+)?json\b/.test(String(headers['content-type']))) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Where text of any characters is stored: in which member of the answer it is, and under which name it was sent. */
const storedAt: Record<string, [object: string, field: string]> = {
  '/api/clipboard': ['entry', 'value'],
  '/api/clipboard/push': ['entry', 'value'],
  '/api/notifications': ['notification', 'message'],
  '/api/users/profile': ['profile', 'bio'],
};

/** A stored value comes back as it was sent: no U+FFFD in place of what could not be stored (A16). */
function alteredValue(path: string, sent: Buffer | null, body: unknown): Fault | null {
  const [object, field] = storedAt[path] ?? ['', ''];
  const stored = (body as Record<string, Record<string, unknown> | undefined>)[object]?.[field];
  if (typeof stored !== 'string' || sent === null) return null;
  let input: Record<string, unknown> | null;
  try {
    input = JSON.parse(sent.toString()) as Record<string, unknown> | null;
  } catch {
    return null;
  }
  const given = input?.[field];
  if (typeof given !== 'string' || given === stored) return null;
  return {
    kind: 'altered value',
    text: `${JSON.stringify(given.slice(0, 50))} became ${JSON.stringify(stored.slice(0, 50))}`,
  };
}

const details: JsonSchema = { type: 'object' };

/** As the contract shows them, without room for more. */
const errorSchemas = {
  oauth: {
    type: 'object',
    required: ['error', 'message'],
    additionalProperties: false,
    properties: {
      error: { type: 'string' },
      message: { type: 'string' },
      details: { type: 'object' },
      retryAfter: { type: 'integer' },
    },
  },
  general: {
    type: 'object',
    required: ['error'],
    additionalProperties: false,
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message'],
        additionalProperties: false,
        properties: { code: { enum: Object.keys(statusOfCode) }, message: { type: 'string', minLength: 1 }, details },
      },
    },
  },
  agents: {
    type: 'object',
    required: ['error'],
    additionalProperties: false,
    properties: { error: { type: 'string' } },
  },
  proxy: {
    type: 'object',
    required: ['error', 'code'],
    additionalProperties: false,
    properties: { error: { type: 'string' }, code: { enum: Object.keys(statusOfCode) } },
  },
  registry: {
    type: 'object',
    required: ['title', 'status', 'detail'],
    additionalProperties: false,
    properties: {
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string' },
      errors: { type: 'array', items: { type: 'object', required: ['location', 'message'] } },
    },
  },
  clipboard: {
    type: 'object',
    required: ['success', 'error'],
    additionalProperties: false,
    properties: {
      success: { const: false },
      error: { type: 'string', minLength: 1 },
      details,
      retryAfter: { type: 'integer', minimum: 1 },
    },
  },
} satisfies Record<string, JsonSchema>;

const graphqlResponse: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    data: { type: ['object', 'null'] },
    errors: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['message', 'extensions'],
        additionalProperties: false,
        properties: {
          message: { type: 'string', minLength: 1 },
          path: { type: 'array' },
          locations: { type: 'array', items: { type: 'object' } },
          extensions: { type: 'object', required: ['code'], properties: { code: { enum: Object.keys(statusOfCode) } } },
        },
      },
    },
  },
};
