import type { z } from 'zod';
import { type Action, authorize, type Caller, type Principal } from '../caller.ts';
import { type pageRequest, parse } from './input.ts';
import {
  type Aged,
  type Connection,
  ConnectionRequest,
  connectionIn,
  type Direction,
  pageIn,
  type Table,
  type WindowPage,
} from './keyset.ts';

type PageRequest = ReturnType<typeof pageRequest>;

/** A list of a service: rows of a table in the order of age. */
interface Listing<Name extends string, Input> {
  readonly table: Table;
  readonly action: Action;
  readonly direction: Direction;
  /** Selects the rows among all of the table. Runs after the caller was authorized and the place of the page validated. */
  readonly filter: (principal: Principal, input: Input) => object | Promise<object>;
  /** The selection of a row by default; all columns if left out. */
  readonly columns?: object;
  /** The name of the rows in a page by offset, and the bounds of that page. */
  readonly rows: Name;
  readonly pages: PageRequest;
}

/**
 * The three functions of a list that a service offers.
 *
 * @throws {ApiError} Each: `UNAUTHORIZED`, `FORBIDDEN`, `VALIDATION_ERROR` for a page out of bounds, and the errors of `filter`.
 */
export function createListing<Name extends string, Row extends Aged, Shape extends object, Input = unknown>({
  table,
  action,
  direction,
  filter,
  columns = {},
  rows: name,
  pages,
}: Listing<Name, Input>) {
  /** A page after a cursor. */
  async function connection(
    caller: Caller,
    input: Input & z.input<typeof ConnectionRequest>,
    query: Shape = columns as Shape,
  ): Promise<Connection<Row>> {
    const principal = authorize(caller, action);
    const request = parse(ConnectionRequest, input);
    return connectionIn(table, request, direction, await filter(principal, input), query);
  }

  /** The number of rows on all pages. */
  async function count(caller: Caller, input = {} as Input): Promise<number> {
    return table.count({ where: await filter(authorize(caller, action), input) } as never);
  }

  /** A page by offset. */
  async function page(
    caller: Caller,
    input = {} as Input & z.input<PageRequest>,
    query: Shape = columns as Shape,
  ): Promise<WindowPage<Name, Row>> {
    const principal = authorize(caller, action);
    const request = parse(pages, input);
    const { rows, total } = await pageIn<Row>(table, request, direction, await filter(principal, input), query);
    return { [name]: rows, total, ...request } as WindowPage<Name, Row>;
  }

  return { connection, count, page };
}
