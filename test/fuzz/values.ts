import fc from 'fast-check';
import { deadUrl } from '../support/webhook-stage.ts';

/**
 * A value of an input, as data that prints and shrinks well: what is long, deep, only known at run time, or no JSON at all
 * has a word of its own, and objects are lists of pairs, so that a name may come twice or be `__proto__`.
 */
export type Value =
  | null
  | boolean
  | number
  | string
  | readonly Value[]
  | { readonly $object: readonly (readonly [string, Value])[] }
  | { readonly $raw: string }
  | { readonly $repeat: readonly [text: string, times: number] }
  | { readonly $deep: readonly [opening: string, closing: string, times: number] }
  | { readonly $known: string }
  | { readonly $enum: string };

/** Values that are known only once the server runs: ids, names and cursors of the caller and of another user. */
export type World = Readonly<Record<string, string>>;

/** A string out of a value; null for what is none. */
export function textOf(value: Value, world: World): string | null {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  if ('$repeat' in value) return value.$repeat[0].repeat(value.$repeat[1]);
  if ('$known' in value) return world[value.$known] ?? '';
  return null;
}

/** The value as JSON, or as a literal of GraphQL, which has names without quotes. */
export function print(value: Value, world: World, language: 'json' | 'graphql'): string {
  const text = textOf(value, world);
  if (text !== null) return JSON.stringify(text);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if ('$raw' in value) return value.$raw;
  if ('$enum' in value) return language === 'json' ? JSON.stringify(value.$enum) : value.$enum;
  if ('$deep' in value) return `${value.$deep[0].repeat(value.$deep[2])}0${value.$deep[1].repeat(value.$deep[2])}`;
  if ('$object' in value) {
    const name = (key: string) => (language === 'json' ? JSON.stringify(key) : key);
    return `{${value.$object.map(([key, each]) => `${name(key)}:${print(each, world, language)}`).join(',')}}`;
  }
  return `[${(value as readonly Value[]).map((each) => print(each, world, language)).join(',')}]`;
}

const uuids = [
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '12345678-1234-4234-8234-123456789abc',
  '12345678-1234-4234-8234-123456789ab',
  '{12345678-1234-4234-8234-123456789abc}',
  '123456781234423482341234567890ab',
  'urn:uuid:12345678-1234-4234-8234-123456789abc',
  '12345678-1234-4234-8234-123456789abg',
];

const nastyTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'a\udfffb\ud800',
  '\ufeffx',
  '\u202eabc',
  '\u2028\u2029',
  'x\n',
  '\r\nX-Injected: yes',
  "'; DROP TABLE clipboard_entries; --",
  "' OR '1'='1",
  '\\',
  '"',
  '$1',
  '%s%n',
  '%00',
  '%',
  '../../../etc/passwd',
  '..',
  '/',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'true',
  'NaN',
  'Infinity',
  '-0',
  '0',
  '1',
  '01',
  '+1',
  '1e3',
  '0x10',
  '1.0',
  '-1',
  '2147483647',
  '2147483648',
  '9007199254740993',
  '99999999999999999999',
  '１２',
  '[]',
  '{}',
  '<script>alert(1)</script>',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: that is the attack
  '${7*7}',
  '{{7*7}}',
  '👩‍👩‍👧‍👦',
  'e\u0301',
  'ﬁ',
  'İ',
  'K',
  '2026-02-30T00:00:00Z',
  '2026-02-28T24:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  '0000-01-01T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
  '2030-01-01T00:00:00.000Z',
  '2030-01-01T00:00:00+14:00',
  '2030-01-01',
  'a@b.c',
  'a@b@c.d',
  'not base64!',
  'YQ==',
  'YQ',
  'abc',
  'ff',
  'text/html\r\nSet-Cookie: a=b',
  ...uuids,
];

/** Lengths about which something changes. */
const lengths = [29, 30, 31, 100, 101, 254, 255, 256, 512, 513, 1000, 1001, 4096, 65_536];
const valueBytesMax = 2_097_152;

/** Any UTF-16, lone surrogates too. */
const anyUtf16 = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0xd800, max: 0xdfff })), { maxLength: 12 })
  .map((units) => String.fromCharCode(...units));

export const nastyText: fc.Arbitrary<Value> = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...nastyTexts) },
  { weight: 4, arbitrary: fc.string({ maxLength: 20 }) },
  { weight: 3, arbitrary: anyUtf16 },
  {
    weight: 2,
    arbitrary: fc.record({
      $repeat: fc.tuple(fc.constantFrom('a', 'é', '€', '😀', '\u0001'), fc.constantFrom(...lengths)),
    }),
  },
);

