import type { Adapter, AdapterPayload } from 'oidc-provider';
import { systemClock } from '../../../src/platform/clock.ts';

/** What one authorization server stores, in memory and without a bound. Like the package's own, of which all servers share one. */
export class MemoryStore {
  readonly #payloads = new Map<string, AdapterPayload>();

  /** The part of a model, such as `AccessToken`. */
  adapter(model: string): Adapter {
    const payloads = this.#payloads;
    const key = (id: string) => `${model} ${id}`;
    const where = (matches: (payload: AdapterPayload) => boolean) =>
      [...payloads].find(([name, payload]) => name.startsWith(`${model} `) && matches(payload))?.[1];
    return {
      async upsert(id, payload) {
        payloads.set(key(id), payload);
      },
      find: async (id) => payloads.get(key(id)),
      findByUid: async (uid) => where((payload) => payload.uid === uid),
      findByUserCode: async (userCode) => where((payload) => payload.userCode === userCode),
      async consume(id) {
        const payload = payloads.get(key(id));
        if (payload) payloads.set(key(id), { ...payload, consumed: Math.floor(systemClock.now().getTime() / 1_000) });
      },
      async destroy(id) {
        payloads.delete(key(id));
      },
      async revokeByGrantId(grantId) {
        for (const [name, payload] of payloads)
          if (name.startsWith(`${model} `) && payload.grantId === grantId) payloads.delete(name);
      },
    };
  }

  /** How many are stored of a model. */
  count(model: string): number {
    return [...this.#payloads.keys()].filter((name) => name.startsWith(`${model} `)).length;
  }
}
