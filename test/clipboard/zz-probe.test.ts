import { writeFileSync } from 'node:fs';
import { it } from 'vitest';
import { startTestServer, tenantOf } from '../support/server.ts';

it('x', async () => {
  const log: unknown[] = [];
  const server = await startTestServer();
  const { call } = await tenantOf(server);
  for (const x of [
    { contentType: null },
    { contentType: '' },
    { encoding: null },
    { visibility: null },
    { createdByTool: null },
    { createdByModel: '' },
    { contentType: 'a\u2028b' },
    { contentType: '\u202eabc' },
  ]) {
    const r = await call('POST', '/api/clipboard', { name: 'n', value: 'v', ...x });
    log.push([x, r.status, r.text.slice(0, 230)]);
  }
  writeFileSync('/tmp/probe.json', log.map((x) => JSON.stringify(x)).join('\n'));
}, 60000);
