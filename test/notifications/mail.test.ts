import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { openInfrastructure } from '../../src/main/infrastructure.ts';
import { createServices } from '../../src/main/services.ts';
import { readConfig } from '../../src/platform/config.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createMail } from '../../src/platform/mail/mail.ts';
import { verifies } from '../requirements.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/deadline.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { sessionOf } from '../support/people.ts';
import { callerOf, startTestServer, tenantOf } from '../support/server.ts';
import { signUp } from '../support/services.ts';
import { startSmtpServer } from '../support/smtp-server.ts';

const production = {
  NODE_ENV: 'production',
  APP_URL: 'https://patchbay.example',
  CRON_SECRET: 'k3V9xQ2mZ7tR4wY8pL1nB6cD5fG0hJsA',
  ENCRYPTION_KEYS: 'k1:AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=',
};

const url = await createTestDatabase();
const smtp = await startSmtpServer();
const clock = createManualClock();
const lines: string[] = [];
const log = createLogger('debug', { write: (line: string) => void lines.push(line) });
const config = readConfig({ ...production, SMTP_URL: smtp.url, MAIL_FROM: 'Patchbay <post@patchbay.example>' });
const infrastructure = await openInfrastructure({ config, url, log, clock, isWorker: true });
const { database, queue, mail } = infrastructure;
const services = createServices(infrastructure);
await queue.work('mail', mail.worker.handle);
afterAll(() => infrastructure.close());

const send = async (input: object) => {
  const user = await signUp(services, `u${randomUUID().slice(0, 8)}`);
  const { email } = await services.auth.accounts.current(user);
  const made = await services.notifications.create(user, { message: 'm', sendEmail: true, ...input });
  queue.wake('mail');
  return { email, ...made };
};
const delivered = (email: string) => smtp.delivered.filter(({ to }) => to.includes(email));
const jobOf = async (email: string) => {
  const [job] = await database.query<{ state: string; retry_count: number }>({
    text: "SELECT state::text, retry_count FROM pgboss.job WHERE name = 'mail' AND data->>'to' = $1",
    values: [email],
  });
  return job;
};
/** The pause before the next attempt is over. */
const retryNow = async (email: string) => {
  await eventually('it waits for another attempt', async () => (await jobOf(email))?.state === 'retry');
  await database.query({
    text: "UPDATE pgboss.job SET start_after = now() WHERE name = 'mail' AND data->>'to' = $1",
    values: [email],
  });
  queue.wake('mail');
};

