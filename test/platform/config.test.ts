import { describe, expect, it } from 'vitest';
import { ConfigError, printEnvExample, printReadmeTable, readConfig } from '../../src/platform/config.ts';
import { verifies } from '../requirements.ts';

const key = (byte: number) =>
  Buffer.from(Array.from({ length: 32 }, (_, index) => (index * 7 + byte) % 256)).toString('base64');
const strong = {
  NODE_ENV: 'production',
  APP_URL: 'https://patchbay.example.com',
  CRON_SECRET: '2Jv9qXw7Lr4Tz8Nk1Bf6Hd3Gs5Yc0PmaZ',
  ENCRYPTION_KEYS: `k1:${key(1)}`,
};

/** The mistakes of an environment; an environment without any fails the test. */
function mistakesOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes;
    throw error;
  }
  throw new Error('the environment was accepted');
}

const namesOf = (environment: Record<string, string>) =>
  mistakesOf(environment).map((mistake) => mistake.split(':')[0]);

describe('the environment', () => {
  it('may be empty: development on port 3000, everything embedded', () => {
    expect(readConfig({})).toMatchObject({
      NODE_ENV: 'development',
      PORT: 3000,
      DATA_DIR: './data',
      TRUST_PROXY: 0,
      APP_URL: 'http://localhost:3000',
    });
  });

  it('counts an empty value as left out, as a line of .env without a value is', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '', APP_URL: '', NODE_ENV: '', CRON_SECRET: '' })).toEqual(
      readConfig({}),
    );
  });

  it('ignores variables that are not ours', () => {
    expect(readConfig({ HOME: '/root', PORTS: 'x', __proto__: 'x' } as Record<string, string>)).toEqual(readConfig({}));
  });

  it('makes the address of the platform from the port, and takes no slash at its end', () => {
    expect(readConfig({ PORT: '4000' }).APP_URL).toBe('http://localhost:4000');
    expect(readConfig({ APP_URL: 'https://patchbay.example.com/' }).APP_URL).toBe('https://patchbay.example.com');
  });

  it.each([
    ['PORT', ['-1', '65536', '1.5', 'http', '3000x', '0x', 'NaN', 'Infinity']],
    ['TRUST_PROXY', ['-1', '11', 'true', '1.5']],
    ['NODE_ENV', ['prod', 'Production', 'staging']],
    ['LOG_LEVEL', ['verbose', 'INFO']],
    ['APP_URL', ['canary.example.com', 'ftp://patchbay.example.com', 'javascript:alert(1)', '//x']],
    ['DATABASE_URL', ['mysql://x', 'localhost:5432', 'http://x']],
    ['REDIS_URL', ['localhost:6379', 'http://x', 'redis']],
    [
      'EGRESS_ALLOW',
      [
        'localhost',
        'localhost:0',
        'localhost:65536',
        'localhost:4000,',
        'http://localhost:4000',
        'localhost:4000/x',
        'user@localhost:4000',
        '127.0.0.1',
        '10/8:80',
        '10.0.0.0/33',
        '10.0.0.0/8:',
        '10.0.0.0/8:99999',
        '::1:4000/129',
        '[::1]',
        'fd00::/8:443',
        '*:4000 localhost:1',
      ],
    ],
    [
      'ENCRYPTION_KEYS',
      [
        'x',
        `k1:${'A'.repeat(43)}`,
        `k1:${key(1)},`,
        `k 1:${key(1)}`,
        `:${key(1)}`,
        key(1),
        `k1:${key(1).slice(0, 40)}=`,
        `k1:${key(1)};k2:${key(2)}`,
        `k1:${key(1)},k1:${key(2)}`,
        `k1:${key(1)},k2:${key(2)},k1:${key(1)}`,
      ],
    ],
  ])(
    'with a wrong %s is refused by that name, and the value is not repeated',
    verifies('platform.config'),
    (name, values) => {
      for (const value of values) {
        const [mistake, ...others] = mistakesOf({ [name]: value });
        expect(mistake, value).toMatch(new RegExp(`^${name}: expected \\S`));
        expect(others, value).toEqual([]);
        if (value.length > 6) expect(mistake, value).not.toContain(value);
      }
    },
  );

  it('with several mistakes reports them all at once', verifies('platform.config'), () => {
    const wrong = {
      PORT: 'x',
      TRUST_PROXY: 'x',
      NODE_ENV: 'x',
      LOG_LEVEL: 'x',
      APP_URL: 'x',
      DATABASE_URL: 'x',
      REDIS_URL: 'x',
      ENCRYPTION_KEYS: 'x',
      EGRESS_ALLOW: 'x',
    };
    expect(namesOf(wrong).sort()).toEqual(Object.keys(wrong).sort());
  });

  it(
    'of production reports weak secrets together with mistakes of form',
    verifies('platform.config', 'platform.production'),
    () => {
      expect(namesOf({ ...strong, PORT: 'x', CRON_SECRET: 'short' }).sort()).toEqual(['CRON_SECRET', 'PORT']);
    },
  );

  it('takes hosts and ranges that requests may reach, and none if left out', () => {
    expect(readConfig({}).EGRESS_ALLOW).toEqual({ hosts: new Set(), ranges: [] });
    const { hosts, ranges } = readConfig({
      EGRESS_ALLOW: 'LOCALHOST:4000, [::1]:04001,127.1:80,10.0.0.0/8,192.168.1.0/24:9000,fd00::/8,[fe80::/10]:8080',
    }).EGRESS_ALLOW;
    expect([...hosts]).toEqual(['localhost:4000', '[::1]:4001', '127.0.0.1:80']);
    expect(ranges.map(({ cidr, port }) => `${cidr.join('/')} ${port}`)).toEqual([
      '10.0.0.0/8 undefined',
      '192.168.1.0/24 9000',
      'fd00::/8 undefined',
      'fe80::/10 8080',
    ]);
  });

  it('takes several encryption keys, the first for new secrets', () => {
    expect(readConfig({ ENCRYPTION_KEYS: `new:${key(1)},old:${key(2)}` }).ENCRYPTION_KEYS).toBe(
      `new:${key(1)},old:${key(2)}`,
    );
  });
});

