import {
  type DocumentNode,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { routes } from '../../rest-adapter/index.ts';
import { schema } from '../../schema/index.ts';
import type { Call } from './stage.ts';

/** Lists that a process answers without the database, and the one whose length the request decides. */
const notStored = new Set([
  'Query.chatModels',
  'Query.webhookEvents',
  'Query.agentLogLines',
  'Query.agentPodEvents',
  'Query.nodes',
]);

/** The list operations of the graph: fields that take a number of rows, root fields that are lists, and totals. REST runs the same ones. */
export function listFields(): string[] {
  return Object.values(schema.getTypeMap())
    .filter((type) => isObjectType(type) && !type.name.startsWith('__'))
    .flatMap((type) =>
      isObjectType(type)
        ? Object.values(type.getFields())
            .filter(
              (field) =>
                field.args.some(({ name }) => name === 'first' || name === 'limit') ||
                (type === schema.getQueryType() && isListType(getNullableType(field.type))) ||
                field.name === 'totalCount',
            )
            .map(({ name }) => `${type.name}.${name}`)
        : [],
    )
    .filter((field) => !notStored.has(field));
}

/** The fields that the operation of a call selects. */
export function fieldsOf(call: Call): string[] {
  const fields: string[] = [];
  const types = new TypeInfo(schema);
  visit(
    documentOf(call),
    visitWithTypeInfo(types, {
      Field(node) {
        const parent = types.getParentType();
        if (parent) fields.push(`${getNamedType(parent).name}.${node.name.value}`);
      },
    }),
  );
  return fields;
}

/** @throws {Error} for a path that no route has. */
function documentOf({ method, path, body }: Call): DocumentNode {
  if (path === '/graphql') return parse((body as { query: string }).query);
  const url = new URL(path, 'http://127.0.0.1');
  const query = Object.fromEntries(url.searchParams);
  const matching = routes.filter(
    (route) =>
      route.method === method &&
      new RegExp(`^${route.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(url.pathname) &&
      (route.when?.({ params: {}, query, body: (body ?? {}) as Record<string, unknown> }) ?? true),
  );
  // `/api/documents/grep` before `/api/documents/:id`.
  const [route] = matching.sort((a, b) => Number(a.path.includes(':')) - Number(b.path.includes(':')));
  if (!route) throw new Error(`no route has ${method} ${path}`);
  return route.operation as unknown as DocumentNode;
}
