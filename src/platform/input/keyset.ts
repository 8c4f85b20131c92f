import { z } from 'zod';
import { afterCursor, firstDefault, firstRows, isUuid } from './input.ts';

/** The columns of every listed row: its age, and an id that orders rows of the same millisecond. */
export interface Aged {
  readonly uuid: string;
  readonly createdAt: Date;
}

/** A page of a list, and whether anything follows. */
export interface Connection<Row> {
  readonly edges: { readonly cursor: string; readonly node: Row }[];
  readonly hasNextPage: boolean;
}

/**
 * A page after a cursor, for GraphQL: 0 to 100 rows, 20 by default.
 *
 * A cursor holds the place of a row in the order of the list, not only its id. Prisma's own cursors look the row up by
 * its id regardless of its owner, so the response would show whether another user has such a row; and they end with the
 * row.
 */
export const ConnectionRequest = z.object({ first: firstRows(), after: afterCursor(placeOf) });

export type Direction = 'asc' | 'desc';

/** The part of a Prisma query that makes a page in the order of age: one row more than asked for, to see whether any follow. */
export function keysetQuery({ first, after }: z.output<typeof ConnectionRequest>, direction: Direction) {
  const beyond = (value: Date | string) => (direction === 'asc' ? { gt: value } : { lt: value });
  return {
    where: after
      ? {
          OR: [
            { createdAt: beyond(after.createdAt) },
            { createdAt: after.createdAt, uuid: beyond(after.uuid) as { gt: string } },
          ],
        }
      : {},
    orderBy: byAge(direction),
    take: first + 1,
  };
}

/** The order of lists by age; the id orders rows of the same millisecond. */
export const byAge = (direction: Direction) => [{ createdAt: direction }, { uuid: direction }];

/** A page by offset: its rows under their name, and the number of rows on all pages. */
export type Page<Name extends string, Row> = { readonly [Rows in Name]: Row[] } & { readonly total: number };

/** The same with the limit and the offset of the request. */
export type WindowPage<Name extends string, Row> = Page<Name, Row> & {
  readonly limit: number;
  readonly offset: number;
};

/** A table of Prisma's. */
export interface Table {
  findFirst(args: never): PromiseLike<unknown>;
  findMany(args: never): PromiseLike<readonly unknown[]>;
  count(args: never): PromiseLike<number>;
}

/** A page after a cursor of the rows of a table that a filter finds. @param query The selection of each row. */
export async function connectionIn<Row extends Aged>(
  table: Table,
  request: z.output<typeof ConnectionRequest>,
  direction: Direction,
  filter: object,
  query: object = {},
): Promise<Connection<Row>> {
  const { where, ...keyset } = keysetQuery(request, direction);
  const rows = await table.findMany({ ...query, where: { AND: [filter, where] }, ...keyset } as never);
  return connectionOf(rows as Row[], request);
}

/** The same list by offset. */
export async function pageIn<Row>(
  table: Table,
  { limit, offset }: { readonly limit: number; readonly offset: number },
  direction: Direction,
  where: object,
  query: object = {},
): Promise<{ rows: Row[]; total: number }> {
  const [rows, total] = await Promise.all([
    table.findMany({ ...query, where, orderBy: byAge(direction), take: limit, skip: offset } as never),
    table.count({ where } as never),
  ]);
  return { rows: rows as Row[], total };
}

/**
 * The row with a uuid, of those that a filter finds. A row of another tenant looks exactly like one that does not exist, and a
 * malformed uuid too.
 */
export async function rowIn<Row>(
  table: Pick<Table, 'findFirst'>,
  uuid: string | null | undefined,
  filter: object,
  query: object,
  notFound: () => Error,
): Promise<Row> {
  const row = isUuid(uuid) ? await table.findFirst({ ...query, where: { AND: [{ uuid }, filter] } } as never) : null;
  if (row === null) throw notFound();
  return row as Row;
}

/** The uuid of such a row, where its existence is enough. */
export async function uuidIn(
  table: Pick<Table, 'findFirst'>,
  uuid: string | null | undefined,
  filter: object,
  notFound: () => Error,
): Promise<string> {
  return (await rowIn<{ uuid: string }>(table, uuid, filter, { select: { uuid: true } }, notFound)).uuid;
}

/** The rows of `keysetQuery` as a connection. */
export function connectionOf<Row extends Aged>(
  rows: readonly Row[],
  input: { first?: number | null | undefined },
): Connection<Row> {
  const first = input.first ?? firstDefault;
  const edges = rows.slice(0, first).map((node) => ({ cursor: cursorOf(node), node }));
  return { edges, hasNextPage: rows.length > first };
}

const cursorOf = ({ createdAt, uuid }: Aged): string =>
  Buffer.from(`${createdAt.getTime()}:${uuid}`).toString('base64url');

function placeOf(cursor: string): Aged | null {
  const [time = '', uuid, ...rest] = Buffer.from(cursor.slice(0, 200), 'base64url').toString().split(':');
  const isPlace = /^\d{1,15}$/.test(time) && isUuid(uuid) && rest.length === 0;
  return isPlace ? { createdAt: new Date(Number(time)), uuid } : null;
}
