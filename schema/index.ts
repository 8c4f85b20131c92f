import './auth/user.ts';
import './auth/project.ts';
import './auth/profile.ts';
import './auth/api-key.ts';
import './auth/viewer.ts';
import './auth/session.ts';
import './clipboard/entry.ts';
import './clipboard/queries.ts';
import './clipboard/mutations.ts';
import './clipboard/subscriptions.ts';
import { builder } from './builder.ts';

export type { Context, Services } from './context.ts';

/** The whole graph. */
export const schema = builder.toSchema();
