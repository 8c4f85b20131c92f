import { types } from 'pg';

const readAnyInstant = types.getTypeParser(types.builtins.TIMESTAMPTZ) as (text: string) => Date;

/** `2026-11-23 07:10:46` and, behind an optional fraction, `+00`. */
const secondsLength = 19;
const zone = '+00';

/**
 * Reads a `timestamptz` as PostgreSQL writes it where the time zone is UTC: `2026-11-23 07:10:46.123456+00`. Microseconds are cut off.
 * pg reads all styles of dates by one regular expression, which takes four times as long; it reads what is written otherwise.
 */
export function instantOf(text: string): Date {
  if (text.length < secondsLength + zone.length || text.charCodeAt(4) !== 45 || !text.endsWith(zone))
    return readAnyInstant(text);
  const year = digit(text, 0) * 1_000 + digit(text, 1) * 100 + twoDigits(text, 2);
  // Date.UTC takes a year below 100 for one of the twentieth century.
  if (year < 100) return readAnyInstant(text);
  const [month, day] = [twoDigits(text, 5), twoDigits(text, 8)];
  const [hours, minutes, seconds] = [twoDigits(text, 11), twoDigits(text, 14), twoDigits(text, 17)];
  let milliseconds = 0;
  const end = text.length - zone.length;
  for (let at = secondsLength + 1, weight = 100; at < end && weight >= 1; at++, weight /= 10)
    milliseconds += digit(text, at) * weight;
  return new Date(Date.UTC(year, month - 1, day, hours, minutes, seconds, milliseconds));
}

const digit = (text: string, at: number): number => text.charCodeAt(at) - 48;
const twoDigits = (text: string, at: number): number => digit(text, at) * 10 + digit(text, at + 1);
