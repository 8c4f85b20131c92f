import fastify from 'fastify';
import { DateTimeISOResolver, UUIDResolver } from 'graphql-scalars';
import mercurius from 'mercurius';
import { type Caller, createAuthentication, createClipboard, createPool } from './hand-written.ts';

// The baseline of the graph: Mercurius with its just-in-time compiler, and pg. No limits of documents, no metrics.

const pool = createPool();
const authenticate = createAuthentication(pool);
const clipboard = createClipboard(pool);
const app = fastify({ bodyLimit: 13_500_000 });

const schema = `
  scalar DateTime
  scalar UUID
  enum ClipboardEncoding { UTF_8 BASE64 HEX }
  enum ClipboardVisibility { PRIVATE WORKSPACE PUBLIC }
  enum ClipboardSource { UI SDK MCP }
  type ClipboardEntry {
    uuid: UUID!
    name: String
    idx: Int
    value: String!
    contentType: String!
    encoding: ClipboardEncoding!
    sizeBytes: Int!
    visibility: ClipboardVisibility!
    createdByTool: String
    createdByModel: String
    source: ClipboardSource!
    createdAt: DateTime!
    updatedAt: DateTime!
    expiresAt: DateTime!
  }
  input ClipboardEntrySelector @oneOf { name: String, idx: Int }
  type Query { clipboardEntry(by: ClipboardEntrySelector!): ClipboardEntry }
`;

const enumName = (value: string) => value.toUpperCase().replace('-', '_');

interface Context {
  caller: Caller;
}

await app.register(mercurius, {
  schema,
  jit: 1,
  context: async (request): Promise<Context> => ({ caller: await authenticate(request.headers.authorization, 'read') }),
  resolvers: {
    DateTime: DateTimeISOResolver,
    UUID: UUIDResolver,
    Query: {
      async clipboardEntry(_root: unknown, { by }: { by: { name?: string } }, context: unknown) {
        const { caller } = context as Context;
        if (!/^[A-Za-z0-9_-]{1,255}$/.test(by.name ?? '')) throw new Error('Validation error');
        const entry = await clipboard.find(caller.profileUuid, by.name as string);
        return (
          entry && {
            ...entry,
            encoding: enumName(entry.encoding),
            visibility: enumName(entry.visibility),
            source: enumName(entry.source),
          }
        );
      },
    },
  },
});
await app.listen({ port: Number(process.env.PORT) });
