import { routes } from './index.ts';
import { openApiDocument } from './openapi.ts';

// `npm run check` lints what this prints.
process.stdout.write(
  JSON.stringify(openApiDocument(routes, { version: '0.0.0', url: 'https://patchbay.example' }), null, 2),
);
