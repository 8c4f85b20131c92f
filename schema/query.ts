import type { FieldNullability, FieldOptionsFromKind, InputFieldMap, TypeParam } from '@pothos/core';
import { builder } from './builder.ts';

type Types = typeof builder.$inferSchemaTypes;
type ArgBuilder = Parameters<Parameters<typeof builder.queryField>[1]>[0]['arg'];
type Root = Types['Root'];

/** The options of a field of the type Query, whose arguments are built by a function. */
type QueryOptions<
  Type extends TypeParam<Types>,
  Nullable extends FieldNullability<Type>,
  Args extends InputFieldMap,
  Result,
> = Omit<FieldOptionsFromKind<Types, Root, Type, Nullable, Args, 'Query', Root, Result>, 'args'> & {
  readonly args?: (arg: ArgBuilder) => Args;
};

/** Adds a field of the type Query. */
export function query<
  Type extends TypeParam<Types>,
  Result,
  Nullable extends FieldNullability<Type> = Types['DefaultFieldNullability'],
  Args extends InputFieldMap = Record<never, never>,
>(name: string, { args, ...options }: QueryOptions<Type, Nullable, Args, Result>): void {
  builder.queryField(name, (t) => t.field({ ...options, args: args?.(t.arg) } as never));
}
