import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Refused } from '../../src/registry/imports.ts';
import { verifies } from '../requirements.ts';
import { startRegistryStage } from '../support/registry-stage.ts';

const stage = await startRegistryStage();
const { server, nobody } = stage;

const documentOf = (name: string, over: object = {}) => ({ name, description: 'A server.', version: '1.0.0', ...over });

async function imported(...values: unknown[]) {
  const refused: Refused[] = [];
  const text = values.map((value) => JSON.stringify(value)).join('\n');
  const summary = await server.services.registry.imports.run(Readable.from([Buffer.from(text)]), {
    onRefused: (each) => refused.push(each),
  });
  return { ...summary, told: refused };
}

describe('what a dump calls a kind of package', () => {
  it(`is nothing that objects inherit, and does not break search ${verifies('registry.import')}`, async () => {
    const types = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'NPM'];
    const documents = types.map((registryType, at) =>
      documentOf(`proto.example/prototypal-${at}`, {
        packages: [{ registryType, identifier: 'x', version: '1', transport: { type: 'stdio' } }],
      }),
    );
    expect(await imported(...documents)).toMatchObject({ imported: types.length, refused: 0 });
    const rows = await server.database.query({
      text: "SELECT package_type FROM mcp_servers WHERE name LIKE 'prototypal-%' ORDER BY name",
    });
    expect(rows.map(({ package_type }) => package_type)).toEqual([null, null, null, null, 'npm']);
    const found = await nobody('GET', '/api/search?q=prototypal');
    expect([found.status, found.text.includes('prototypal-0')]).toEqual([200, true]);
  });

  it('is one that search knows, or the database refuses it', async () => {
    await expect(
      server.database.query({ text: "UPDATE mcp_servers SET package_type = '{}' WHERE name = 'prototypal-0'" }),
    ).rejects.toMatchObject({ code: '23514' });
  });
});