describe('production (I15)', () => {
  it('starts with strong secrets', verifies('platform.production'), () => {
    expect(readConfig(strong)).toMatchObject(strong);
  });

  it.each([
    ['APP_URL', ['']],
    [
      'CRON_SECRET',
      [
        '',
        'x',
        'a'.repeat(64),
        'abcabcabcabcabcabcabcabcabcabcabcabc',
        'changeme-2Jv9qXw7Lr4Tz8Nk1Bf6Hd3Gs5',
        'development-2Jv9qXw7Lr4Tz8Nk1Bf6',
        strong.CRON_SECRET.slice(0, 31),
      ],
    ],
    [
      'ENCRYPTION_KEYS',
      [
        '',
        `k1:${Buffer.alloc(32).toString('base64')}`,
        `k1:${Buffer.alloc(32, 'ab').toString('base64')}`,
        `k1:${key(1)},k2:${Buffer.alloc(32, 1).toString('base64')}`,
      ],
    ],
  ])('refuses a missing or weak %s', verifies('platform.production'), (name, values) => {
    for (const value of values) expect(namesOf({ ...strong, [name]: value }), value).toEqual([name]);
  });

  it('refuses any EGRESS_ALLOW', verifies('platform.production'), () => {
    for (const EGRESS_ALLOW of ['localhost:4000', '10.0.0.0/8', '8.8.8.8:443'])
      expect(namesOf({ ...strong, EGRESS_ALLOW }), EGRESS_ALLOW).toEqual(['EGRESS_ALLOW']);
  });

  it('takes an APP_URL of http only on this machine', verifies('platform.production'), () => {
    for (const APP_URL of [
      'https://patchbay.example.com',
      'https://10.0.0.1:8443',
      'http://localhost:3000',
      'http://patchbay.localhost',
      'http://127.0.0.1',
      'http://127.8.9.1:80/',
      'http://[::1]:3000',
    ])
      expect(readConfig({ ...strong, APP_URL }).NODE_ENV, APP_URL).toBe('production');
    for (const APP_URL of [
      'http://patchbay.example.com',
      'http://10.0.0.1',
      'http://localhost.example.com',
      'http://127.0.0.1.example.com',
      'http://user@example.com/localhost',
      'HTTP://EXAMPLE.COM',
      'http://[2001:db8::1]',
    ])
      expect(namesOf({ ...strong, APP_URL }), APP_URL).toEqual(['APP_URL']);
    expect(readConfig({ APP_URL: 'http://10.0.0.1' }).APP_URL).toBe('http://10.0.0.1');
  });

  it('demands the sender of mail where there is a mail server', verifies('platform.production'), () => {
    const SMTP_URL = 'smtp://mail.example.com';
    expect(namesOf({ ...strong, SMTP_URL })).toEqual(['MAIL_FROM']);
    const MAIL_FROM = 'Patchbay <post@patchbay.example>';
    expect(readConfig({ ...strong, SMTP_URL, MAIL_FROM }).MAIL_FROM).toBe(MAIL_FROM);
    expect(readConfig({ SMTP_URL }).MAIL_FROM).toContain('localhost');
  });

  it('reports everything that is missing at once', verifies('platform.config', 'platform.production'), () => {
    expect(namesOf({ NODE_ENV: 'production' }).sort()).toEqual(['APP_URL', 'CRON_SECRET', 'ENCRYPTION_KEYS']);
  });

  it.each([
    ['RATE_LIMITS', '{"*":"off"}'],
    ['DATABASE_URL', ''],
    ['REDIS_URL', ''],
    ['TRUST_PROXY', '1'],
  ])('leaves %s to the operator, also as %j', verifies('platform.production'), (name, value) => {
    expect(readConfig({ ...strong, [name]: value }).NODE_ENV).toBe('production');
  });

  it('counts a secret of white space or of one repeated word as weak', verifies('platform.production'), () => {
    for (const weak of [' '.repeat(40), 'secretsecretsecretsecretsecretsecret', 'example-of-a-cron-key-0123456789ab'])
      expect(namesOf({ ...strong, CRON_SECRET: weak }), weak).toEqual(['CRON_SECRET']);
  });

  it('asks nothing of the kind elsewhere', () => {
    for (const NODE_ENV of ['development', 'test'])
      expect(readConfig({ NODE_ENV, CRON_SECRET: 'x' }).CRON_SECRET).toBe('x');
  });
});

