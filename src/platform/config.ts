import { z } from 'zod';
import { type Allowances, allowancesOf, noAllowances } from './egress/allowances.ts';
import { type LimitName, limitNames, limitOf, type RateOverrides } from './limits/rate-table.ts';
import { defaultsMistakes } from './settings/agent-json-settings.ts';
import { agentSettings } from './settings/agent-settings.ts';
import { chatSettings } from './settings/chat-settings.ts';
import { documentSettings } from './settings/document-settings.ts';

/** Keys for secrets at rest, as the setting and the file in DATA_DIR have them. */
export const encryptionKeyList = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,32}:[A-Za-z0-9+/]{43}=(,[A-Za-z0-9_-]{1,32}:[A-Za-z0-9+/]{43}=)*$/, {
    error: 'a comma list of id:key, each key 32 bytes in base64 (openssl rand -base64 32)',
  })
  // If two keys had one id, a reader of a secret could not know which one sealed it.
  .refine(hasDistinctIds, { error: 'a comma list of id:key in which no id stands twice' });

/**
 * The settings in one model: name, allowed values, default and purpose. `.env.example` and the table of the README are
 * generated from it.
 */
const settings = {
  NODE_ENV: z
    .enum(['development', 'test', 'production'], { error: 'development, test or production' })
    .default('development')
    .describe('`production` demands real secrets and makes no demo account.'),
  PORT: integer('a port from 0 to 65535 (0 for any free one)', 0, 65_535)
    .default(3000)
    .describe('The port that the server listens on.'),
  DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .describe('The folder of the embedded database, its log, the demo key and the encryption key.'),
  SAMPLE_DATA: z
    .enum(['on', 'off'], { error: 'on or off' })
    .default('on')
    .describe('Whether the first start fills the demo account with sample data of a month; never in production.'),
  DATABASE_URL: url(['postgres:', 'postgresql:'], 'a URL like postgres://user:password@host:5432/database')
    .optional()
    .describe('A PostgreSQL server, 15 or later. Left out: the embedded PostgreSQL 18.'),
  REDIS_URL: url(['redis:', 'rediss:'], 'a URL like redis://host:6379')
    .optional()
    .describe(
      'Holds rate limits and carries live events for several processes together. Left out: one process, in memory.',
    ),
  PROCESSES: integer('a number of processes from 1 to 64', 1, 64)
    .default(1)
    .describe(
      'Number of web processes on the port, one per core; more than one requires REDIS_URL. While Redis is unavailable, each process allows its share of a rate limit.',
    ),
  WORKERS: z
    .enum(['web', 'separate'], { error: 'web or separate' })
    .default('web')
    .describe(
      'Which processes deliver webhooks and email and run scheduled jobs: the web processes, or only `npm run worker`, of which any number can run.',
    ),
  WORKER_PORT: integer('a port from 0 to 65535 (0 for any free one)', 0, 65_535)
    .optional()
    .describe(
      'The port on which `npm run worker` serves /healthz, /readyz and /metrics. Left out: it serves none of them.',
    ),
  HANG_SECONDS: integer('a number of seconds from 2 to 3600', 2, 3_600)
    .default(30)
    .describe('Seconds after which a process with a blocked event loop is killed and replaced.'),
  SMTP_URL: url(['smtp:', 'smtps:'], 'a URL like smtp://user:password@host:587')
    .optional()
    .describe('The mail server. Left out: no email is sent; outside production it can be read at /dev/mail.'),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]{3,200}$/, { error: 'an address like Patchbay <patchbay@example.com>' })
    .default('Patchbay <patchbay@localhost>')
    .describe('The sender of email; required in production beside SMTP_URL.'),
  APP_URL: url(['http:', 'https:'], 'a URL like https://patchbay.example.com')
    .optional()
    .describe(
      'The address at which people reach the platform. Left out: http://localhost:PORT; required in production, where it is https or on this machine.',
    ),
  TRUST_PROXY: integer('a number of proxies from 0 to 10', 0, 10)
    .default(0)
    .describe(
      'Number of your proxies in front of the platform. That many entries of X-Forwarded-For are trusted; above 0, X-Forwarded-Proto is trusted too.',
    ),
  CRON_SECRET: z
    .string()
    .min(1)
    .optional()
    .describe('The bearer of maintenance calls; at least 32 characters in production.'),
  ENCRYPTION_KEYS: encryptionKeyList
    .optional()
    .describe(
      'Keys that encrypt secrets at rest: `id:key` with 32 bytes in base64, the first for new secrets, the others for existing ones. Left out: a key made at the first start, in DATA_DIR/encryption-key; required in production.',
    ),
  RATE_LIMITS: z
    .string()
    .optional()
    .transform((text, context): RateOverrides => {
      const overrides = overridesOf(text);
      if (overrides) return overrides;
      context.addIssue(expectedRateLimits);
      return z.NEVER;
    })
    .describe(
      `Changes rate limits: a JSON object from class to \`"60/1m"\` or \`"off"\`; \`{"*": "off"}\` is for all. The classes: ${limitNames.join(', ')}. Points are calls, and megabytes for bodies. The limits of agents refill continuously and can have a burst: \`"60/1m+10"\`.`,
    ),
  EGRESS_ALLOW: z
    .string()
    .optional()
    .transform((text, context): Allowances => {
      const allowances = text === undefined ? noAllowances : allowancesOf(text);
      if (allowances) return allowances;
      context.addIssue('a comma list of host:port, CIDR or CIDR:port ([CIDR]:port for IPv6)');
      return z.NEVER;
    })
    .describe(
      'Addresses that outgoing requests may reach although they are not public, for tests and development: a comma list of `host:port`, CIDR or `CIDR:port`. Rejected in production.',
    ),
  GITHUB_URL: url(['https:', 'http:'], 'a URL like https://github.com')
    .default('https://github.com')
    .describe('The GitHub instance where users link their accounts and whose repositories the registry accepts.'),
  GITHUB_API_URL: url(['https:', 'http:'], 'a URL like https://api.github.com')
    .default('https://api.github.com')
    .describe('The API through which repositories are looked up. A submission cannot change it.'),
  GITHUB_CLIENT_ID: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,100}$/, { error: 'the id of an OAuth app' })
    .optional()
    .describe(
      'The OAuth app at GitHub; its callback is APP_URL/api/registry/github/callback. Left out: accounts cannot be linked, and nothing can be submitted to the registry.',
    ),
  GITHUB_CLIENT_SECRET: z.string().min(1).optional().describe('The secret of that app.'),
  OAUTH_PROVIDERS: z
    .string()
    .optional()
    .transform((text, context): OauthProviders => {
      const providers = oauthProvidersOf(text);
      if (providers) return providers;
      context.addIssue(
        'a JSON object from name (1 to 32 of a-z, 0-9 and hyphens) to {"issuer", "clientId", "clientSecret", "scopes"}, the issuer an https URL',
      );
      return z.NEVER;
    })
    .describe(
      'Authorization servers for the general OAuth sessions: a JSON object from name to `{"issuer", "clientId", "clientSecret", "scopes"}`. The name is the `provider` of POST /api/mcp/oauth/session.',
    ),
  ORCHESTRATOR: z
    .enum(['kubernetes', 'local', 'off'], { error: 'kubernetes, local or off' })
    .optional()
    .describe(
      'The orchestrator of agents. Left out: kubernetes where KUBECONFIG or a service account is found, else local in development, else off. local runs built-in agents as processes of this machine, without isolation; it is refused in production.',
    ),
  AGENT_DOMAIN: z
    .string()
    .regex(/^[a-z0-9]([-a-z0-9.]{0,180}[a-z0-9])?$/, { error: 'a domain like agents.example.com' })
    .default('agents.localhost')
    .describe('The parent domain of agents: an agent is reached at `{name}.{AGENT_DOMAIN}`.'),
  AGENT_DRAIN_SECONDS: integer('a number of seconds from 0 to 300', 0, 300)
    .default(2)
    .describe('Seconds between the last request that an active agent gets and its termination, when it is deleted.'),
  AGENT_PLATFORM_URL: url(['http:', 'https:'], 'a URL like http://patchbay.patchbay.svc:3000')
    .optional()
    .describe('The address at which agents reach the platform. Left out: APP_URL.'),
  AGENT_TELEMETRY_DAYS: integer('a number of days from 1 to 3650', 1, 3_650)
    .default(30)
    .describe("Days that agents' heartbeats and metric reports are kept."),
  AGENT_SERIES_DAYS: integer('a number of days from 1 to 3650', 1, 3_650)
    .default(400)
    .describe("Days that agents' metrics by minute and hour are kept."),
  AGENT_USAGE_DAYS: integer('a number of days from 92 to 3650', 92, 3_650)
    .default(400)
    .describe('Days that intervals of agents’ use are kept. The total of an agent is kept with its record.'),
  NOTIFICATION_RETENTION_DAYS: integer('a number of days from 1 to 3650', 1, 3_650)
    .default(90)
    .describe('Days after which a read notification is removed. An unread one is kept twice as long.'),
  ...agentSettings,
  ...documentSettings,
  ...chatSettings,
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: 'trace, debug, info, warn, error, fatal or silent',
    })
    .optional()
    .describe('The lowest level that is logged. Left out: `warn` on a terminal, `info` elsewhere.'),
} as const;

