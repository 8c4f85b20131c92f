import { isUuid } from '../src/platform/input/input.ts';
import { rowColumns } from './connection.ts';
import type { Context } from './context.ts';

const nilUuid = '00000000-0000-0000-0000-000000000000';

/** The uuid of a global id. A malformed one becomes one that no row has, so that it is looked up like any other. */
export const uuidOf = (id: string): string => (isUuid(id) ? id : nilUuid);

/**
 * How a row is found by its global id: a row that the caller may not see looks exactly like one that does not exist. Named columns
 * alone are read, so that hashes and sealed secrets never leave the database.
 */
export const ownRow = <Where>(visible: (context: Context) => Where) => ({
  id: { field: 'uuid' as const, description: 'The global id.' },
  select: rowColumns,
  nullable: true as const,
  findUnique: (id: string, context: Context) => ({ uuid: uuidOf(id), AND: [visible(context)] }),
});
