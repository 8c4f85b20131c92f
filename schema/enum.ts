import type { ShapeFromTypeParam, TypeParam } from '@pothos/core';
import { builder } from './builder.ts';

type Types = typeof builder.$inferSchemaTypes;

/**
 * An enum whose values are SCREAMING_CASE in GraphQL and the same words in lower case inside and in REST:
 * `NEEDS_AUTHORIZATION` is `needs_authorization`.
 *
 * @param descriptions A map from value to its description.
 */
export function enumOf<Value extends string>(
  name: string,
  description: string,
  descriptions: Readonly<Record<Value, string>>,
) {
  const values = Object.entries<string>(descriptions).map(([value, text]) => [
    value.toUpperCase(),
    { value, description: text },
  ]);
  return builder.enumType(name, {
    description,
    values: Object.fromEntries(values) as { [V in Value as Uppercase<V>]: { value: V; description: string } },
  });
}

interface Options {
  readonly type: TypeParam<Types>;
  readonly nullable?: true;
  readonly description: string;
}

/** A field that shows a column whose texts are values of an enum. */
export const enumColumn = <Column extends string, const O extends Options>(column: Column, options: O) => ({
  ...options,
  select: { [column]: true } as Record<Column, true>,
  resolve: (row: Readonly<Record<Column, unknown>>) =>
    row[column] as ShapeFromTypeParam<Types, O['type'], O['nullable'] extends true ? true : false>,
});
