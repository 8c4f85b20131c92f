import type { GraphQLResolveInfo } from 'graphql';
import { describe, expect, it } from 'vitest';
import { countAnswerBytes, inTurn, withinAnswer } from '../../schema/answer-size.ts';
import { Refusal } from '../../src/platform/errors.ts';
import { verifies } from '../requirements.ts';

const megabyte = 1024 * 1024;
const tooLarge = expect.objectContaining({ code: 'TOO_LARGE' });

/** An execution: its variables are its own. */
const begun = () => ({ variableValues: {} }) as unknown as GraphQLResolveInfo;

/** Reads that note what they were told, and take so much of it. */
function reads(info: GraphQLResolveInfo) {
  const told: number[] = [];
  const read = (bytes: number) =>
    inTurn(info, async (bytesLeft) => {
      told.push(bytesLeft / megabyte);
      if (bytes > bytesLeft) throw new Refusal('TOO_LARGE', 'too large');
      return { bytes };
    });
  return { told, read };
}

describe('reading in turn', () => {
  it(`tells each read what those before it have left ${verifies('graph.counted')}`, async () => {
    const { told, read } = reads(begun());
    await Promise.all([read(10 * megabyte), read(20 * megabyte), read(2 * megabyte)]);
    expect(told).toEqual([32, 22, 2]);
  });

  it(`reads nothing more once one was too large ${verifies('graph.counted')}`, async () => {
    const { told, read } = reads(begun());
    const outcomes = await Promise.allSettled([20, 13, 1, 1].map((each) => read(each * megabyte)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
    expect(outcomes.at(-1)).toMatchObject({ reason: tooLarge });
    expect(told).toEqual([32, 12]);
  });

  it(`reads nothing for an answer that is refused for what it shows, and all for the next ${verifies('graph.counted')}`, async () => {
    const info = begun();
    const { told, read } = reads(info);
    expect(() => countAnswerBytes(info, 33 * megabyte)).toThrow(tooLarge);
    await expect(read(1)).rejects.toEqual(tooLarge);
    expect(told).toEqual([]);
    const next = reads(begun());
    await next.read(1);
    expect(next.told).toEqual([32]);
  });

  it('goes on after what failed for another reason', async () => {
    const info = begun();
    const { told, read } = reads(info);
    const away = new Refusal('UNAVAILABLE', 'away');
    await expect(inTurn(info, () => Promise.reject(away))).rejects.toBe(away);
    await read(1);
    expect(told).toEqual([32]);
  });

  it('is not in the way of a reservation, nor is one in its way', async () => {
    const info = begun();
    const { told, read } = reads(info);
    await withinAnswer(info, 32 * megabyte, () => read(32 * megabyte));
    expect(told).toEqual([32]);
  });
});
