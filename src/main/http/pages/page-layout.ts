import { policyFor } from './html.ts';

const style = `:root { color-scheme: light dark; --line: #8885; --link: #0a58ca; --error: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --link: #8ab4f8; --error: #f2b8b5; } }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { margin: 0; } h2 { font-size: 1.1rem; margin: 0 0 .5rem; } small { font-weight: 400; opacity: .7; }
main { display: grid; grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr)); gap: 1rem; margin-top: 1.5rem; }
section { border: 1px solid var(--line); border-radius: 8px; padding: 1rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; margin: 0; } dd { margin: 0; overflow-wrap: anywhere; }
a { color: var(--link); } pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: .85rem; margin: .75rem 0 0; }
label { display: block; margin-bottom: .5rem; } input, button { font: inherit; padding: .35rem .5rem; }
input { display: block; width: 100%; } [role=alert] { color: var(--error); margin: 0 0 .5rem; }`;

/** The Content-Security-Policy of a page of this layout. */
export const layoutPolicy = policyFor(style, { images: "'self'", forms: "'self'" });

/**
 * A page of the platform, without scripts.
 *
 * @param page.body HTML with all external text escaped.
 */
export const rendered = ({ title, body }: { title: string; body: string }): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`;
