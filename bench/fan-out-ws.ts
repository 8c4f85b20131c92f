import express from 'express';
import { Pool } from 'pg';
import { WebSocketServer } from 'ws';
import { secretHash } from '../src/auth/secret-hash.ts';

// What one would write by hand: express + pg + ws. A POST inserts the notification by one statement, and what it returns is sent
// to every socket of the profile. What is sent while a socket is away is lost.

const pool = new Pool({ connectionString: process.env.DATABASE_URL as string, max: 10 });
const sockets = new Map<string, Set<import('ws').WebSocket>>();

async function profileOf(authorization: string | undefined): Promise<string | undefined> {
  const { rows } = await pool.query({
    name: 'key',
    text: 'SELECT profile_uuid FROM api_keys WHERE key_hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())',
    values: [secretHash(authorization?.slice('Bearer '.length) ?? '')],
  });
  return rows[0]?.profile_uuid;
}

const app = express();
app.post('/api/notifications', express.json(), async (req, res) => {
  const profile = await profileOf(req.headers.authorization);
  const { message } = req.body;
  if (!profile) return void res.status(401).json({ error: 'Unauthorized' });
  if (typeof message !== 'string' || message.length > 5_000) return void res.status(400).json({ error: 'message' });
  const { rows } = await pool.query({
    name: 'insert',
    text: `INSERT INTO bench_notifications (uuid, profile_uuid, seq, type, message, severity, metadata, created_at)
      VALUES (gen_random_uuid(), $1, nextval('bench_seq'), 'CUSTOM', $2, 'INFO', '{}', now()) RETURNING *`,
    values: [profile, message],
  });
  const text = JSON.stringify({ type: 'next', payload: rows[0] });
  for (const socket of sockets.get(profile) ?? []) socket.send(text);
  res.json({ success: true, notification: rows[0] });
});

const server = app.listen(Number(process.env.PORT));
new WebSocketServer({ server, path: '/graphql' }).on('connection', (socket) => {
  socket.on('message', async (data) => {
    const { type, payload } = JSON.parse(String(data));
    if (type !== 'connection_init') return;
    const profile = await profileOf(payload.Authorization);
    if (!profile) return socket.close();
    const known = sockets.get(profile) ?? new Set();
    sockets.set(profile, known.add(socket));
    socket.on('close', () => known.delete(socket));
    socket.send('{"type":"connection_ack"}');
  });
});
