/** Numbers from 0 to below 1 that are the same for the same seed (mulberry32). */
export type Random = () => number;

export function randomOf(...seeds: number[]): Random {
  let state = seeds.reduce((mixed, each) => Math.imul(mixed ^ each, 0x9e3779b1) + each, 0x85ebca6b) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
