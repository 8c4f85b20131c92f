import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect, test } from 'vitest';
import { Meter } from '../../src/documents/receiving.ts';
import { verifies } from '../requirements.ts';

const metered = async (bytes: number, bytesMax: number) => {
  const meter = new Meter(bytesMax);
  await pipeline(
    Readable.from(Array.from({ length: bytes }, () => Buffer.from('x'))),
    meter,
    async (rest: AsyncIterable<Buffer>) => {
      for await (const _ of rest);
    },
  );
  return meter;
};

test(
  'a file of the largest size passes, and ends with the first byte beyond',
  verifies('documents.upload.input'),
  async () => {
    const meter = await metered(10, 10);
    expect([meter.size, meter.head.toString()]).toEqual([10, 'x'.repeat(10)]);
    await expect(metered(11, 10)).rejects.toMatchObject({ code: 'TOO_LARGE' });
  },
);
