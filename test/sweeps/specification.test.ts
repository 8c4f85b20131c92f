import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { routes } from '../../rest-adapter/index.ts';
import { openApiDocument } from '../../rest-adapter/openapi.ts';
import { anonymous, type Caller, type Tier } from '../../src/platform/caller.ts';
import { createRateLimits, type RateClass } from '../../src/platform/limits/rate-limits.ts';
import { limitNames } from '../../src/platform/limits/rate-table.ts';

const folder = path.resolve(import.meta.dirname, '../../docs/specification');
const pages = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'));

/** Paths that no route of the REST adapter serves: redirects, maintenance, and pages. */
const otherPaths = ['GET /api/oauth/callback', 'POST /api/oauth/cleanup-pkce', 'GET /oauth/client-metadata.json'];

describe('the contract in docs/specification', () => {
  const documented = new Set(
    pages.flatMap((page) =>
      [...page.matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/[^`\s?]*)/g)].map(([, method, url]) => `${method} ${url}`),
    ),
  );
  const served = new Set([
    ...otherPaths,
    ...routes.map(({ method, path: url }) => `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`),
  ]);

  it('names every REST operation', () => {
    expect([...served].filter((operation) => !documented.has(operation))).toEqual([]);
  });

  it('names no operation that is not served', () => {
    expect([...documented].filter((operation) => !served.has(operation))).toEqual([]);
  });

  it('names every field of every request and response in the page of its operation, or in one that it links to', () => {
    const { paths, components } = openApiDocument(routes, {
      version: '0',
      url: 'https://patchbay.example',
    }) as unknown as Document;
    const missing = Object.entries(paths).flatMap(([url, operations]) =>
      Object.entries(operations).map(([method, { parameters = [], requestBody, responses }]) => {
        const operation = `${method.toUpperCase()} ${url}`;
        const bodies = [requestBody, ...Object.entries(responses).flatMap(([code, body]) => (code < '3' ? body : []))];
        const fields = new Set(parameters.flatMap(({ name, in: place }) => (place === 'query' && name) || []));
        for (const body of bodies)
          for (const { schema } of Object.values(body?.content ?? {})) addFields(schema, components.schemas, fields);
        const known = wordsAbout(operation);
        return { operation, fields: [...fields].filter((field) => !known.has(field)) };
      }),
    );
    expect(missing.filter(({ fields }) => fields.length > 0)).toEqual([]);
  });

  it('has the figures of every rate limit', async () => {
    const rows = pages.join('\n').matchAll(/^\| `([a-z.]+)` \| ([\d ]+) in (\d+) (minute|hour)s?\b/gm);
    const points = new Map([...rows].map(([, name = '', figure = '']) => [name, Number(figure.replaceAll(' ', ''))]));
    expect([...points.keys()].toSorted()).toEqual(limitNames.toSorted());
    const limits = createRateLimits({ overrides: {}, redis: null, processes: 1 });
    for (const name of limitNames) {
      const [rateClass, caller] = askedBy[name] ?? [name as RateClass, signedIn('free')];
      expect((await limits.spend(rateClass, caller))?.limit, name).toBe(points.get(name));
    }
  });
});

/** The limits that hold for a certain caller only. */
const askedBy: Readonly<Record<string, readonly [RateClass, Caller]>> = {
  'search.anonymous': ['search', anonymous('192.0.2.1')],
  'agents.free': ['agents', signedIn('free')],
  'agents.pro': ['agents', signedIn('pro')],
  'agents.enterprise': ['agents', signedIn('enterprise')],
};

function signedIn(tier: Tier): Caller {
  const uuid = randomUUID();
  const ids = { credentialUuid: uuid, userUuid: uuid, projectUuid: uuid, profileUuid: uuid };
  const principal = { ...ids, kind: 'session', scopes: new Set<never>(), source: 'ui', isAdmin: false, tier } as const;
  return { principal, address: '192.0.2.1' };
}

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

interface Body {
  content?: Record<string, { schema: Schema }>;
}

interface Document {
  paths: Record<
    string,
    Record<string, { parameters?: { name: string; in: string }[]; requestBody?: Body; responses: Record<string, Body> }>
  >;
  components: { schemas: Record<string, Schema> };
}

/** Adds the names of all members of a schema, at any depth. */
function addFields(schema: Schema, schemas: Record<string, Schema>, fields: Set<string>, seen = new Set<Schema>()) {
  const name = schema.$ref?.split('/').at(-1);
  const found = name === undefined ? schema : schemas[name];
  if (found === undefined || seen.has(found)) return;
  seen.add(found);
  for (const [field, member] of Object.entries(found.properties ?? {})) {
    fields.add(field);
    addFields(member, schemas, fields, seen);
  }
  const { items, anyOf = [], oneOf = [], allOf = [] } = found;
  for (const each of [items, ...anyOf, ...oneOf, ...allOf]) if (each) addFields(each, schemas, fields, seen);
}

/** The words in code spans of the pages that name an operation, and of the pages that these link to. */
function wordsAbout(operation: string): Set<string> {
  const naming = pages.filter((page) => page.includes(`\`${operation}\``) || page.includes(`\`${operation}?`));
  const linked = naming.flatMap((page) => [...page.matchAll(/\]\(([\w-]+\.md)/g)].map(([, name = '']) => pageOf(name)));
  const spans = [...naming, ...linked].flatMap((page) => [...page.matchAll(/`([^`\n]+)`/g)]);
  return new Set(spans.flatMap(([, text = '']) => [text, ...text.split(/[^\w.$-]+/)]));
}

function pageOf(name: string): string {
  return readFileSync(path.join(folder, name), 'utf8');
}
