import type { ObjectRef } from '@pothos/core';
import { queryFromInfo } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import type { Caller } from '../src/platform/caller.ts';
import type { Connection } from '../src/platform/input/keyset.ts';
import { builder } from './builder.ts';
import type { Context } from './context.ts';

type Types = typeof builder.$inferSchemaTypes;

/** A page as a resolver gives it. */
export type ConnectionShape<Row> = Connection<Row> & {
  /** Runs only when the document selects `totalCount`. */
  count(): Promise<number>;
};

/**
 * Columns that are always read: the place of the row in the list. Otherwise a document without fields of the rows (only
 * `totalCount`, or the secret of a new key) would read all columns, or Prisma would reject an empty selection.
 */
export const rowColumns = { uuid: true, createdAt: true } as const;

/** The path of the rows in a connection, for `queryFromInfo`: the selection of the rows is loaded with them. */
export const rowPaths = [['nodes'], ['edges', 'node']];

/** The selection of a row: of the field itself, or of a member of its result, such as a payload. */
export const rowQuery = (context: Context, info: GraphQLResolveInfo, typeName: string, ...path: string[]) =>
  queryFromInfo({ context, info, typeName, select: rowColumns, ...(path.length > 0 && { path }) });

/** What the document asks of the rows of a connection. */
export const rowsQuery = (context: Context, info: GraphQLResolveInfo, typeName: string, paths = rowPaths) =>
  queryFromInfo({ context, info, typeName, select: rowColumns, paths });

/** The same for `nestedSelection`, whose type knows of one path only; the plugin passes two itself, in `relatedConnection`. */
export const rowsOf = (typeName: string) => {
  const paths = rowPaths.map((path) => path.map((name) => ({ name })));
  return { getType: () => typeName, paths } as unknown as string[];
};

/** The types of a list in the order of age, whose cursors src/platform/input/keyset.ts makes. It goes forward only. */
export function connectionType<Row extends object>(name: string, row: ObjectRef<Types, Row>, description: string) {
  const edge = builder.objectRef<{ cursor: string; node: Row }>(`${name}Edge`).implement({
    description: 'An object and its cursor.',
    fields: (t) => ({
      cursor: t.exposeString('cursor', { description: 'Cursor of the object, to pass as `after`.' }),
      node: t.field({ type: row, description: 'The object.', resolve: (parent) => parent.node as never }),
    }),
  });
  return builder.objectRef<ConnectionShape<Row>>(`${name}Connection`).implement({
    description,
    fields: (t) => ({
      edges: t.field({
        type: [edge],
        description: 'The objects with their cursors.',
        resolve: ({ edges }) => edges,
      }),
      nodes: t.field({
        type: [row],
        description: 'The objects.',
        resolve: ({ edges }) => edges.map(({ node }) => node) as never,
      }),
      pageInfo: t.field({
        type: builder.pageInfoRef(),
        description: 'Position of this page in the list.',
        resolve: ({ edges, hasNextPage }) => ({
          hasNextPage,
          hasPreviousPage: false,
          startCursor: edges.at(0)?.cursor ?? null,
          endCursor: edges.at(-1)?.cursor ?? null,
        }),
      }),
      totalCount: t.int({
        description: 'Number of objects on all pages. Counted only when the field is selected.',
        resolve: ({ count }) => count(),
      }),
    }),
  });
}

/** The arguments of a list that goes forward only. */
export const connectionArgs = () =>
  builder.args((t) => ({
    first: t.int({ description: 'Number of objects: at most 100, 20 by default.' }),
    after: t.string({ description: 'The cursor after which the page begins.' }),
  }));

interface Listed<Args, Row> {
  connection(caller: Caller, args: Args, query: ReturnType<typeof rowsQuery>): Promise<Connection<Row>>;
  count(caller: Caller, args: Args): Promise<number>;
}

/** A page of a list, and its count by the same arguments, so that no filter can be missing from `totalCount`. */
export async function listed<Args, Row>(
  list: Listed<Args, Row>,
  typeName: string,
  args: Args,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<ConnectionShape<Row>> {
  const page = await list.connection(context.caller, args, rowsQuery(context, info, typeName));
  return { ...page, count: () => list.count(context.caller, args) };
}

/** The arguments of a list by offset. @param limit Description of the size of a page. */
export const pageArgs = (limit: string, defaultValue?: number) =>
  builder.args((t) => ({
    limit: t.int({ description: limit, ...(defaultValue !== undefined && { defaultValue }) }),
    offset: t.int({ description: 'Number of objects to skip; 0 by default.' }),
  }));

interface Page {
  readonly total: number;
  readonly limit?: number;
  readonly offset?: number;
}

/** The type of a list by offset, as REST shows it. @param showsWindow Whether it repeats the limit and the offset. */
export const pageType = <Rows extends string, Row extends object>(
  name: string,
  rows: Rows,
  row: ObjectRef<Types, Row>,
  description: string,
  { showsWindow = false } = {},
) =>
  builder.objectRef<Page & { readonly [Name in Rows]: readonly Row[] }>(name).implement({
    description: 'A page by offset.',
    fields: (t) => ({
      [rows]: t.field({ type: [row], description, resolve: (page) => page[rows] as never }),
      total: t.int({ description: 'Number of objects on all pages.', resolve: ({ total }) => total }),
      ...(showsWindow && {
        limit: t.int({ description: 'Size of the page that was requested.', resolve: (page) => page.limit as number }),
        offset: t.int({ description: 'Number of objects before this page.', resolve: (page) => page.offset as number }),
      }),
    }),
  });

/** The highest number of rows of such a list, before its `first` was validated. */
export const rowsMaxOf = (first: number | null | undefined): number => Math.min(Math.max(first ?? 20, 0), 100);
