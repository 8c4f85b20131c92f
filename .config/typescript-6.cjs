// `node --require ./.config/typescript-6.cjs <tool>`: gives tools that use the JavaScript API of TypeScript, which TypeScript 7 does not
// have, TypeScript 6 from @tsd/typescript. That package has no `tsc` of its own, which could hide version 7 in node_modules/.bin.
const { registerHooks } = require('node:module');

require.resolve('@tsd/typescript');
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier.replace(/^typescript(?=$|\/package\.json$)/, '@tsd/typescript'), context),
});