describe('what is made from the model', () => {
  const names = [...printReadmeTable().matchAll(/^\| `([A-Z_]+)` /gm)].map(([, name]) => name as string);

  it('names each variable of the model, in the table of the README and in .env.example alike', () => {
    expect(names).toEqual(
      expect.arrayContaining([
        'NODE_ENV',
        'PORT',
        'DATA_DIR',
        'DATABASE_URL',
        'REDIS_URL',
        'APP_URL',
        'TRUST_PROXY',
        'CRON_SECRET',
        'ENCRYPTION_KEYS',
        'EGRESS_ALLOW',
        'LOG_LEVEL',
      ]),
    );
    expect([...printEnvExample().matchAll(/^# ([A-Z_]+)=/gm)].map(([, name]) => name)).toEqual(names);
  });

  it('gives each a meaning in a sentence, and the default that counts', () => {
    for (const row of printReadmeTable().split('\n').slice(2)) expect(row).toMatch(/\S\.? \|$/);
    expect(printEnvExample()).toContain('# PORT=3000');
    expect(printEnvExample()).toContain('# DATA_DIR=./data');
  });

  it('changes nothing when it is copied as it is: all is commented out', () => {
    for (const line of printEnvExample().split('\n')) expect(line).toMatch(/^(#.*)?$/);
  });
});
