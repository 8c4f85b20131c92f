import { mutationsOf } from './mutation.ts';

export const main = mutationsOf('main', [
  [
    'cookie-origin',
    'identify.ts',
    'origin === ownOrigin(req, trustedProxies)',
    'origin.endsWith(`//${req.headers.host}`)',
    'The cookie is for pages of our origin, its scheme included.',
    ['platform/http.rest.credentials'],
  ],
  [
    'forwarded-scheme',
    'identify.ts',
    "trustedProxies > 0 ? headerValues(req, 'x-forwarded-proto')",
    "trustedProxies >= 0 ? headerValues(req, 'x-forwarded-proto')",
    'Only a proxy of ours says by which scheme a request came.',
    ['platform/http.rest.credentials'],
  ],
  [
    'forwarded-port',
    'identify.ts',
    'return isIPv4(plain) ? plain : null;',
    'return isIPv4(plain) ? text : null;',
    'Another port is no other spender.',
    ['platform/http.rest.headers'],
  ],
  [
    'forwarded-nonsense',
    'identify.ts',
    'return isIP(text) > 0 ? text : null;',
    'return text;',
    'An entry that is no address is no budget of its own.',
    ['platform/http.rest.headers'],
  ],
  [
    'uncounted-parameters',
    'graphql.ts',
    "const ranNothing = !('data' in result) && !isCounted(res);",
    'const ranNothing = false;',
    'A GraphQL request with wrong parameters is counted.',
    ['sweeps/rate-headers'],
  ],
]);
