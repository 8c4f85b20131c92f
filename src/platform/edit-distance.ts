/**
 * The number of characters that were left out, added, changed, or swapped with their neighbour: the optimal string
 * alignment distance.
 *
 * @param most Larger distances are returned as `most + 1`.
 */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const line = [row];
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      let least = Math.min(
        (last[column] as number) + 1,
        (line[column - 1] as number) + 1,
        (last[column - 1] as number) + (isSame ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        least = Math.min(least, (before[column - 2] as number) + 1);
      line.push(least);
    }
    if (Math.min(...line) > most) return most + 1;
    before = last;
    last = line;
  }
  return Math.min(last[b.length] as number, most + 1);
}

/** Characters that may be wrong in a word of this length: none below 4, one below 7, else two. */
export const mistakesIn = ({ length }: string): number => (length < 4 ? 0 : length < 7 ? 1 : 2);
