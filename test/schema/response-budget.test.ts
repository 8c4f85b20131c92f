import type { GraphQLResolveInfo } from 'graphql';
import { describe, expect, it } from 'vitest';
import { budgetOf, count, readForResponse } from '../../schema/response-budget.ts';
import { ApiError } from '../../src/platform/errors.ts';
import { verifies } from '../requirements.ts';

const megabyte = 1024 * 1024;
const tooLarge = expect.objectContaining({ originalError: expect.objectContaining({ code: 'TOO_LARGE' }) });

/** An execution: its variables are its own. */
const begun = () =>
  ({ variableValues: {}, fieldNodes: [], path: { key: 'a', prev: undefined } }) as unknown as GraphQLResolveInfo;

/** Reads that note what they were granted, and bring so much. */
function reads(info: GraphQLResolveInfo) {
  const granted: number[] = [];
  /** A read whose size only the database knows. */
  const read = (bytes: number) =>
    readForResponse(info, { bytesOf: () => bytes }, async (bytesMax) => {
      granted.push(bytesMax / megabyte);
      if (bytes > bytesMax) throw new ApiError('TOO_LARGE', 'too large');
    });
  /** A read that brings `bytesMax` at most, and `bytes` in fact. */
  const readAtMost = (bytesMax: number, bytes: number, until: Promise<void> = Promise.resolve()) =>
    readForResponse(info, { bytesMax, bytesOf: () => bytes }, async (each) => {
      granted.push(each / megabyte);
      await until;
    });
  return { granted, read, readAtMost };
}

describe('reads of one answer', () => {
  it('grants each read of unknown size what those before it have left', verifies('graph.counted'), async () => {
    const { granted, read } = reads(begun());
    await Promise.all([read(5 * megabyte), read(10 * megabyte), read(1 * megabyte)]);
    expect(granted).toEqual([16, 11, 1]);
  });

  it('reads nothing more once one was too large', verifies('graph.counted'), async () => {
    const { granted, read } = reads(begun());
    const outcomes = await Promise.allSettled([10, 7, 1, 1].map((each) => read(each * megabyte)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
    expect(outcomes.at(-1)).toMatchObject({ reason: tooLarge });
    expect(granted).toEqual([16, 6]);
  });

  it('gives one error, however many reads and fields are refused', verifies('graph.counted'), async () => {
    const info = begun();
    const { read } = reads(info);
    const outcomes = await Promise.allSettled([read(17 * megabyte), read(1), read(1)]);
    const errors = outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason);
    expect(new Set(errors).size).toBe(1);
    expect(budgetOf(info).error).toBe(errors[0]);
  });

  it('reads nothing for a rejected answer, and everything for the next', verifies('graph.counted'), async () => {
    const info = begun();
    const { granted, read } = reads(info);
    expect(() => count(budgetOf(info), 0, 18 * megabyte, info)).toThrow(tooLarge);
    await expect(read(1)).rejects.toEqual(tooLarge);
    expect(granted).toEqual([]);
    const next = reads(begun());
    await next.read(1);
    expect(next.granted).toEqual([16]);
  });

  it('goes on after what failed for another reason', async () => {
    const info = begun();
    const { granted, read } = reads(info);
    const away = new ApiError('UNAVAILABLE', 'away');
    await expect(readForResponse(info, { bytesOf: () => 0 }, () => Promise.reject(away))).rejects.toBe(away);
    await read(1);
    expect(granted).toEqual([16]);
  });

  it(
    'begins at once what fits beside the reads under way, and waits with what does not',
    verifies('graph.counted'),
    async () => {
      const { granted, readAtMost } = reads(begun());
      const { promise: until, resolve: finish } = Promise.withResolvers<void>();
      const under = [readAtMost(4 * megabyte, 1, until), readAtMost(4 * megabyte, 1, until)];
      const late = [readAtMost(1 * megabyte, 1), readAtMost(16 * megabyte - 3, 1)];
      await Promise.resolve();
      expect(granted).toEqual([4, 4]);
      finish();
      // Both brought next to nothing.
      await Promise.all([...under, ...late]);
      expect(granted.map(Math.round)).toEqual([4, 4, 1, 16]);
    },
  );

  it(
    'refuses before it begins a read that does not fit beside the finished ones',
    verifies('graph.counted'),
    async () => {
      const { granted, readAtMost } = reads(begun());
      await readAtMost(8 * megabyte, 8 * megabyte);
      await readAtMost(8 * megabyte, 1 * megabyte);
      await expect(readAtMost(8 * megabyte, 1)).rejects.toEqual(tooLarge);
      expect(granted).toEqual([8, 8]);
    },
  );
});
