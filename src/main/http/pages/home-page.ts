import type { SampleDataState } from '../../../sample-data/sample-data-state.ts';
import { version } from '../../version.ts';
import { escaped } from './html.ts';
import { rendered } from './page-layout.ts';

/** The demo account, as the page shows it. Paths are relative to the folder that the product runs in, where they are inside. */
export interface DemoOnPage {
  readonly username: string;
  readonly keyFile: string;
  readonly passwordFile: string;
  readonly sampleData: SampleDataState;
}

export interface HomeFacts {
  /** Null in production, and if there is no demo account. */
  readonly demo: DemoOnPage | null;
  /** Whether email is kept to be read at /dev/mail. */
  readonly isMailLocal: boolean;
  /** The name of the signed-in user. */
  readonly user: string | null;
  /** The address of the platform. */
  readonly appUrl: string;
  /** The error of a sign-in, and the submitted name. */
  readonly failure?: { readonly message: string; readonly name: string };
}

/** The page at `/`: one screen, without scripts. */
export const homePage = (facts: HomeFacts): string =>
  rendered({
    title: 'Patchbay',
    body: `<h1>Patchbay <small>${escaped(version)}</small></h1>
<p>The platform that AI agents and their people plug into: one GraphQL schema with live subscriptions, and a REST API with documented paths.</p>
<main>
${[places(facts), facts.demo && demoAccount(facts.demo, facts.appUrl), account(facts)].filter(Boolean).join('\n')}
</main>`,
  });

const places = ({ isMailLocal }: HomeFacts) => `<section>
<h2>Where things are</h2>
<dl>
<dt><a href="/graphql">GraphiQL</a></dt><dd>GraphQL in the browser</dd>
<dt><a href="/docs/api">API reference</a></dt><dd>REST, with requests to try</dd>
<dt><a href="/openapi.json">OpenAPI</a></dt><dd>The same for tools</dd>
<dt><a href="/v0.1/servers">Registry</a></dt><dd>MCP servers, as editors read them</dd>
${isMailLocal ? '<dt><a href="/dev/mail">Email</a></dt><dd>Kept here, because SMTP_URL is not set; sign in first</dd>\n' : ''}<dt><a href="/readyz">Health</a></dt><dd>/healthz and /readyz</dd>
</dl>
</section>`;

const sampleDataText: Record<SampleDataState, string> = {
  there: 'A month of it is there',
  'being made': 'Being made; reload in a moment',
  none: 'None; <code>npm run seed</code> makes it',
};

const demoAccount = ({ username, keyFile, passwordFile, sampleData }: DemoOnPage, appUrl: string) => `<section>
<h2>Demo account</h2>
<dl>
<dt>User name</dt><dd><code>${escaped(username)}</code></dd>
<dt>Password in</dt><dd><code>${escaped(passwordFile)}</code></dd>
<dt>API key in</dt><dd><code>${escaped(keyFile)}</code></dd>
<dt>Sample data</dt><dd>${sampleDataText[sampleData]}</dd>
</dl>
<pre>curl -H "Authorization: Bearer $(cat '${escaped(keyFile)}')" ${escaped(appUrl)}/api/clipboard</pre>
</section>`;

const account = ({ user, failure }: HomeFacts) =>
  user === null
    ? `<section>
<h2>Sign in</h2>
<form method="post" action="/sign-in">
${failure ? `<p role="alert">${escaped(failure.message)}</p>\n` : ''}<label>User name or email address <input name="name" value="${escaped(failure?.name ?? '')}" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button>Sign in</button>
</form>
</section>`
    : `<section>
<h2>Signed in</h2>
<p>You are signed in as <strong>${escaped(user)}</strong>.</p>
<form method="post" action="/sign-out"><button>Sign out</button></form>
</section>`;

/** Two plugs and the cord between them; it follows the colour scheme. */
export const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><style>g{fill:none;stroke:#0a58ca;stroke-width:4;stroke-linecap:round}@media(prefers-color-scheme:dark){g{stroke:#8ab4f8}}</style><g><circle cx="7" cy="8" r="4"/><circle cx="25" cy="8" r="4"/><path d="M7 12c0 20 18 20 18 0"/></g></svg>
`;
