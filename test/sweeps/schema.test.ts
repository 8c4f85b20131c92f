import { readFileSync } from 'node:fs';
import {
  type GraphQLField,
  type GraphQLNamedType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isSpecifiedScalarType,
  lexicographicSortSchema,
  printSchema,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { boundOf } from '../../schema/bounded.ts';
import { schema } from '../../schema/index.ts';
import { verifies } from '../requirements.ts';

const types = Object.values(schema.getTypeMap()).filter(
  (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
);

/** Every name that a reader of the API reference sees under a type, with its description. */
function described(type: GraphQLNamedType): [name: string, description: string | null | undefined][] {
  const own: [string, string | null | undefined] = [type.name, type.description];
  if (isEnumType(type)) return [own, ...type.getValues().map(named(type.name))];
  if (isInputObjectType(type)) return [own, ...Object.values(type.getFields()).map(named(type.name))];
  if (!isObjectType(type) && !isInterfaceType(type)) return [own];
  const fields = Object.values(type.getFields());
  const args = fields.flatMap((field) => field.args.map(named(`${type.name}.${field.name}`)));
  return [own, ...fields.map(named(type.name)), ...args];
}

const named =
  (parent: string) =>
  ({
    name,
    description,
  }: {
    name: string;
    description?: string | null | undefined;
  }): [string, string | null | undefined] => [`${parent}.${name}`, description];

const fieldsOf = (kind: 'Query' | 'Mutation' | 'Subscription'): GraphQLField<unknown, unknown>[] => {
  const type = schema.getType(kind);
  return isObjectType(type) ? Object.values(type.getFields()) : [];
};

const objects = types
  .filter(isObjectType)
  .map((type) => ({ name: type.name, fields: Object.values<GraphQLField<unknown, unknown>>(type.getFields()) }));

/** Whether a list says before it is read how long it may be. */
const isPublished = ({ args, extensions }: GraphQLField<unknown, unknown>): boolean =>
  typeof extensions.defaultLength === 'number' || args.some(({ name }) => ['first', 'limit', 'ids'].includes(name));

/** A page is as long as the fields that lead to it are told, all of which must be. */
const isOfPage = (page: string): boolean => {
  const leading = objects.flatMap(({ fields }) => fields.filter(({ type }) => getNamedType(type).name === page));
  return leading.length > 0 && leading.every(isPublished);
};

/** Lists of texts, numbers and enum values. Each counts as one field, so they must be short; their bytes are counted like all others. */
const leafLists: Record<string, string> = {
  'DocumentGrepMatch.before': 'At most 5, of 300 characters.',
  'DocumentGrepMatch.after': 'At most 5, of 300 characters.',
  'ApiKey.scopes': 'At most as many as there are scopes.',
  'ChatAnswerStale.numbers': 'At most 50.',
  'Query.chatModels': 'At most 51.',
  'Document.tags': 'At most 50.',
  'McpProxiedServer.args': 'At most 256.',
  'McpServer.args': 'At most 256.',
  'McpServer.tags': 'At most 20.',
  'McpServer.transports': 'At most three.',
  'McpServerStats.dailyInstalls': 'Thirty.',
  'OauthSession.scopes': 'At most 100.',
  'RegistrySubmission.environmentVariables': 'At most 100.',
  'RegistrySubmission.transports': 'At most three.',
  'SearchStatistics.relatedQueries': 'At most ten.',
  'Webhook.events': 'At most as many as there are events.',
};

/** Relay's own root fields, which the plugin defines: the guard that spends limits counts them as `general`. */
const withoutRateLimit = ['Query.node', 'Query.nodes'];

describe('the graph', () => {
  it('describes every type, field, argument, input field and enum value', verifies('graph.descriptions'), () => {
    const undescribed = types.flatMap(described).filter(([, description]) => !description?.trim());
    expect(undescribed.map(([name]) => name)).toEqual([]);
  });

  it('describes in sentences: each description ends as one', verifies('graph.descriptions'), () => {
    const ragged = types
      .flatMap(described)
      .filter(([, description]) => description && !/[.)]$/.test(description.trim()));
    expect(ragged.map(([name]) => name)).toEqual([]);
  });

  it('describes in plain English, and begins with the thing itself', verifies('graph.descriptions'), () => {
    const riddles =
      /\b(whoever|whomever|whichever|nobody|somebody|everybody|anybody|refus\w+|stranger|for good)\b|^(What|How|Who|Whom|Where|When|Which|Why) /;
    const unclear = types.flatMap(described).filter(([, description]) => riddles.test(description ?? ''));
    expect(unclear.map(([name, description]) => `${name}: ${description}`)).toEqual([]);
  });

  it('is the one that schema/schema.graphql shows', verifies('graph.printed'), () => {
    const committed = readFileSync(new URL('../../schema/schema.graphql', import.meta.url), 'utf8');
    expect(`${printSchema(lexicographicSortSchema(schema))}\n`).toBe(committed);
  });

  it(
    `has mutations that take one required \`input\` or nothing, and return a payload of their own`,
    verifies('graph.mutations'),
    () => {
      const payloads = new Set<string>();
      for (const { name, args, type } of fieldsOf('Mutation')) {
        expect(
          args.map((arg) => arg.name),
          name,
        ).toEqual(args.length === 0 ? [] : ['input']);
        for (const arg of args) expect(isNonNullType(arg.type), `${name}.input`).toBe(true);
        expect(isNonNullType(type), name).toBe(true);
        expect(getNamedType(type).name).toBe(`${name.charAt(0).toUpperCase()}${name.slice(1)}Payload`);
        payloads.add(getNamedType(type).name);
      }
      expect(payloads.size).toBe(fieldsOf('Mutation').length);
    },
  );

  it(`names mutations noun first: \`clipboardSet\`, never \`setClipboard\``, verifies('graph.mutations'), () => {
    const verbs =
      /^(create|update|delete|remove|add|set|get|push|pop|clear|revoke|activate|sign(?!Up|In|Out)|make|change|send|test|start|stop|run|upload|install|uninstall|rate|submit|mark|export)[A-Z]/;
    for (const { name } of fieldsOf('Mutation')) expect(name).not.toMatch(verbs);
  });

  it('gives every root field a class of rate limit', verifies('graph.rate-limit'), () => {
    const free = (['Query', 'Mutation', 'Subscription'] as const).flatMap((kind) =>
      fieldsOf(kind)
        .filter(({ extensions }) => typeof extensions.rateLimit !== 'string')
        .map(({ name }) => `${kind}.${name}`),
    );
    expect(free.sort()).toEqual(withoutRateLimit);
  });

  it('keeps what is stored of secrets out: no field is named after a hash', () => {
    const names = types.flatMap(described).map(([name]) => name);
    expect(names.filter((name) => /hash/i.test(name))).toEqual([]);
  });

  it('spells enum values in capitals', () => {
    const values = types.filter(isEnumType).flatMap((type) => type.getValues().map(({ name }) => name));
    for (const value of values) expect(value).toMatch(/^[A-Z][A-Z0-9_]*$/);
  });

  it('counts what every field gives towards the size of its answer', verifies('graph.counted'), () => {
    const all = Object.values(schema.getTypeMap()).filter(isObjectType);
    const unbounded = all.flatMap((type) =>
      Object.values<GraphQLField<unknown, unknown>>(type.getFields())
        .filter((field) => boundOf(field) === undefined)
        .map(({ name }) => `${type.name}.${name}`),
    );
    expect(unbounded, 'Build the schema with `bounded` (schema/bounded.ts) after its last field was added').toEqual([]);
  });

  it('bounds every list before the operation runs, or counts it when it is read', verifies('graph.counted'), () => {
    const unbounded = objects.flatMap(({ name: parent, fields }) =>
      fields
        .filter(({ type }) => isListType(getNullableType(type)))
        .flatMap((field) => {
          const name = `${parent}.${field.name}`;
          const isDeclared = isLeafType(getNamedType(field.type))
            ? name in leafLists
            : isPublished(field) || field.extensions.isCountedWhenRead === true || isOfPage(parent);
          return isDeclared ? [] : [name];
        }),
    );
    const remedy = `A list of texts, numbers or enum values: count it, or add it to leafLists with its bound. A list of objects: give it
      an argument \`first\` or \`limit\`, or \`extensions.defaultLength\`; where only the database knows its length, set
      \`extensions.isCountedWhenRead\` and read it by \`readForResponse\`.`;
    expect(unbounded, remedy).toEqual([]);
  });

  it(`has no list that goes backwards, whose \`last\` nothing counts`, verifies('graph.counted'), () => {
    const backwards = objects.flatMap(({ name: parent, fields }) =>
      fields.filter(({ args }) => args.some(({ name }) => name === 'last')).map(({ name }) => `${parent}.${name}`),
    );
    expect(backwards).toEqual([]);
  });

  it(
    `leaves few lists to be counted when they are read, each of which is read by \`readForResponse\``,
    verifies('graph.counted'),
    () => {
      const lists = objects.flatMap(({ fields }) => fields.filter(({ extensions }) => extensions.isCountedWhenRead));
      expect(lists.map(({ name }) => name).sort()).toEqual([
        'prompts',
        'resourceTemplates',
        'resources',
        'serverOffers',
        'tools',
      ]);
    },
  );

  it(
    'gives every list of root fields a bound: connections take first and after, pages limit and offset',
    verifies('graph.connections'),
    () => {
      for (const { name, args, type } of fieldsOf('Query')) {
        const names = args.map((arg) => arg.name);
        if (getNamedType(type).name.endsWith('Connection'))
          expect(names, name).toEqual(expect.arrayContaining(['first', 'after']));
        if (getNamedType(type).name.endsWith('Page'))
          expect(names, name).toEqual(expect.arrayContaining(['limit', 'offset']));
      }
      for (const type of types.filter((each) => isObjectType(each) && each.name.endsWith('Connection')))
        expect(Object.keys(isObjectType(type) ? type.getFields() : {}).sort(), type.name).toEqual([
          'edges',
          'nodes',
          'pageInfo',
          'totalCount',
        ]);
    },
  );
});
