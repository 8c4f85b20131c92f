import type { ServerResponse } from 'node:http';
import { sessionCookie } from './identify.ts';

/** Sets or removes the cookie. Out of reach of scripts and of other sites' forms; only over https where the platform is. */
export function setSessionCookie(
  res: ServerResponse,
  session: { token: string; expiresAt: Date } | null,
  appUrl: string,
): void {
  const value =
    session === null
      ? `${sessionCookie}=; Max-Age=0`
      : `${sessionCookie}=${session.token}; Expires=${session.expiresAt.toUTCString()}`;
  const secure = appUrl.startsWith('https:') ? '; Secure' : '';
  res.setHeader('Set-Cookie', `${value}; Path=/; HttpOnly; SameSite=Lax${secure}`);
  res.setHeader('Cache-Control', 'no-store');
}
