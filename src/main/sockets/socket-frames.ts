/** Length of the mask that every frame of a client carries, and of the shortest header. */
const maskBytes = 4;
const headerBytesMin = 2;

/**
 * Follows the frames of a client (RFC 6455, 5.2) beside the library that reads them, which does not show how much of an
 * unfinished message it holds.
 *
 * @returns A function that takes the next bytes of the connection and returns the number of bytes of the unfinished
 * message.
 */
export function createFrameCounter(): (bytes: Buffer) => number {
  const header: number[] = [];
  /** Of frames of an unfinished message that are complete. */
  let fragmentBytes = 0;
  let payloadBytes = 0;
  let payloadLeft = 0;

  function endFrame(): void {
    const [first = 0] = header;
    const isControl = (first & 0x08) !== 0;
    const isLast = (first & 0x80) !== 0;
    if (!isControl) fragmentBytes = isLast ? 0 : fragmentBytes + header.length + payloadBytes;
    header.length = 0;
    payloadBytes = 0;
  }

  return (bytes) => {
    for (let at = 0; at < bytes.length; ) {
      if (payloadLeft === 0) {
        header.push(bytes[at] as number);
        at += 1;
        if (header.length < headerBytesMin || header.length < headerBytes(header)) continue;
        payloadBytes = payloadLength(header);
        payloadLeft = payloadBytes;
      } else {
        const taken = Math.min(payloadLeft, bytes.length - at);
        payloadLeft -= taken;
        at += taken;
      }
      if (payloadLeft === 0) endFrame();
    }
    return fragmentBytes + header.length + payloadBytes - payloadLeft;
  };
}

const shortLength = ([, second = 0]: readonly number[]) => second & 0x7f;

function headerBytes(header: readonly number[]): number {
  const length = shortLength(header);
  return headerBytesMin + (length === 127 ? 8 : length === 126 ? 2 : 0) + maskBytes;
}

/** In the network's order, behind the two bytes that every header has. */
function payloadLength(header: readonly number[]): number {
  const length = shortLength(header);
  if (length < 126) return length;
  return header.slice(headerBytesMin, -maskBytes).reduce((sum, byte) => 256 * sum + byte, 0);
}
