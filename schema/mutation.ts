import {
  type InputFieldMap,
  type InputRef,
  type InputShapeFromFields,
  ObjectRef,
  type OutputRef,
  type ShapeFromTypeParam,
  type TypeParam,
} from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import type { RateClass } from '../src/platform/limits/rate-limits.ts';
import { builder, type InputFieldBuilder } from './builder.ts';
import type { Context } from './context.ts';

type Types = typeof builder.$inferSchemaTypes;

/** An input type of the mutation's own. */
interface OwnInput<Fields extends InputFieldMap> {
  readonly description: string;
  /** Description of the argument; that of the type if left out. */
  readonly argument?: string;
  readonly fields: (t: InputFieldBuilder) => Fields;
}

/** An input type that several mutations share. */
interface SharedInput<Shape> {
  readonly type: InputRef<Shape>;
  readonly description: string;
}

type None = Record<never, never>;

interface PayloadField {
  readonly type: TypeParam<Types>;
  readonly nullable?: true;
  readonly description: string;
}

/** The fields of a payload type of the mutation's own, which are read from its result by their names, or a payload type. */
type Payload = Readonly<Record<string, PayloadField>> | OutputRef<unknown>;

type PayloadShape<Given> =
  Given extends OutputRef<infer Shape>
    ? Shape
    : {
        readonly [Name in keyof Given]: Given[Name] extends PayloadField
          ? ShapeFromTypeParam<Types, Given[Name]['type'], Given[Name]['nullable'] extends true ? true : false>
          : never;
      };

interface Mutation<Fields extends InputFieldMap, Shared, P extends Payload> {
  readonly description: string;
  readonly rateLimit: RateClass;
  /** Left out: the mutation has no argument. */
  readonly input?: OwnInput<Fields> | SharedInput<Shared>;
  readonly payload: P;
  readonly payloadDescription?: string;
  resolve(
    input: InputShapeFromFields<Fields> & Shared,
    context: Context,
    info: GraphQLResolveInfo,
  ): PayloadShape<P> | Promise<PayloadShape<P>>;
}

/** Adds a mutation with the types of its argument `input` and of its payload, which are named after it. */
export function mutation<const P extends Payload, Fields extends InputFieldMap = None, Shared = None>(
  name: string,
  { description, rateLimit, input, payload, payloadDescription, resolve }: Mutation<Fields, Shared, P>,
): void {
  const typeName = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const type =
    payload instanceof ObjectRef
      ? payload
      : builder.objectRef<Record<string, unknown>>(`${typeName}Payload`).implement({
          description: payloadDescription ?? `Result of \`${name}\`.`,
          fields: (t) =>
            Object.fromEntries(
              Object.entries(payload as Record<string, PayloadField>).map(([field, options]) => [
                field,
                t.field({ ...options, resolve: (result) => result[field] as never }),
              ]),
            ),
        });
  const argument = input && {
    type: 'type' in input ? input.type : builder.inputType(`${typeName}Input`, input),
    required: true as const,
    description: 'type' in input ? input.description : (input.argument ?? input.description),
  };
  builder.mutationField(name, (t) =>
    t.field({
      type,
      description,
      args: (argument ? { input: t.arg(argument) } : {}) as { input: never },
      extensions: { rateLimit },
      resolve: (_root, args, context, info) => resolve(args.input, context, info) as never,
    }),
  );
}

/** An input type that selects an object by its UUID. @param texts Descriptions of the argument and of the UUID. */
export const selector = (description: string, { argument = description, uuid = 'UUID of the object.' } = {}) => ({
  description,
  argument,
  fields: (t: InputFieldBuilder) => ({ uuid: t.string({ required: true, description: uuid }) }),
});
