import { createHash } from 'node:crypto';
import type { Request, Router } from 'express';
import type { Auth } from '../auth/index.ts';
import type { Caller } from '../platform/caller.ts';
import { Refusal } from '../platform/errors.ts';
import type { KeptLetter, Mail } from '../platform/mail.ts';
import type { SpendPage } from './packed-page.ts';

/**
 * GET /dev/mail: the letters that would have been sent, where there is no mail server and it is not production; elsewhere there
 * is nothing at this path. Only a signed-in user sees them, and only those to the own address: a development server that
 * somebody reaches from outside is no open door, and behind a proxy every address looks like one's own machine.
 */
export function serveLocalMail(
  pages: Router,
  { mail, auth, identify, spendPage }: LocalMailDependencies & { spendPage: SpendPage },
): void {
  if (!mail.isLocal) return;
  pages.get('/dev/mail', async (req, res) => {
    res.set('Cache-Control', 'no-store');
    await spendPage(req, res);
    const caller = await identify(req);
    if (caller.principal?.kind !== 'session')
      throw new Refusal('UNAUTHORIZED', 'Sign in (POST /api/auth/sign-in) to read your letters');
    const { email } = await auth.users.current(caller);
    const page = pageOf(email, await mail.kept(email));
    res.set('Content-Security-Policy', policy).type('html').send(page);
  });
}

export interface LocalMailDependencies {
  readonly mail: Pick<Mail, 'isLocal' | 'kept'>;
  readonly auth: Pick<Auth, 'users'>;
  identify(req: Request): Promise<Caller>;
}

const style = `body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
article { border: 1px solid #8886; border-radius: 6px; padding: 0 1rem; margin: 1rem 0; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; }
time { opacity: .7; }`;

/** Nothing but this style: no script, no picture, no form, no frame. */
const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const pageOf = (address: string, letters: readonly KeptLetter[]) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Letters to ${escaped(address)}</title>
<style>${style}</style>
</head>
<body>
<h1>Letters to ${escaped(address)}</h1>
<p>There is no mail server (SMTP_URL), so they are kept here: the newest 500 of all users.</p>
${letters.map(articleOf).join('\n') || '<p>None so far.</p>'}
</body>
</html>
`;

const articleOf = ({ subject, text, createdAt }: KeptLetter) => `<article>
<h2>${escaped(subject)}</h2>
<time>${createdAt.toISOString()}</time>
<pre>${escaped(text)}</pre>
</article>`;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