const Environment = z.object(settings);

type Settings = z.output<typeof Environment>;

export type Config = Readonly<Omit<Settings, 'APP_URL'> & { APP_URL: string }>;

/** All mistakes of an environment at once. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  readonly mistakes: readonly string[];

  constructor(mistakes: readonly string[]) {
    super(`The environment is not right:\n${mistakes.map((mistake) => `  ${mistake}`).join('\n')}`);
    this.mistakes = mistakes;
  }
}

/**
 * Reads the environment. An empty value counts as left out.
 *
 * @throws {ConfigError} naming every wrong variable and the expected value; the values are not repeated, they may be
 * secrets.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(Object.keys(settings).map((name) => [name, environment[name] || undefined]));
  const result = Environment.safeParse(given);
  const mistakes = (result.error?.issues ?? []).map((issue) => `${issue.path.join('.')}: expected ${issue.message}`);
  if (Number(given.PROCESSES ?? 1) > 1 && !given.REDIS_URL)
    mistakes.push('REDIS_URL: required when PROCESSES is more than 1');
  if (given.GITHUB_CLIENT_ID && !given.GITHUB_CLIENT_SECRET)
    mistakes.push('GITHUB_CLIENT_SECRET: required beside GITHUB_CLIENT_ID');
  if (given.S3_BUCKET && !(given.S3_ACCESS_KEY_ID && given.S3_SECRET_ACCESS_KEY))
    mistakes.push('S3_ACCESS_KEY_ID: expected, with S3_SECRET_ACCESS_KEY, the access key for S3_BUCKET');
  if (Boolean(given.CHAT_BASE_URL) !== Boolean(given.CHAT_MODEL))
    mistakes.push('CHAT_MODEL: must be set together with CHAT_BASE_URL');
  if (result.success) mistakes.push(...defaultsMistakes(result.data));
  if (given.NODE_ENV === 'production') mistakes.push(...productionMistakes(given));
  if (!result.success || mistakes.length > 0) throw new ConfigError([...new Set(mistakes)]);
  const { data } = result;
  return { ...data, APP_URL: data.APP_URL?.replace(/\/$/, '') ?? `http://localhost:${data.PORT}` };
}

function productionMistakes(given: Record<string, string | undefined>): string[] {
  const { APP_URL, CRON_SECRET, ENCRYPTION_KEYS, EGRESS_ALLOW, SMTP_URL, MAIL_FROM } = given;
  const mistakes: string[] = [];
  if (!APP_URL) mistakes.push('APP_URL: expected the address of the platform in production');
  else if (URL.canParse(APP_URL) && !isHttpsOrLoopback(new URL(APP_URL)))
    mistakes.push(
      'APP_URL: expected https in production, or http on this machine, since the session cookie and keys go there',
    );
  if (!CRON_SECRET || CRON_SECRET.length < 32 || isWeak(CRON_SECRET))
    mistakes.push('CRON_SECRET: expected at least 32 random characters in production (openssl rand -base64 32)');
  const keys =
    ENCRYPTION_KEYS?.split(',').map((pair) => Buffer.from(pair.slice(pair.indexOf(':') + 1), 'base64')) ?? [];
  if (keys.length === 0 || keys.some((key) => new Set(key).size < 8))
    mistakes.push(
      'ENCRYPTION_KEYS: expected id:key with 32 random bytes in base64 in production (openssl rand -base64 32)',
    );
  // No mail server accepts an email from the default address, and the failure would stay unseen.
  if (SMTP_URL && !MAIL_FROM)
    mistakes.push('MAIL_FROM: expected the sender of mail where there is SMTP_URL in production');
  const providers = oauthProvidersOf(given.OAUTH_PROVIDERS) ?? {};
  if (Object.values(providers).some(({ issuer }) => !issuer.startsWith('https:')))
    mistakes.push('OAUTH_PROVIDERS: expected https issuers in production');
  if (given.ORCHESTRATOR === 'local')
    mistakes.push('ORCHESTRATOR: local must not be used in production, because it isolates nothing');
  if (EGRESS_ALLOW) mistakes.push('EGRESS_ALLOW: must not be set in production, where only public hosts are reached');
  return mistakes;
}

/** Over http, session cookies and keys can be read on the network. */
const isHttpsOrLoopback = ({ protocol, hostname }: URL) =>
  protocol !== 'http:' || /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);

