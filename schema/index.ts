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
import './notifications/notification.ts';
import './notifications/queries.ts';
import './notifications/mutations.ts';
import './notifications/subscriptions.ts';
import './users/user-profile.ts';
import './users/follows.ts';
import './users/queries.ts';
import './users/mutations.ts';
import './webhooks/webhook.ts';
import './webhooks/delivery.ts';
import './webhooks/mutations.ts';
import './mcp-servers/server.ts';
import './mcp-servers/queries.ts';
import './mcp-servers/mutations.ts';
import './mcp-servers/usage.ts';
import './mcp-servers/discovery.ts';
import './mcp-servers/offers.ts';
import './analytics/rank.ts';
import './analytics/trending.ts';
import './collections/collection.ts';
import './collections/queries.ts';
import './collections/mutations.ts';
import type { GraphQLInterfaceType } from 'graphql';
import { builder, nodeTypes } from './builder.ts';

/** The whole graph. */
export const schema = builder.toSchema();

for (const { name } of schema.getPossibleTypes(schema.getType('Node') as GraphQLInterfaceType)) nodeTypes.add(name);
