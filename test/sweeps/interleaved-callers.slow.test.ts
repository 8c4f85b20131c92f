import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { exchange } from '../support/raw-socket.ts';
import { startTestServer, tenantOf } from '../support/server.ts';

const sum = (numbers: readonly number[]) => numbers.reduce((left, right) => left + right);

describe('many callers at once (B03)', () => {
  it(
    "never see one another's: two keys interleaved ten thousand times over both APIs",
    verifies('access.tenants'),
    async () => {
      // Real time: a key is remembered for a moment, and must be remembered as itself.
      const server = await startTestServer({}, undefined, { isRealTime: true });
      const tenants = await Promise.all([tenantOf(server), tenantOf(server)]);
      const query = '{ clipboardEntry(by: { name: "whose" }) { value } viewer { user { uuid } profile { uuid } } }';
      const expected = await Promise.all(
        tenants.map(async ({ call, caller: { principal } }, index) => {
          const value = `canary of ${index}`;
          const { entry } = (await call('POST', '/api/clipboard', { name: 'whose', value })).body;
          const viewer = { user: { uuid: principal?.userUuid }, profile: { uuid: principal?.profileUuid } };
          return [{ success: true, entry }, { data: { clipboardEntry: { value }, viewer } }];
        }),
      );
      const requestOf = (turn: number) => {
        const [path, body] =
          turn < 2 ? ['/api/clipboard/get', '{"name":"whose"}'] : ['/graphql', JSON.stringify({ query })];
        const head = `Host: x\r\nAuthorization: Bearer ${tenants[turn % 2]?.secret}\r\nContent-Type: application/json`;
        return `POST ${path} HTTP/1.1\r\n${head}\r\nContent-Length: ${body?.length}\r\n\r\n${body}`;
      };
      const wrong: string[] = [];
      const asked = [0, 0, 0, 0];
      // Ten connections that carry both keys, with many requests under way on each.
      for (let round = 0; sum(asked) < 10_000; round++)
        await Promise.all(
          Array.from({ length: 10 }, async (_, connection) => {
            const turns = Array.from({ length: 10 }, (_, index) => (index * 3 + connection + round) % 4);
            const { answers } = await exchange(server.base, turns.map(requestOf).join(''), {
              answersMax: 10,
            });
            for (const [index, turn] of turns.entries()) {
              const { status, body } = answers[index] ?? { status: 503, body: '' };
              // A machine that is too busy to answer has shown nothing; it is asked again.
              if (status === 503) continue;
              asked[turn] = (asked[turn] as number) + 1;
              if (body !== `${JSON.stringify(expected[turn % 2]?.[turn >> 1])}\n`) wrong.push(body);
            }
          }),
        );
      expect(wrong.slice(0, 3)).toEqual([]);
      for (const count of asked) expect(count).toBeGreaterThan(2_000);
    },
  );
});
