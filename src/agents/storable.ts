/**
 * A value whose texts PostgreSQL takes: U+FFFD in place of NUL characters and of surrogates without their other half, both of which
 * the log of an agent may hold.
 */
export function storable<Value>(value: Value): Value {
  return storableOf(value) as Value;
}

function storableOf(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\u0000', '\ufffd').toWellFormed();
  if (Array.isArray(value)) return value.map(storableOf);
  if (!(value instanceof Object) || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, storableOf(inner)]));
}
