import { writeFileSync } from 'node:fs';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { schema } from './index.ts';

// `npm run generate` runs this: the printed graph is committed, so that every change of it shows in review.
writeFileSync(new URL('schema.graphql', import.meta.url), `${printSchema(lexicographicSortSchema(schema))}\n`);
