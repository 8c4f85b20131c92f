import { z } from 'zod';
import {
  integerBetween,
  isHttpUrl,
  label,
  line,
  listOf,
  namedFieldsMax,
  oneOf,
  shownLabel,
  storableText,
  trueOrFalse,
  upTo,
} from '../platform/input/input.ts';

/** How a server is used. Source: docs/specification/mcp-servers.md#create. */
export const transports = ['stdio', 'sse', 'http'] as const;
export type Transport = (typeof transports)[number];

/** The package registries that a server may come from. Source: docs/specification/search.md#search. */
const packageTypes = ['npm', 'docker', 'pypi'] as const;

const argsMax = 256;
/** All of them together. */
const argsLengthMax = 16_384;
const variablesMax = 100;
/** All names and values of one env, or of the headers, together: UTF-16 units. */
const variablesLengthMax = 64 * 1024;
/** Of a variable or a header: UTF-16 units. */
const variableNameMax = 255;
const tagsMax = 20;

/** Plain text of several lines: 0 to `max` characters. */
const text = (field: string, max: number) => storableText(field).max(max, `${field} must be at most ${max} characters`);

const textList = <Item extends z.ZodType<string>>(field: string, item: Item, max: number) =>
  listOf(field, item, { of: 'strings', max });

/** Values by name, such as an environment or headers. */
const variables = (field: string, name: RegExp, value: z.ZodType<string>) =>
  z
    .custom<Record<string, unknown>>(
      (given) => typeof given === 'object' && given !== null && !Array.isArray(given),
      `${field} must be an object of strings`,
    )
    .transform((given, context) => {
      const issue = (message: string) => context.addIssue({ code: 'custom', message });
      if (Object.keys(given).length > variablesMax) {
        issue(`${field} must have at most ${variablesMax} names`);
        return z.NEVER;
      }
      const entries = Object.entries(given);
      if (entries.some(([each]) => each.length > variableNameMax || !name.test(each)))
        issue(`${field} has an invalid name`);
      // Neither names nor values are repeated: either may be the secret.
      else if (entries.some(([, each]) => !value.safeParse(each).success))
        issue(`${field} has a value that is not a string, is too long or has invalid characters`);
      else if (entries.reduce((length, pair) => length + pair.join('').length, 0) > variablesLengthMax)
        issue(`${field} must be at most 64 kB in all`);
      return Object.fromEntries(entries) as Record<string, string>;
    })
    .meta({ type: 'object', maxProperties: variablesMax, additionalProperties: { type: 'string' } });

// POSIX 8.1: names of an environment. RFC 9110, 5.6.2 and 5.5: names of fields, and values that go over the wire.
const Env = variables('env', /^[A-Za-z_][A-Za-z0-9_]{0,254}$/, storableText('value').max(32_768));
const Headers = variables(
  'headers',
  /^(?!(?:host|content-length|transfer-encoding|connection|keep-alive|proxy-connection|proxy-authorization|upgrade|te|trailer|expect|accept-encoding)$)[!#$%&'*+.^_`|~0-9A-Za-z-]{1,255}$/i,
  z
    .string()
    .max(8_192, { abort: true })
    .regex(/^[\t\x20-\x7e\x80-\xff]*$/),
);

const fields = {
  name: shownLabel('name', 255),
  title: line('title', 255).nullish(),
  description: text('description', 5_000).nullish(),
  transport: oneOf('transport', transports).nullish(),
  command: text('command', 4_096).min(1, 'command must not be empty').nullish(),
  args: textList('args', text('args', 8_192), argsMax)
    .refine((args) => args.join('').length <= argsLengthMax, `args must be at most ${argsLengthMax} characters in all`)
    .nullish(),
  url: storableText('url').max(2_048, 'url must be at most 2048 characters').nullish(),
  env: Env.nullish(),
  headers: Headers.nullish(),
  notes: text('notes', 10_000).nullish(),
  repositoryUrl: line('repositoryUrl', 2_048)
    .refine(upTo(2_048, isHttpUrl), 'repositoryUrl must be an address such as https://github.com/owner/name')
    .nullish(),
  packageType: oneOf('packageType', packageTypes).nullish(),
  category: label('category', 64).nullish(),
  tags: textList('tags', label('tags', 50), tagsMax)
    .transform((tags) => [...new Set(tags)])
    .nullish(),
  version: label('version', 100).nullish(),
};

/** Source: docs/specification/mcp-servers.md#create. */
export const NewMcpServer = z.object(fields);

/** Omitted fields keep their values; null empties a field that may be empty. */
export const McpServerChange = z.object({ ...fields, name: fields.name.nullish() });

/** 1 to 5. Source: docs/specification/mcp-servers.md#usage. */
export const NewRating = z.object({
  rating: integerBetween('rating', 1, 5),
});

/** A client's activity with a server. */
const activityActions = ['tool_call', 'prompt_get', 'resource_read', 'install', 'uninstall'] as const;

export const Activity = z.object({
  action: oneOf('action', activityActions),
  success: trueOrFalse('success')
    .nullish()
    .transform((success) => success ?? true),
});

/** Items of one kind in a report. The platform keeps 500 of them. */
const reportedMax = 5_000;

/** An object whose members are not validated: the server that offers it decides them. */
const Definition = z.custom<Record<string, unknown>>().meta({ type: 'object', additionalProperties: {} });

function reported(field: string) {
  const message = `each of ${field} must be an object`;
  return listOf(field, Definition, { of: 'objects', max: reportedMax })
    .superRefine((items, context) => {
      let wrong = 0;
      for (const [index, item] of items.entries()) {
        if (typeof item === 'object' && item !== null && !Array.isArray(item)) continue;
        context.addIssue({ code: 'custom', path: [index], message });
        // A response names no more: an issue for each of thousands would only cost.
        if (++wrong > namedFieldsMax) return;
      }
    })
    .nullish();
}

/** The capabilities of a stdio server that a client reports: all items of each kind; a kind that is left out stays as it was. */
export const CapabilitiesReport = z.object({
  tools: reported('tools'),
  resources: reported('resources'),
  resourceTemplates: reported('resourceTemplates'),
  prompts: reported('prompts'),
});