/** About the limit of 2 MB in bytes of UTF-8, and far over it. Costs both sides milliseconds: give it little weight. */
export const hugeText: fc.Arbitrary<Value> = fc
  .tuple(fc.constantFrom('a', 'é', '€', '😀', '\u0001', '\ud800'), fc.constantFrom(-1, 0, 1, 2_000_000))
  .map(([text, over]) => ({ $repeat: [text, Math.floor(valueBytesMax / Buffer.byteLength(text)) + over] }));

const numbers = [
  0, -0, 1, -1, 2, 0.5, 1.5, 100, 101, 255, 256, 1000, 1001, 86_400, 2_592_000, 2_592_001, 2_147_483_647, 2_147_483_648,
  -2_147_483_648, -2_147_483_649, 4_294_967_296, 9_007_199_254_740_991, 9_007_199_254_740_992, 1e21, 1e308, 5e-324,
];

export const nastyNumber: fc.Arbitrary<Value> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<Value>(...numbers) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Value>({ $raw: '1e400' }, { $raw: '-1e400' }, { $raw: '1.0' }, { $raw: '1E2' }),
  },
  { weight: 1, arbitrary: fc.integer() },
  { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
);

const nastyName = fc.constantFrom(
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  '',
  'a',
  'uuid',
  'source',
  'idx',
  'isAdmin',
  'profileUuid',
  'createdAt',
  'expiresAt',
  'sizeBytes',
  '$where',
  'a.b',
  'length',
);

/** Any JSON: what a client may put where something else is expected. */
export const anyValue: fc.Arbitrary<Value> = fc.letrec<{ any: Value; list: Value; object: Value }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    { weight: 4, arbitrary: fc.constantFrom<Value>(null, true, false) },
    { weight: 4, arbitrary: nastyNumber },
    { weight: 5, arbitrary: nastyText },
    { weight: 2, arbitrary: tie('list') },
    { weight: 3, arbitrary: tie('object') },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.boolean(), fc.constantFrom(5, 64, 1000, 20_000))
        .map(([isList, times]): Value => ({ $deep: isList ? ['[', ']', times] : ['{"a":', '}', times] })),
    },
  ),
  list: fc.array(tie('any'), { maxLength: 4 }) as fc.Arbitrary<Value>,
  object: fc.array(fc.tuple(nastyName, tie('any')), { maxLength: 4 }).map(($object) => ({ $object })),
})).any;

/** Fields that no input has: they are ignored, never honoured. */
export const extraField: fc.Arbitrary<readonly [string, Value]> = fc.tuple(
  nastyName,
  fc.oneof(anyValue, known('entryUuid', 'otherProfileUuid', 'otherUserUuid', 'otherNotificationUuid')),
);

function known(...names: string[]): fc.Arbitrary<Value> {
  return fc.constantFrom(...names).map(($known) => ({ $known }));
}

const uuidNames = [
  'entry',
  'notification',
  'profile',
  'project',
  'apiKey',
  'user',
  'webhook',
  'delivery',
  'server',
  'collection',
  'otherEntry',
  'otherNotification',
  'otherProfile',
  'otherApiKey',
  'otherWebhook',
  'otherDelivery',
  'otherServer',
  'otherCollection',
].map((name) => `${name}Uuid`);

/** A host without a listener, and one that requests may not reach. */
const urls = [
  deadUrl,
  'http://127.0.0.1:65531/?a=b',
  'https://hooks.example.invalid/in',
  'http://169.254.169.254/latest/meta-data/',
  'https://user:password@hooks.example.com/',
  'https://[::1]/',
  'file:///etc/passwd',
  'http://0x7f000001:65531/',
  'https://hooks.example.com/%0d%0aX: y',
];
const eventNames = ['document.deleted', 'server.installed', 'agent.killed', 'notification.created'];

