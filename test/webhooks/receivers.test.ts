import path from 'node:path';
import { describe, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { expectProper, folderWith, remove, startReceiver, stopReceiver } from './examples.ts';
import { secretsToSignWith } from './payloads.ts';

const [secret] = secretsToSignWith as [string];

describe('the receivers of docs/webhooks.md', () => {
  it.each(['receiver.mjs', 'express-receiver.mjs'])(
    '%s takes what is genuine, once, and nothing else',
    verifies('webhooks.signature.header', 'webhooks.signature.verify'),
    async (file) => {
      const folder = await folderWith(file);
      const receiver = await startReceiver(process.execPath, [path.join(folder, file)], { WEBHOOK_SECRET: secret });
      try {
        await expectProper(receiver, secret);
      } finally {
        await stopReceiver(receiver);
        await remove(folder);
      }
    },
  );
});
