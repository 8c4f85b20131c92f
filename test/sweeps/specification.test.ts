import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { routes } from '../../rest-adapter/index.ts';
import { anonymous, type Caller, type Tier } from '../../src/platform/caller.ts';
import { createRateLimits, limitNames, type RateClass } from '../../src/platform/rate-limits.ts';

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
