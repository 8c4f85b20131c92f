import type { Config } from '../../platform/config.ts';
import type { EmbeddedPostgres } from '../../platform/embedded/embedded.ts';
import type { Logger } from '../../platform/logger.ts';
import { version } from '../version.ts';
import type { DemoFacts } from './process-messages.ts';
import { shownPath } from './shown-path.ts';

interface Facts {
  readonly config: Config;
  readonly port: number;
  readonly embedded: EmbeddedPostgres | null;
  readonly demo: DemoFacts | null;
  readonly isTerminal: boolean;
  readonly log: Logger;
  readonly milliseconds: number;
}

/** On a terminal, what a newcomer needs; elsewhere one log line, without any secret. */
export function printBanner({ config, port, embedded, demo, isTerminal, log, milliseconds }: Facts): void {
  const base = config.PORT === 0 ? `http://localhost:${port}` : config.APP_URL;
  if (!isTerminal) {
    log.info({ version, port, url: base, milliseconds: Math.round(milliseconds), keyFile: demo?.keyFile }, 'ready');
    return;
  }
  const database = embedded
    ? `PostgreSQL ${embedded.version}, embedded, in ${shownPath(embedded.location)}${embedded.adopted ? ' (was running already)' : ''}`
    : `PostgreSQL at ${new URL(config.DATABASE_URL as string).host}`;
  const lines = [
    '',
    `Patchbay ${version}, ready in ${(milliseconds / 1000).toFixed(1)} s`,
    '',
    `  Database       ${database}`,
    `  Redis          ${config.REDIS_URL ? `on, ${new URL(config.REDIS_URL).host}` : 'off'}`,
    `  Start here     ${base}/`,
    `  GraphQL        ${base}/graphql  (GraphiQL in a browser)`,
    `  REST           ${base}/api`,
    `  API reference  ${base}/docs/api`,
    `  Health         ${base}/healthz  ${base}/readyz`,
  ];
  if (demo) {
    const keyFile = shownPath(demo.keyFile);
    lines.push(`  Sample data    ${sampleDataText[demo.sampleData]}`);
    if (demo.secret) lines.push(`  API key        ${demo.secret}`);
    lines.push(`  ${demo.secret ? 'Saved in      ' : 'API key in    '} ${keyFile}`);
    lines.push(`  Password in    ${shownPath(demo.passwordFile)}  (of ${demo.username})`, '', 'Try it:', '');
    lines.push(`  curl -H "Authorization: Bearer $(cat '${keyFile}')" ${base}/api/clipboard`);
  }
  process.stdout.write(`${lines.join('\n')}\n\n`);
}

const sampleDataText: Record<DemoFacts['sampleData'], string> = {
  there: 'a month of it is there',
  'being made': 'a month of it is being made (SAMPLE_DATA=off for none)',
  none: 'none; npm run seed makes it',
};
