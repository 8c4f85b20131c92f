/** What of JSON Schema 2020-12 the OpenAPI document uses; anything else is an error, so that no rule goes unseen. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly items?: JsonSchema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly $ref?: string;
}

const annotations = new Set(['description', 'title', 'default', 'examples', 'deprecated', 'format']);
const rules = new Set(
  'type properties required additionalProperties propertyNames items enum const anyOf oneOf pattern minLength maxLength minimum maximum minItems maxItems $ref'.split(
    ' ',
  ),
);

/** Validates values by the schemas of one document. */
export function createValidator(document: unknown) {
  const resolved = ({ $ref }: JsonSchema): JsonSchema =>
    ($ref as string)
      .slice('#/'.length)
      .split('/')
      .reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], document) as JsonSchema;

  /** @returns Where the value is not as the schema says, and how; null where it is. */
  function mistakeIn(value: unknown, schema: JsonSchema, at = '$'): string | null {
    const unknown = Object.keys(schema).find((keyword) => !rules.has(keyword) && !annotations.has(keyword));
    if (unknown !== undefined) throw new Error(`the validator does not know the keyword ${unknown} at ${at}`);
    if (schema.$ref) return mistakeIn(value, resolved(schema), at);
    if (schema.anyOf?.every((each) => mistakeIn(value, each, at) !== null))
      return schema.anyOf.length === 1
        ? mistakeIn(value, schema.anyOf[0] as JsonSchema, at)
        : `${at}: fits none of anyOf`;
    if (schema.oneOf && schema.oneOf.filter((each) => mistakeIn(value, each, at) === null).length !== 1)
      return `${at}: does not fit exactly one of oneOf`;
    if (schema.type !== undefined && ![schema.type].flat().some((type) => isOfType(value, type)))
      return `${at}: ${kindOf(value)} where ${[schema.type].flat().join(' or ')} belongs`;
    if ('const' in schema && value !== schema.const) return `${at}: is not ${JSON.stringify(schema.const)}`;
    if (schema.enum && !schema.enum.includes(value)) return `${at}: is none of ${JSON.stringify(schema.enum)}`;
    if (typeof value === 'string') return mistakeInText(value, schema, at);
    if (typeof value === 'number') return mistakeInNumber(value, schema, at);
    if (Array.isArray(value)) return mistakeInList(value, schema, at);
    if (typeof value === 'object' && value !== null)
      return mistakeInObject(value as Record<string, unknown>, schema, at);
    return null;
  }

  function mistakeInList(value: readonly unknown[], { items, minItems, maxItems }: JsonSchema, at: string) {
    if (value.length < (minItems ?? 0) || value.length > (maxItems ?? Number.POSITIVE_INFINITY))
      return `${at}: ${value.length} items`;
    for (const [index, each] of value.entries()) {
      const mistake = items ? mistakeIn(each, items, `${at}[${index}]`) : null;
      if (mistake) return mistake;
    }
    return null;
  }

  function mistakeInObject(value: Record<string, unknown>, schema: JsonSchema, at: string): string | null {
    const { properties = {}, required = [], additionalProperties = true, propertyNames } = schema;
    const missing = required.find((name) => !Object.hasOwn(value, name));
    if (missing !== undefined) return `${at}: ${missing} is missing`;
    for (const [name, each] of Object.entries(value)) {
      const misnamed = propertyNames && mistakeIn(name, propertyNames, `${at}: the name ${name}`);
      if (misnamed) return misnamed;
      const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (own === undefined && additionalProperties === false) return `${at}: ${name} is not documented`;
      const rule = own ?? (typeof additionalProperties === 'object' ? additionalProperties : {});
      const mistake = mistakeIn(each, rule, `${at}.${name}`);
      if (mistake) return mistake;
    }
    return null;
  }

  return { mistakeIn };
}

function mistakeInText(value: string, { pattern, minLength, maxLength }: JsonSchema, at: string): string | null {
  const length = minLength === undefined && maxLength === undefined ? 0 : [...value].length;
  if (length < (minLength ?? 0) || length > (maxLength ?? Number.POSITIVE_INFINITY))
    return `${at}: ${length} characters`;
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) return `${at}: does not match ${pattern}`;
  return null;
}

function mistakeInNumber(value: number, { minimum, maximum }: JsonSchema, at: string): string | null {
  const isWithin = value >= (minimum ?? Number.NEGATIVE_INFINITY) && value <= (maximum ?? Number.POSITIVE_INFINITY);
  return isWithin ? null : `${at}: ${value} is out of bounds`;
}

const kindOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

const isOfType = (value: unknown, type: string) =>
  type === 'integer' ? Number.isInteger(value) : kindOf(value) === type;
