import { jsonBytesMaxOfText, jsonBytesOfText } from '../platform/json/json-size.ts';
import { pageJsonBytesMax } from './input.ts';

/**
 * The start of a page whose values fit into a response as JSON; the first entry always does. A list of control characters
 * can be read page by page then, instead of being refused as a whole.
 */
export function startThatFits<Row extends { readonly value: string }>(rows: readonly Row[]): readonly Row[] {
  if (rows.reduce((bytes, { value }) => bytes + jsonBytesMaxOfText(value), 0) <= pageJsonBytesMax) return rows;
  let bytes = 0;
  const end = rows.findIndex(({ value }, place) => {
    bytes += jsonBytesOfText(value);
    return place > 0 && bytes > pageJsonBytesMax;
  });
  return end < 0 ? rows : rows.slice(0, end);
}