/** Repeated characters and the words that stand in examples. */
const isWeak = (secret: string) =>
  new Set(secret).size < 10 || /change.?me|example|default|secret|password|development/i.test(secret);

/** `.env.example`: every variable with its meaning, commented out. */
export function printEnvExample(): string {
  const blocks = documented().map(({ name, meaning, fallback }) => `# ${meaning}\n# ${name}=${fallback}`);
  return `# Copy to .env and uncomment what you need. Made by \`npm run generate\` from src/platform/config.ts.\n\n${blocks.join('\n\n')}\n`;
}

/** The rows of the README's table of the environment. */
export function printReadmeTable(): string {
  const rows = documented().map(
    ({ name, meaning, fallback }) => `| \`${name}\` | ${fallback && `\`${fallback}\``} | ${meaning} |`,
  );
  return ['| Name | Default | Meaning |', '|---|---|---|', ...rows].join('\n');
}

function documented() {
  return Object.entries(settings).map(([name, schema]) => ({
    name,
    meaning: (schema as z.ZodType).description ?? '',
    fallback: fallbackOf(schema as z.ZodType),
  }));
}

/** The default as it would be written; empty where there is none. */
function fallbackOf(schema: z.ZodType): string {
  const fallback = schema.safeParse(undefined).data;
  return typeof fallback === 'string' || typeof fallback === 'number' ? String(fallback) : '';
}

function hasDistinctIds(encryptionKeys: string): boolean {
  const ids = encryptionKeys.split(',').map((pair) => pair.slice(0, pair.indexOf(':')));
  return new Set(ids).size === ids.length;
}

const expectedRateLimits = `a JSON object from class (${limitNames.join(', ')} or *) to "60/1m" (of agents also "60/1m+10") or "off"`;

function overridesOf(text: string | undefined): RateOverrides | undefined {
  if (text === undefined) return {};
  try {
    const overrides = z.partialRecord(z.enum([...limitNames, '*']), z.string()).parse(JSON.parse(text));
    const given = Object.entries(overrides) as [LimitName | '*', string][];
    return given.every(([name, limit]) => limitOf(limit, name) !== undefined) ? overrides : undefined;
  } catch {
    return undefined;
  }
}

const OauthProviderList = z.record(
  z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/),
  z.object({
    issuer: z.string().refine((text) => URL.canParse(text) && /^https?:/.test(text)),
    clientId: z.string().min(1).max(512),
    clientSecret: z.string().min(1).max(2_048).optional(),
    scopes: z.array(z.string().min(1).max(256)).max(100).optional(),
  }),
);

/** At most this many providers: each is a value of a label of the metrics. */
const oauthProvidersMax = 50;

export type OauthProviders = Readonly<z.output<typeof OauthProviderList>>;

function oauthProvidersOf(text: string | undefined): OauthProviders | undefined {
  if (text === undefined) return {};
  try {
    const providers = OauthProviderList.parse(JSON.parse(text));
    return Object.keys(providers).length <= oauthProvidersMax ? providers : undefined;
  } catch {
    return undefined;
  }
}

function integer(expected: string, min: number, max: number) {
  return z.coerce.number({ error: expected }).int(expected).min(min, expected).max(max, expected);
}

function url(protocols: readonly string[], expected: string) {
  return z
    .string()
    .refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), { error: expected });
}
