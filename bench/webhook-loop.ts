import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import { systemClock } from '../src/platform/clock.ts';
import { signable } from '../src/webhooks/signature.ts';

// What one would write by hand: a loop that sends signed calls to one receiver, and remembers nothing. It begins at a line on
// standard input that says how many.

const receiver = new URL(process.env.RECEIVER_URL as string);
const secret = process.env.WEBHOOK_SECRET as string;
const concurrency = 64;
const pool = new Pool(receiver.origin, { connections: concurrency });

async function send(count: number): Promise<void> {
  let sent = 0;
  const timestamp = systemClock.now().toISOString();
  const sendInTurn = async () => {
    while (sent < count) {
      sent += 1;
      const data = { document_id: randomUUID() };
      const event = { id: randomUUID(), event: 'document.deleted', timestamp, data };
      const { body, signature } = signable(event)(0, secret);
      const headers = { 'Content-Type': 'application/json', 'X-Service-Signature': signature };
      const answer = await pool.request({ path: receiver.pathname, method: 'POST', headers, body });
      if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`);
      await answer.body.dump();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, sendInTurn));
}

process.stdin.setEncoding('utf8').on('data', (text) => void send(Number(text)));
console.log('ready');
