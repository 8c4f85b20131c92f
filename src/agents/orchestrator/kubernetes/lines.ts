/** Characters of a line; more are cut off. Objects of the API server are smaller: etcd takes 1.5 MB. */
const lineLengthMax = 4 * 1024 * 1024;

/** The lines of a stream of UTF-8, without their ends. What follows the last end is a line too. */
export async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let length = 0;
  const add = (part: string) => {
    const room = lineLengthMax - length;
    if (room <= 0 || part === '') return;
    parts.push(part.slice(0, room));
    length += Math.min(part.length, room);
  };
  const taken = () => {
    const line = parts.join('');
    parts = [];
    length = 0;
    return line;
  };
  for await (const chunk of stream) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n');
    add(first);
    for (const other of others) {
      yield taken();
      add(other);
    }
  }
  add(decoder.decode());
  if (length > 0) yield taken();
}