/** What fits a field by its name, for those whose type says only that it is text. */
export function fittingText(name: string): fc.Arbitrary<Value> | null {
  if (/^webhook_?(uuid|id)$/i.test(name))
    return fc.oneof(
      { weight: 4, arbitrary: known('webhookUuid') },
      known('otherWebhookUuid'),
      fc.constantFrom(...uuids),
    );
  if (/^server_?uuids?$/i.test(name))
    return fc.oneof({ weight: 4, arbitrary: known('serverUuid') }, known('otherServerUuid'), fc.constantFrom(...uuids));
  if (name === 'transport') return fc.constantFrom('stdio', 'http', 'sse', 'STDIO');
  if (name === 'command') return fc.constantFrom('npx', '; rm -rf /', '$(id)');
  if (name === 'action') return fc.constantFrom('tool_call', 'prompt_get', 'resource_read', 'explode');
  if (name === 'delivery_id') return fc.oneof(known('deliveryUuid', 'otherDeliveryUuid'), fc.constantFrom(...uuids));
  if (name === 'url' || /^avatar_?url$/i.test(name)) return fc.constantFrom(...urls);
  if (name === 'events') return fc.constantFrom(...eventNames);
  if (name === 'event') return fc.constantFrom('test.ping', ...eventNames);
  if (name === 'since') return fc.constantFrom('2020-01-01T00:00:00.000Z', '2026-06-30T12:00:00+02:00');
  if (name === 'secret') return fc.constantFrom('a-secret-of-the-owner', 'short', 'x'.repeat(256), 'x'.repeat(257));
  if (/uuid$/i.test(name)) return fc.oneof(known(...uuidNames), fc.constantFrom(...uuids));
  if (name === 'after') return fc.oneof(known('cursor', 'notificationCursor', 'profileCursor', 'otherCursor'), cursor);
  if (/^(id|ids|sinceId)$/.test(name)) return fc.oneof(known(...globalIdNames, ...notificationUuids), globalId);
  if (name === 'email')
    return fc.oneof(known('email', 'otherEmail'), fc.constantFrom('new@example.com', 'ä@exämple.com'));
  if (name === 'username') return known('username', 'otherUsername');
  if (/password/i.test(name))
    return fc.oneof(known('password'), fc.constantFrom('another staple of mine', 'short', 'password1'));
  if (name === 'expiresAt') return fc.constantFrom('2030-01-01T00:00:00.000Z', '2030-06-30T12:00:00+02:00');
  if (name === 'contentType') return fc.constantFrom('text/plain', 'application/json', 'image/png');
  if (name === 'name') return fc.oneof(known('entryName'), fc.stringMatching(/^[A-Za-z0-9_-]{1,12}$/));
  return null;
}

/** Their paths call it `id`, and so does a subscription, which takes global ones too. */
const notificationUuids = ['notificationUuid', 'otherNotificationUuid'];
const globalIdNames = [
  'entryId',
  'notificationId',
  'profileId',
  'projectId',
  'apiKeyId',
  'userId',
  'webhookId',
  'deliveryId',
  'serverId',
  'otherServerId',
  'collectionId',
  'otherCollectionId',
  'otherEntryId',
  'otherNotificationId',
  'otherProfileId',
  'otherWebhookId',
];
const typeNames = [
  'ClipboardEntry',
  'Collection',
  'Notification',
  'Profile',
  'Project',
  'ApiKey',
  'User',
  'UserProfile',
  'Webhook',
  'WebhookDelivery',
  'Viewer',
  'Query',
  '__Schema',
  'Nothing',
  '',
];

const base64 = (text: string, encoding: 'base64' | 'base64url' = 'base64') => Buffer.from(text).toString(encoding);

/** Made like ours and made up: another type's, no uuid in it, no colon, not base64, SQL inside. */
const globalId: fc.Arbitrary<Value> = fc.oneof(
  fc
    .tuple(fc.constantFrom(...typeNames), fc.oneof(fc.constantFrom(...nastyTexts), fc.uuid()))
    .map(([type, rest]) => base64(`${type}:${rest}`)),
  fc.constantFrom(...nastyTexts).map((text) => base64(text)),
  fc.constantFrom(...nastyTexts),
);

const cursor: fc.Arbitrary<Value> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('s', 'n', 'x', '', '__proto__'),
      fc.constantFrom(
        '0',
        '1',
        '-1',
        '999999999999999',
        '9999999999999999',
        '8640000000000001',
        'NaN',
        '1 OR 1=1',
        '\0',
      ),
      fc.constantFrom('', ':', ...uuids.map((uuid) => `:${uuid}`), `:${uuids[0]}:x`),
    )
    .map(([kind, first, rest]) => base64(`${kind}:${first}${rest}`, 'base64url')),
  fc.constantFrom(...nastyTexts).map((text) => base64(text, 'base64url')),
  fc.constantFrom(...nastyTexts),
);
