/** What may stand in an event's data, and in a secret, that two languages or two serialisations could see differently. */
export const payloads: Readonly<Record<string, object>> = {
  'as documented': {
    server_uuid: 'f2c9a1de-0000-4000-8000-000000000000',
    user_id: 'u1',
    metadata: { source: 'registry', version: '1.0.0' },
  },
  empty: {},
  'empty values': { text: '', list: [], object: {}, nothing: null, no: false, nested: [[], [{}], [[null]]] },
  'integer-like keys': { b: 1, 10: 'ten', 9: 'nine', a: 2, '-1': 0, '01': 0, 4294967295: 0, 4294967294: 0, '1.5': 0 },
  numbers: {
    all: [0, -0, 1, -1, 0.1, 0.5, 1e21, 1e-7, 1.5e300, 5e-324, 1.7976931348623157e308, 123456789012345680000, 1e16],
    safe: [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 2 ** 53, 2 ** 63],
    none: [Number.NaN, Number.POSITIVE_INFINITY],
  },
  unicode: { ключ: 'значение', 中文: '你好', name: 'Zoë', decomposed: 'e\u0301', rtl: '\u202eabc', bom: '\ufeffx' },
  emoji: { '🔑': '👩‍👩‍👧‍👦 🏳️‍🌈', last: '\u{10ffff}', private: '\ue000\uffff' },
  'line separators': { 'a\u2028b': '\u2028\u2029\u0085', lines: 'a\r\nb\nc\td\b\f\v' },
  controls: { all: Array.from({ length: 0xa1 }, (_, code) => String.fromCharCode(code)).join('') },
  escapes: { '"': '\\', '\\"': '\\\\"', slash: '</script>/', ud: '\\ud800 \\\\ud800', u: '\\u0041' },
  'lone surrogates': { '\ud800': 'a\udc00b', list: ['\udbff', '😀'.slice(1)], '\udfff': 1, fine: '\ud83d\ude00' },
  'names of objects': JSON.parse(
    '{"__proto__":{"__proto__":1,"x":2},"constructor":1,"prototype":2,"toString":3,"hasOwnProperty":4,"toJSON":5,"length":6}',
  ),
  'looks like the body': {
    signature: `sha256=${'0'.repeat(64)}`,
    text: `,"signature":"sha256=${'0'.repeat(64)}"`,
    id: 'x',
    retry_count: 7,
    data: { signature: 'x' },
  },
  nested: JSON.parse(`${'{"a":[1,'.repeat(200)}{}${']}'.repeat(200)}`),
  dates: { at: new Date(0), boxed: [new String('s'), new Number(1)], skipped: undefined, list: [undefined] },
  long: { text: 'é🔑\n'.repeat(60_000), list: Array.from({ length: 5_000 }, (_, n) => ({ n, half: n / 2 })) },
};

export const secretsToSignWith = [
  'whsec_3n3TLw0Q8uYk5mH2vXr7Jd1aBcEfGhIjKlMnOpQrStU',
  '-hmac$(id)`"\'\\;&|<>*?!#%{}[]~^',
  'x'.repeat(16),
  'y'.repeat(256),
];

/** An attempt of an event with such data. */
export const eventOf = (data: object, retry_count = 0) => ({
  id: '0197b7f0-5a3c-7c11-9d2e-3f4a5b6c7d8e',
  event: 'server.installed',
  timestamp: '2026-07-01T12:00:00.000Z',
  data,
  retry_count,
});
