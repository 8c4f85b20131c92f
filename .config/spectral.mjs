// `node .config/spectral.mjs <file>`: lints an OpenAPI document with Spectral's rules for OpenAPI (`spectral:oas`), which find other
// mistakes than Redocly's, such as examples that do not fit their schemas. Any result fails, hints too. The library does without the
// command line of Spectral, which would bring ninety more packages.
import { readFileSync } from 'node:fs';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';

const [file] = process.argv.slice(2);
const linter = new spectral.Spectral();
linter.setRuleset({ extends: [[rulesets.oas, 'recommended']] });
const results = await linter.run(JSON.parse(readFileSync(file, 'utf8')));
for (const { code, path, message } of results) console.error(`${code}: #/${path.join('/')}: ${message}`);
process.exitCode = results.length === 0 ? 0 : 1;
