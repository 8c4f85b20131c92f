import type { Call } from './server.ts';

/** Which acknowledged writes, values by name, are not there or are there otherwise. */
export async function lost(call: Call, acknowledged: ReadonlyMap<string, string>): Promise<string[]> {
  const stored = new Map<string, string>();
  for (let offset = 0, total = 1; offset < total; offset += 1_000) {
    const { body } = await call('GET', `/api/clipboard?limit=1000&offset=${offset}`);
    total = body.total;
    for (const { name, value } of body.entries) stored.set(name, value);
  }
  return [...acknowledged].filter(([name, value]) => stored.get(name) !== value).map(([name]) => name);
}
