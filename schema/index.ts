import './clipboard/entry.ts';
import './clipboard/queries.ts';
import './clipboard/mutations.ts';
import './clipboard/subscriptions.ts';
import { builder } from './builder.ts';

export type { Context, Services } from './context.ts';

/** The whole graph. */
export const schema = builder.toSchema();
