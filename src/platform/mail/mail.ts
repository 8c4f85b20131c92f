import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import type { Logger } from '../logger.ts';
import type { Queue, Worker } from '../messaging/queue.ts';

/** An email: plain text. */
export interface Email {
  readonly to: string;
  /** One line. */
  readonly subject: string;
  readonly text: string;
}

/** An email that was kept because there is no mail server. */
export interface KeptEmail extends Email {
  readonly uuid: string;
  readonly createdAt: Date;
}

/** Payload of a job. */
interface QueuedEmail extends Email {
  /** The same at every attempt. */
  readonly uuid: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

export interface Mail {
  /** Whether emails are sent or kept. False in production without SMTP_URL, where they could not be read. */
  readonly isOn: boolean;
  /** Whether emails are kept to be read at /dev/mail, because there is no mail server. */
  readonly isLocal: boolean;
  /**
   * Queues an email as part of a transaction: it is sent after the commit, at least once, and at once if the queue
   * `mail` is signalled. Every email ends with the address of the platform.
   */
  post(tx: Pick<Database, 'query'>, email: Email): Promise<void>;
  /** Sends or keeps queued emails. */
  readonly worker: Worker;
  /** The kept emails to one address, the newest first. */
  kept(address: string): Promise<KeptEmail[]>;
  close(): void;
}

/** Kept emails, all addresses together. */
const keptMax = 500;
const timeouts = { connectionTimeout: 5_000, greetingTimeout: 5_000, dnsTimeout: 5_000, socketTimeout: 10_000 };
/** In all, and less than the time after which the queue hands an email to another worker. */
const sendTimeoutMs = 20_000;

/** Loaded where it is used: it takes 20 MB of memory. */
async function openTransport(url: string) {
  const { createTransport } = await import('nodemailer');
  return createTransport({ url, pool: true, maxConnections: 2, maxRequeues: 0, ...timeouts });
}

/**
 * Emails to users: sent by the mail server of SMTP_URL; without one they are kept for a developer to read, and in
 * production there are none.
 */
export function createMail({
  database,
  queue,
  clock,
  log,
  config,
}: {
  database: Database;
  queue: Pick<Queue, 'send'>;
  clock: Clock;
  log: Logger;
  config: Pick<Config, 'NODE_ENV' | 'SMTP_URL' | 'MAIL_FROM' | 'APP_URL'>;
}): Mail {
  const { SMTP_URL, MAIL_FROM, APP_URL } = config;
  const transport = SMTP_URL ? openTransport(SMTP_URL) : null;
  const isLocal = !transport && config.NODE_ENV !== 'production';

  async function send(email: QueuedEmail): Promise<void> {
    const { uuid, to, subject, text, createdAt } = email;
    try {
      await (await transport)?.sendMail({
        from: MAIL_FROM,
        // Not a text that is parsed: whatever stands in an address, it is one address.
        to: { name: '', address: to },
        subject,
        text,
        date: new Date(createdAt),
        // The same at every attempt, so that a mailbox can detect a duplicate.
        messageId: `<${uuid}@${new URL(APP_URL).hostname}>`,
        signal: AbortSignal.timeout(sendTimeoutMs),
        disableFileAccess: true,
        disableUrlAccess: true,
      });
    } catch (error) {
      const facts = factsOf(error);
      if (!isForGood(facts)) throw new Error(`an email could not be sent: ${JSON.stringify(facts)}`);
      log.warn({ email: uuid, ...facts }, 'an email was permanently rejected');
    }
  }

  async function keep({ uuid, to, subject, text, createdAt }: QueuedEmail): Promise<void> {
    await database.query({
      name: 'mail_keep',
      text: `INSERT INTO local_mails (uuid, recipient, subject, text, created_at) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (uuid) DO NOTHING`,
      values: [uuid, to, subject, text, createdAt],
    });
    await database.query({
      name: 'mail_forget',
      text: 'DELETE FROM local_mails WHERE uuid IN (SELECT uuid FROM local_mails ORDER BY created_at DESC, uuid OFFSET $1)',
      values: [keptMax],
    });
  }

  return {
    isOn: transport !== null || isLocal,
    isLocal,
    async post(tx, { to, subject, text }) {
      // Also validated at the input; a line break that slips through would become a header of the email.
      if (hasLineBreak(to) || hasLineBreak(subject))
        throw new Error('an email has a line break in its address or subject');
      const posted: QueuedEmail = {
        uuid: randomUUID(),
        to,
        subject,
        text: `${text}\n\n-- \n${APP_URL}\n`,
        createdAt: clock.now().toISOString(),
      };
      await queue.send(tx, 'mail', [posted]);
    },
    worker: {
      name: 'mail',
      async handle(batch) {
        for (const email of batch as readonly QueuedEmail[]) await (transport ? send(email) : keep(email));
      },
    },
    async kept(address) {
      const rows = await database.query<{ uuid: string; subject: string; text: string; created_at: Date }>({
        name: 'mail_kept',
        text: 'SELECT uuid, subject, text, created_at FROM local_mails WHERE recipient = $1 ORDER BY created_at DESC, uuid',
        values: [address],
      });
      return rows.map(({ uuid, subject, text, created_at: createdAt }) => ({
        uuid,
        to: address,
        subject,
        text,
        createdAt,
      }));
    },
    close: () => void transport?.then((open) => open.close()),
  };
}

const hasLineBreak = (text: string) => /[\r\n]/.test(text);

/** The parts of an SMTP error that may be logged. A server's own words often repeat the address. */
interface SmtpFacts {
  readonly code: string | undefined;
  readonly command: string | undefined;
  readonly responseCode: number | undefined;
}

function factsOf(error: unknown): SmtpFacts {
  const { code, command, responseCode } = error as { code?: string; command?: string; responseCode?: number };
  return { code, command, responseCode };
}

/**
 * Whether another attempt would fail as well: the server has rejected (RFC 5321, 4.2.1) the recipient or the email. An
 * operator can correct errors about the platform, such as a wrong password or an unwanted sender.
 */
const isForGood = ({ command, responseCode = 0 }: SmtpFacts) =>
  (command === 'RCPT TO' || command === 'DATA') && responseCode >= 500 && responseCode < 600;