describe('an email by SMTP', () => {
  it(
    'reaches the user as plain text, with the address of the platform',
    verifies('notifications.email', 'notifications.mail.delivery'),
    async () => {
      const { email, emailSent } = await send({ title: 'Grüße', message: 'It is <b>done</b>.\n.\nNext' });
      expect(emailSent).toBe(true);
      const [message] = await eventually('it arrives', () => (delivered(email).length > 0 ? delivered(email) : null));
      expect(message).toMatchObject({ from: 'post@patchbay.example', to: [email] });
      const { text = '' } = message ?? {};
      expect(text).toContain('Content-Type: text/plain; charset=utf-8');
      expect(text).toContain('From: Patchbay <post@patchbay.example>');
      expect(text).toMatch(/^Message-ID: <[0-9a-f-]{36}@patchbay\.example>/m);
      expect(text).toContain('Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=');
      expect(text).toContain(`Date: ${clock.now().toUTCString().replace('GMT', '+0000')}`);
      expect(text.split('\r\n\r\n').slice(1).join('\r\n\r\n')).toContain(
        'It is <b>done</b>.\r\n.\r\nNext\r\n\r\n-- \r\nhttps://patchbay.example',
      );
      expect(text).not.toContain('text/html');
    },
  );

  it('goes to one address, whatever stands in it', async () => {
    const second = `second-${randomUUID()}@example.com`;
    const texts = [`first@example.com, ${second}`, `"${second}" <first@example.com>`, `first@example.com <${second}>`];
    await database.transaction(async (tx) => {
      for (const to of texts) await mail.post(tx, { to, subject: 's', text: 't' });
    });
    queue.wake('mail');
    await eventually('each is dealt with', async () =>
      (await Promise.all(texts.map(jobOf))).every(
        ({ state } = { state: '', retry_count: 0 }) => state !== 'created' && state !== 'active',
      ),
    );
    expect([...smtp.asked, ...smtp.delivered.flatMap(({ to }) => to)]).not.toContain(second);
  });

  it(
    'is tried again after a temporary failure, and then delivered once',
    verifies('notifications.mail.delivery'),
    async () => {
      smtp.replyToRecipient = () => ({ code: 451, text: 'Greylisted, come back' });
      const { email } = await send({});
      await retryNow(email);
      await eventually('it was tried twice', () => smtp.asked.filter((address) => address === email).length === 2);
      smtp.replyToRecipient = () => null;
      await retryNow(email);
      await eventually('it arrives', () => delivered(email).length === 1);
      await eventually('it is done', async () => (await jobOf(email))?.state === 'completed');
      expect(smtp.asked.filter((address) => address === email)).toHaveLength(3);
    },
  );

  it.each([
    ['its recipient', 'replyToRecipient'],
    ['it', 'replyToEmail'],
  ] as const)(
    'is not tried again when the server refuses %s for good, and that is logged',
    verifies('notifications.mail.delivery'),
    async (_, who) => {
      smtp[who] = () => ({ code: 550, text: 'No such user here' });
      lines.length = 0;
      const { email, notification } = await send({});
      await eventually('it is dealt with', async () => (await jobOf(email))?.state === 'completed');
      smtp[who] = () => null;
      expect(await jobOf(email)).toMatchObject({ state: 'completed', retry_count: 0 });
      expect(delivered(email)).toEqual([]);
      const [line] = lines.filter((each) => each.includes('an email was permanently rejected'));
      expect(JSON.parse(String(line))).toMatchObject({ responseCode: 550 });
      expect(notification.message).toBe('m');
    },
  );

  it('waits while the server cannot be reached or rejects the login, and the log has no secret', async () => {
    const closed = smtp.url.replace(/:\d+$/, ':1');
    const wrong = smtp.url.replace('canary-smtp-password', 'canary-wrong-password');
    for (const SMTP_URL of [closed, wrong]) {
      const unlucky = createMail({ database, queue, clock, log, config: { ...config, SMTP_URL } });
      const message = {
        uuid: randomUUID(),
        to: 'a@example.com',
        subject: 's',
        text: 't',
        createdAt: '2026-01-01T00:00:00Z',
      };
      await expect(unlucky.worker.handle([message])).rejects.toThrow(/an email could not be sent: .*"code":"E/);
      unlucky.close();
    }
    expect(lines.join('')).not.toContain('canary');
    expect(lines.join('')).not.toContain('@example.com');
  });

  it(
    'is refused with a line break in its subject or address, by every sender (H11)',
    verifies('notifications.mail.injection'),
    async () => {
      const message = { to: 'a@example.com', subject: 's', text: 't' };
      for (const wrong of [
        { subject: 'a\r\nBcc: b@example.com' },
        { subject: 'a\nb' },
        { to: 'a@example.com\r\nRCPT TO:<b@example.com>' },
      ])
        await expect(mail.post(database, { ...message, ...wrong })).rejects.toThrow('line break');
      const { email } = await send({
        title: 'Bcc: b@example.com, c@example.com',
        message: 'Bcc: d@example.com\r\n\r\nBcc: e@example.com',
      });
      const [sent] = await eventually('it arrives', () => (delivered(email).length > 0 ? delivered(email) : null));
      expect(sent?.to).toEqual([email]);
      expect(sent?.text.split('\r\n\r\n')[0]).not.toMatch(/^Bcc:/m);
    },
  );

  it('has only its one recipient, whatever characters the address contains', async () => {
    const message = { uuid: randomUUID(), subject: 's', text: 't', createdAt: clock.now().toISOString() };
    const to = '"a,b@example.com, c"@example.com';
    await mail.worker.handle([{ ...message, to }]).catch(() => undefined);
    for (const { to: recipients } of smtp.delivered.slice(-1)) expect(recipients).toHaveLength(1);
    expect(smtp.asked).not.toContain('b@example.com');
  });
});

describe('without a mail server', () => {
  it('in production no email is sent, and emailSent is false', verifies('notifications.email'), async () => {
    const none = createMail({ database, queue, clock, log, config: readConfig(production) });
    expect([none.isOn, none.isLocal]).toEqual([false, false]);
    const silent = createServices({ ...infrastructure, mail: none });
    const { emailSent } = await silent.notifications.create(await signUp(silent, 'silent'), {
      message: 'm',
      sendEmail: true,
    });
    expect(emailSent).toBe(false);
    expect(await jobOf('silent@example.com')).toBeUndefined();
  });

  it('keeps the newest 500 emails, each once', async () => {
    const local = createMail({ database, queue, clock, log, config: readConfig({ NODE_ENV: 'development' }) });
    const messages = Array.from({ length: 503 }, (_, i) => ({
      uuid: randomUUID(),
      to: 'many@example.com',
      subject: String(i),
      text: 't',
      createdAt: new Date(clock.now().getTime() + i).toISOString(),
    }));
    await local.worker.handle(messages);
    await local.worker.handle(messages.slice(-3));
    const kept = await local.kept('many@example.com');
    expect(kept).toHaveLength(500);
    expect([kept.at(0)?.subject, kept.at(-1)?.subject]).toEqual(['502', '3']);
  });
});

describe('GET /dev/mail', () => {
  it(
    'shows a signed-in user their own emails, escaped, and other callers nothing',
    verifies('notifications.mail.local', 'notifications.text'),
    async () => {
      const server = await startTestServer({ WORKERS: 'web' });
      const [own, other] = [await sessionOf(server), await sessionOf(server)];
      const post = (call: typeof own.call, message: string) =>
        call('POST', '/api/notifications', {
          title: `<i>${message}</i>`,
          message: `<script>alert("${message}")</script>`,
          send_email: true,
        });
      expect((await post(own.call, 'mine')).body.emailSent).toBe(true);
      await post(other.call, 'theirs');
      const read = async (call: typeof own.call) => (await call('GET', '/dev/mail')).text;
      const page = await eventually('it is kept', async () => {
        const text = await read(own.call);
        return text.includes('mine') && (await read(other.call)).includes('theirs') && text;
      });
      expect(page).toContain('&lt;script&gt;alert(&quot;mine&quot;)&lt;/script&gt;');
      expect(page).toContain('<h2>&lt;i&gt;mine&lt;/i&gt;</h2>');
      expect(page).not.toContain('<script');
      expect(page).not.toContain('theirs');
      const { headers } = await own.call('GET', '/dev/mail');
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /);
      expect(headers.get('cache-control')).toBe('no-store');
      const nobody = callerOf(server, null);
      const { call: key } = await tenantOf(server, { scopes: ['read', 'write', 'admin'] });
      for (const call of [nobody, key]) {
        const { status, body } = await call('GET', '/dev/mail');
        expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED']);
      }
      expect((await own.call('POST', '/dev/mail')).status).toBe(405);
    },
  );

  it(
    'is nothing where there is a mail server, and nothing in production',
    verifies('notifications.mail.local'),
    async () => {
      for (const environment of [{ SMTP_URL: smtp.url }, production]) {
        const server = await startTestServer(environment);
        const { status, body } = await (await sessionOf(server)).call('GET', '/dev/mail');
        expect([status, body.error.code]).toEqual([404, 'NOT_FOUND']);
        await server.stop();
      }
    },
  );
});
