import fastify, { type FastifyRequest } from 'fastify';
import { type Caller, createAuthentication, createClipboard, createPool, Refused } from './hand-written.ts';

// The fastest of the usual ones: fastify and pg, with the schemas of responses that its documentation advises.

const pool = createPool();
const authenticate = createAuthentication(pool);
const clipboard = createClipboard(pool);
const app = fastify({ bodyLimit: 13_500_000 });

const text = { type: 'string' };
const nullableText = { type: 'string', nullable: true };
const time = { type: 'string', format: 'date-time' };
const entry = {
  type: 'object',
  properties: {
    uuid: text,
    name: nullableText,
    idx: { type: 'integer', nullable: true },
    value: text,
    contentType: text,
    encoding: text,
    sizeBytes: { type: 'integer' },
    visibility: text,
    createdByTool: nullableText,
    createdByModel: nullableText,
    source: text,
    createdAt: time,
    updatedAt: time,
    expiresAt: time,
  },
};
const answerOf = (properties: object) => ({
  schema: { response: { 200: { type: 'object', properties: { success: { type: 'boolean' }, ...properties } } } },
});
const one = answerOf({ entry });
const oneOrMany = answerOf({
  entry,
  entries: { type: 'array', items: entry },
  total: { type: 'integer' },
  limit: { type: 'integer' },
  offset: { type: 'integer' },
});

const as =
  (scope: string, handle: (caller: Caller, req: FastifyRequest) => Promise<object>) => async (req: FastifyRequest) =>
    handle(await authenticate(req.headers.authorization, scope), req);

app.get(
  '/api/clipboard',
  oneOrMany,
  as('read', (caller, req) => {
    const query = req.query as Record<string, unknown>;
    return query.name === undefined ? clipboard.list(caller, query) : clipboard.get(caller, query.name);
  }),
);
app.post(
  '/api/clipboard/get',
  one,
  as('read', (caller, { body }) => clipboard.get(caller, (body as { name?: unknown } | undefined)?.name)),
);
app.post(
  '/api/clipboard',
  one,
  as('write', (caller, { body }) => clipboard.set(caller, body)),
);
app.post(
  '/api/clipboard/push',
  one,
  as('write', (caller, { body }) => clipboard.push(caller, body)),
);
app.delete(
  '/api/clipboard/pop',
  one,
  as('write', (caller) => clipboard.pop(caller)),
);

app.setErrorHandler((error, _req, reply) => {
  if (error instanceof Refused) return reply.code(error.status).send(error.body);
  process.stderr.write(`${error}\n`);
  return reply.code(500).send({ success: false, error: 'Internal server error' });
});

await app.listen({ port: Number(process.env.PORT) });
