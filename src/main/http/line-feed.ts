/** A JSON text as responses have it: with a line feed after it, which a terminal needs and JSON allows (RFC 8259, 2). */
export const withLineFeed = (text: string): string => `${text}\n`;
