import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLLeafType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isLeafType,
  isListType,
  isObjectType,
} from 'graphql';
import { jsonBytesOf } from '../src/platform/json/json-size.ts';
import type { Context } from './context.ts';
import { budgetOf, count, countText } from './response-budget.ts';
import { askedOf } from './selection.ts';

type Field = GraphQLField<unknown, Context>;

/** How a field counts its value. */
export interface Bound {
  readonly countValue: Count;
  /** Whether the value is the property of the object that has the field's name. */
  readonly isProperty: boolean;
}

const bound = new WeakMap<Field, Bound>();

/**
 * Wraps every field of a schema, introspection included, so that its value counts towards the budget of its execution:
 * objects count before their fields are resolved, values count as JSON. A new field needs no other code.
 */
export function bounded(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap()))
    if (isObjectType(type)) for (const field of Object.values<Field>(type.getFields())) bind(field);
  return schema;
}

/** How a field counts what it gives; undefined for one that does not. */
export const boundOf = (field: GraphQLField<unknown, Context>): Bound | undefined => bound.get(field);

function bind(field: Field): void {
  // The types of introspection are the same in every schema of the process.
  if (bound.has(field)) return;
  const resolve = field.resolve ?? defaultFieldResolver;
  const countValue = counterOf(field);
  bound.set(field, { countValue, isProperty: resolve === defaultFieldResolver });
  field.resolve = (source, args, context, info) => {
    try {
      const budget = budgetOf(info, context);
      if (budget.error) throw budget.error;
      const value: unknown = resolve(source, args, context, info);
      if (isPromise(value))
        return value.then((resolved) => {
          countValue(resolved, budget, info);
          return resolved;
        });
      countValue(value, budget, info);
      return value;
    } catch (error) {
      // Never thrown: graphql abandons the promises of a list when one of its items throws, and each of them that is rejected
      // later would end the process.
      return Promise.reject(error);
    }
  };
}

const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof (value as Promise<unknown> | null | undefined)?.then === 'function';

type Count = (value: unknown, budget: ReturnType<typeof budgetOf>, info: GraphQLResolveInfo) => void;

function counterOf({ type, name }: Field): Count {
  const named = getNamedType(type);
  const isList = isListType(getNullableType(type));
  const countOne = isLeafType(named) ? counterOfLeaf(named, isList) : countObjects;
  if (!isList) return countOne;
  return (value, budget, info) => {
    // The field fails by it.
    if (value instanceof Error) return;
    // Any other iterable would have to be read to be counted.
    if (value !== null && value !== undefined && !Array.isArray(value))
      throw new TypeError(`The list ${name} must be an array`);
    countOne(value, budget, info);
  };
}

const countObjects: Count = (value, budget, info) => {
  if (value === null || value === undefined) return count(budget, 0, nullBytes, info);
  const { fields, bytes } = askedOf(info);
  const objects = Array.isArray(value) ? value.length : 1;
  count(budget, objects * fields, objects * bytes, info);
};

const nullBytes = 4;

function counterOfLeaf(type: GraphQLLeafType, isList: boolean): Count {
  const constant = constantBytesOf(type);
  const countOne: Count = (value, budget, info) => {
    if (constant !== undefined) count(budget, 0, constant, info);
    else if (typeof value === 'string') countText(budget, value, info);
    else if (value === null || value === undefined) count(budget, 0, nullBytes, info);
    else count(budget, 0, jsonBytesOf(value), info);
  };
  if (!isList) return countOne;
  return (value, budget, info) => {
    const values = (value ?? []) as readonly unknown[];
    count(budget, 0, listBytes + values.length, info);
    for (const each of values) countOne(each, budget, info);
  };
}

/** The brackets and the comma of a list. */
const listBytes = 3;

/** The most that a value of a type has in JSON, where that is little. */
function constantBytesOf(type: GraphQLLeafType): number | undefined {
  if (isEnumType(type)) return 2 + Math.max(...type.getValues().map(({ name }) => name.length));
  return constantBytes[type.name];
}

const constantBytes: Record<string, number> = { Boolean: 5, Int: 11, Float: 24, DateTime: 26, UUID: 38 };
