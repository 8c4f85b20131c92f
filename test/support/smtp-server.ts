import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { cleanUp } from './cleanup.ts';

/** An email as a mail server received it. */
export interface Delivered {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body, as they came. */
  readonly text: string;
}

export interface TestSmtpServer {
  readonly url: string;
  /** Accepted emails, the oldest first. */
  readonly delivered: Delivered[];
  /** All recipients of all attempts. */
  readonly asked: string[];
  /** The response to a recipient; null to accept the email. */
  replyToRecipient: (recipient: string) => { code: number; text: string } | null;
  /** The response to a complete email; null to accept it. */
  replyToEmail: () => { code: number; text: string } | null;
}

const password = 'canary-smtp-password';

/** A mail server that demands a sign-in. */
export async function startSmtpServer(): Promise<TestSmtpServer> {
  const smtpErrorOf = ({ code, text }: { code: number; text: string }) =>
    Object.assign(new Error(text), { responseCode: code });
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    logger: false,
    onAuth: ({ username, password: given }, _session, done) =>
      given === password ? done(null, { user: username }) : done(new Error('Invalid username or password')),
    onRcptTo({ address }, _session, done) {
      stage.asked.push(address);
      const reply = stage.replyToRecipient(address);
      done(reply && smtpErrorOf(reply));
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const reply = stage.replyToEmail();
        if (reply) return done(smtpErrorOf(reply));
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        stage.delivered.push({ from, to, text: Buffer.concat(chunks).toString() });
        done(null);
      });
    },
  });
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  cleanUp(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = listening.address() as AddressInfo;
  const stage: TestSmtpServer = {
    url: `smtp://patchbay:${password}@127.0.0.1:${port}`,
    delivered: [],
    asked: [],
    replyToRecipient: () => null,
    replyToEmail: () => null,
  };
  return stage;
}
