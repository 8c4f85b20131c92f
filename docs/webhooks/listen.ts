import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { verifyWebhook } from 'patchbay/verify-webhook';

/**
 * `npm run webhooks:listen`: receives deliveries on this machine and shows them. Answers 401 where the signature does not
 * match, and otherwise what `--status` says. See docs/webhooks.md.
 */
const usage = `npm run webhooks:listen -- --secret whsec_…

  --secret    of the webhook; left out: WEBHOOK_SECRET of the environment
  --previous  the secret before a rotation
  --port      4000 (0 for any free one)
  --status    what genuine deliveries are answered, 200 to 599: 200
  --delay     milliseconds before the answer, 0 to 600000: 0; the platform gives up after 5000
`;

interface Options {
  readonly secret: string;
  readonly previous: string | undefined;
  readonly port: number;
  readonly status: number;
  readonly delay: number;
}

const bodyBytesMax = 2 * 2 ** 20;
const shownCharactersMax = 4_000;
const rememberedIdsMax = 10_000;
const requestMs = 10_000;

/** Genuine deliveries by their id, and how often each came; the oldest go first. */
const seen = new Map<string, number>();

function optionsOf(given: string[]): Options {
  const names = ['secret', 'previous', 'port', 'status', 'delay'] as const;
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  const values: Partial<Record<string, string | boolean>> = parseArgs({ args: given, options }).values;
  const integer = (name: string, fallback: number, min: number, max: number): number => {
    const number = /^\d{1,6}$/.test(String(values[name] ?? fallback)) ? Number(values[name] ?? fallback) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new RangeError(`--${name} must be a whole number from ${min} to ${max}`);
  };
  const secret = String(values.secret ?? process.env.WEBHOOK_SECRET ?? '');
  if (secret === '') throw new RangeError('--secret is missing');
  return {
    secret,
    previous: values.previous === undefined ? undefined : String(values.previous),
    port: integer('port', 4000, 0, 65_535),
    status: integer('status', 200, 200, 599),
    delay: integer('delay', 0, 0, 600_000),
  };
}

/** @returns undefined for a body over the limit. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Without this, leaving the loop would close the connection before the answer.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > bodyBytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Describes the secret that signed it; null when no known secret did. */
function verdictOf(request: IncomingMessage, body: Buffer, { secret, previous }: Options): string | null {
  const headers = [request.headers['x-service-signature'], request.headers['x-service-signature-previous']];
  if (verifyWebhook(secret, body, headers)) return 'verified';
  if (previous !== undefined && verifyWebhook(previous, body, headers)) return 'verified with --previous';
  return null;
}

function timesSeen(id: string): number {
  const times = (seen.get(id) ?? 0) + 1;
  seen.set(id, times);
  const [oldest] = seen.keys();
  if (seen.size > rememberedIdsMax && oldest !== undefined) seen.delete(oldest);
  return times;
}

/** The members of a delivery; undefined if it is not a JSON object. */
function membersOf(body: Buffer): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(body.toString());
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : undefined;
  } catch {
    return undefined;
  }
}

/** Makes text safe for a terminal: a sender must not move the cursor, clear the screen, or change the direction of writing. */
const harmless = (text: string): string =>
  text.replace(
    /(?!\n)[\p{Cc}\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

function shown(value: unknown, charactersMax = 100): string {
  const text = typeof value === 'string' ? value.replaceAll('\n', ' ') : (JSON.stringify(value, null, 2) ?? '-');
  const rest = text.length - charactersMax;
  return harmless(rest > 0 ? `${text.slice(0, charactersMax)} … ${rest} characters more` : text);
}

function print(...parts: string[]): void {
  process.stdout.write(`${new Date().toISOString()}  ${parts.join('  ')}\n`);
}

async function receive(request: IncomingMessage, response: ServerResponse, options: Options): Promise<void> {
  const answer = (status: number, text: string) => {
    // What is left of a body that was not read ends with the connection.
    if (!request.complete) response.setHeader('Connection', 'close');
    response.writeHead(status, { 'Content-Type': 'text/plain' }).end(`${text}\n`);
  };
  if (request.method !== 'POST') return answer(405, 'Deliveries are posted');
  const body = await bodyOf(request);
  if (body === undefined) {
    print(`too long: over ${bodyBytesMax} bytes`);
    return answer(413, 'Too long');
  }
  const verdict = verdictOf(request, body, options);
  const members = membersOf(body);
  const { event, id, retry_count: retryCount, data } = members ?? {};
  const line = [shown(event), shown(id), `retry ${shown(retryCount)}`];
  if (verdict === null) {
    print(...line, 'NOT VERIFIED: answered 401', `\n${shown(members ? data : body.toString(), shownCharactersMax)}`);
    return answer(401, 'The signature does not match');
  }
  const times = typeof id === 'string' ? timesSeen(id) : 1;
  const again = times > 1 ? `duplicate: came ${times} times` : 'new';
  print(...line, verdict, again, `answered ${options.status}`, `\n${shown(data, shownCharactersMax)}`);
  await delay(options.delay);
  answer(options.status, 'Received');
}

function listen(options: Options): void {
  const server = createServer({ requestTimeout: requestMs, headersTimeout: requestMs }, (request, response) => {
    receive(request, response, options).catch((error: unknown) => {
      print(`broken off: ${harmless(String(error))}`);
      response.destroy();
    });
  });
  server.on('error', (error: NodeJS.ErrnoException) => {
    process.stderr.write(`Port ${options.port} cannot be used: ${error.code}. Choose another with --port.\n`);
    process.exitCode = 1;
  });
  server.listen(options.port, '127.0.0.1', () => {
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : options.port;
    process.stdout.write(`Listening on http://127.0.0.1:${port}; Ctrl-C ends it.\n`);
  });
}

try {
  listen(optionsOf(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n\n${usage}`);
  process.exitCode = 2;
}
