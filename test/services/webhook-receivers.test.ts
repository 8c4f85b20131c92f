import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { signedBody } from '../support/signed-body.ts';
import { expectProper, folderWith, remove, startReceiver, stopReceiver } from '../webhooks/examples.ts';
import { eventOf, payloads, secretsToSignWith } from '../webhooks/payloads.ts';
import { pathOf } from './programs.ts';

const [secret] = secretsToSignWith as [string];

/** Each payload with each secret: what is sent. */
const deliveries = Object.entries(payloads).flatMap(([name, data]) =>
  secretsToSignWith.map((key) => ({ name, key, ...signedBody(eventOf(data, 1), key) })),
);

let folder: string;
beforeAll(async () => {
  folder = await folderWith('verify.sh');
});
afterAll(() => remove(folder));

async function run(program: string, args: readonly string[], input: string, environment: Record<string, string> = {}) {
  const child = spawn(program, args, { env: { PATH: process.env.PATH, ...environment } });
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  child.stdin.on('error', () => undefined).end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { stdout, stderr, code: await exit };
}

/** Python's own judgement in the three ways of docs/webhooks.md. */
const judge = `
import base64, hashlib, hmac, json, re, sys
def sign(key, data):
    return hmac.new(key.encode(), data, hashlib.sha256).hexdigest()
for line in sys.stdin:
    delivery = json.loads(line)
    key, body = delivery["key"], base64.b64decode(delivery["body"])
    parsed = json.loads(body)
    member = parsed.pop("signature")
    cut = re.sub(rb',"signature":"sha256=[0-9a-f]{64}"', b"", body, count=1)
    again = json.dumps(parsed, separators=(",", ":"), ensure_ascii=False).encode()
    print(json.dumps({
        "bytes": sign(key, body) == delivery["signature"],
        "cut": "sha256=" + sign(key, cut) == member,
        "again": "sha256=" + sign(key, again) == member,
    }))
`;

describe('Python (D12)', () => {
  it(
    'verifies every payload from the bytes and from the parsed body',
    verifies('webhooks.signature.header', 'webhooks.signature.body'),
    async () => {
      const lines = deliveries.map(({ key, body, signature }) =>
        JSON.stringify({ key, signature, body: Buffer.from(body).toString('base64') }),
      );
      const { stdout, stderr } = await run(pathOf('python3'), ['-c', judge], lines.join('\n'));
      expect(stderr).toBe('');
      const verdicts = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(verdicts).toHaveLength(deliveries.length);
      // 1e-7, which Python writes 1e-07.
      for (const [at, { name }] of deliveries.entries())
        expect(verdicts[at], name).toEqual({ bytes: true, cut: true, again: name !== 'numbers' });
    },
  );

  it('writes numbers again as they were, down to the documented 0.0001', async () => {
    const numbers = [0.0001, 0.00010000000000000002, 1e-4 * 3, 0.1 + 0.2, 2 ** 53 + 2, 1e15 + 0.3, 1.5e22, 2 ** 1023];
    const { body, signature } = signedBody(
      eventOf({ numbers: numbers.flatMap((number) => [number, -number]) }),
      secret,
    );
    const line = JSON.stringify({ key: secret, signature, body: Buffer.from(body).toString('base64') });
    const { stdout } = await run(pathOf('python3'), ['-c', judge], line);
    expect(JSON.parse(stdout)).toEqual({ bytes: true, cut: true, again: true });
  });

  it(
    'runs the receiver of docs/webhooks.md, which takes what is genuine, once, and nothing else',
    verifies('webhooks.signature.header'),
    async () => {
      const own = await folderWith('receiver.py');
      const receiver = await startReceiver(pathOf('python3'), [path.join(own, 'receiver.py')], {
        WEBHOOK_SECRET: secret,
      });
      try {
        await expectProper(receiver, secret);
      } finally {
        await stopReceiver(receiver);
        await remove(own);
      }
    },
  );
});

describe('OpenSSL (D12)', () => {
  it('computes the header of every payload', verifies('webhooks.signature.header'), async () => {
    for (const { name, key, body, signature } of deliveries) {
      const file = path.join(folder, 'body.json');
      await writeFile(file, body);
      const { stdout } = await run(pathOf('openssl'), ['dgst', '-sha256', '-hmac', key, '-r', file], '');
      expect(stdout.split(' ')[0], name).toBe(signature);
    }
  });

  it('verifies in the shell as docs/webhooks.md says', async () => {
    pathOf('openssl');
    const script = path.join(folder, 'verify.sh');
    for (const { name, key, body, signature } of deliveries) {
      const genuine = await run('sh', [script, signature], body, { WEBHOOK_SECRET: key });
      expect(genuine, name).toEqual({ stdout: 'genuine\n', stderr: '', code: 0 });
    }
    const { body, signature } = signedBody(eventOf({}), secret);
    for (const [given, header] of [
      [`${body}\n`, signature],
      [body, signature.slice(1)],
      [body, ''],
    ] as const) {
      const refused = await run('sh', [script, header], given, { WEBHOOK_SECRET: secret });
      expect(refused).toEqual({ stdout: 'refused\n', stderr: '', code: 1 });
    }
  });
});
