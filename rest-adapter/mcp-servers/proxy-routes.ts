import { z } from 'zod';
import { CapabilitiesReport } from '../../src/mcp-servers/input.ts';
import { trueOrFalse } from '../../src/platform/input/input.ts';
import { generalErrors, proxyErrors } from '../errors.ts';
import * as operations from '../generated/operations.ts';
import { type Reference, type Route, route } from '../route.ts';
import * as reference from './reference.ts';
import * as responses from './responses.ts';

const shared = { tag: 'MCP servers', errors: proxyErrors, access: 'caller' } as const;

const ToolsQuery = z.object({
  prefix_tools: trueOrFalse('prefix_tools')
    .optional()
    .describe('Whether to name each tool `<slug of its server>__<name>`, which makes the names unique.'),
});

/**
 * The list of one kind, each item as its server sent it. Our own members come last, so that a server cannot override
 * them.
 */
const listed = (
  path: `/${string}`,
  kind: 'RESOURCE' | 'RESOURCE_TEMPLATE' | 'PROMPT',
  listing: Reference<string, z.ZodObject, z.ZodObject, typeof responses.offersResponse>,
) =>
  route(`GET ${path}`, {
    ...shared,
    reference: listing,
    operation: operations.ListServerOffersDocument,
    capabilities: new Set(['list-whole-inventory']),
    variables: () => ({ kind }),
    body: ({ serverOffers }) => serverOffers.map((offer) => ({ ...offer.definition, ...whose(offer) })),
    response: responses.offersResponse,
    errorCodes: ['FORBIDDEN', 'TOO_LARGE'],
  });

/** Which server to ask for something. Its secrets are masked: GET /api/mcp-servers shows them. */
const resolved = (
  what: 'tool' | 'prompt' | 'resource',
  kind: 'TOOL' | 'PROMPT' | 'RESOURCE',
  parameter: 'name' | 'uri',
) =>
  route(`GET /api/resolve/${what}`, {
    ...shared,
    reference: reference.resolved[what],
    operation: operations.ResolveServerDocument,
    query: z.object({
      [parameter]: z.string({ error: `${parameter} is required` }).describe(`The ${parameter} of the ${what}.`),
    }),
    variables: ({ query }) => ({ kind, name: query[parameter] as string }),
    body: ({ serverOffering: server }) => ({
      uuid: server?.uuid,
      slug: server?.slug,
      name: server?.name,
      type: server && responses.proxyTypes[server.transport],
      transport: server?.transport.toLowerCase(),
      command: server?.command,
      args: server?.args,
      url: server?.url,
      env: server?.env,
      headers: server?.headers,
    }),
    response: responses.resolvedResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'TOO_LARGE'],
  });

/** The paths that existing proxies ask. Source: docs/specification/mcp-servers.md#proxies. */
export const proxyRoutes: readonly Route[] = [
  route('GET /api/tools', {
    ...shared,
    reference: reference.listTools,
    operation: operations.ListServerOffersDocument,
    capabilities: new Set(['list-whole-inventory']),
    query: ToolsQuery,
    variables: () => ({ kind: 'TOOL' as const }),
    body: ({ serverOffers }, { query }) => ({
      tools: serverOffers.map((offer) => ({
        ...offer.definition,
        name: query.prefix_tools ? `${offer.serverSlug}__${offer.name}` : offer.name,
        ...whose(offer),
      })),
    }),
    response: responses.toolsResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'TOO_LARGE'],
  }),
  listed('/api/resources', 'RESOURCE', reference.listResources),
  listed('/api/resource-templates', 'RESOURCE_TEMPLATE', reference.listResourceTemplates),
  listed('/api/prompts', 'PROMPT', reference.listPrompts),
  resolved('tool', 'TOOL', 'name'),
  resolved('prompt', 'PROMPT', 'name'),
  resolved('resource', 'RESOURCE', 'uri'),
  route('POST /api/discover/all', {
    ...shared,
    reference: reference.discoverAll,
    operation: operations.DiscoverAllServersDocument,
    variables: () => ({}),
    body: ({ serverDiscover }) => discoveryBody(serverDiscover.queued),
    response: responses.discoveryResponse,
    errorCodes: ['FORBIDDEN'],
  }),
  route('POST /api/discover/:uuid', {
    ...shared,
    reference: reference.discoverServer,
    operation: operations.DiscoverServerDocument,
    variables: ({ params }) => ({ input: { uuid: params.uuid } }),
    body: ({ serverDiscover }) => discoveryBody(serverDiscover.queued),
    response: responses.discoveryResponse,
    errorCodes: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  route('POST /api/servers/:uuid/capabilities', {
    ...shared,
    errors: generalErrors,
    reference: reference.reportCapabilities,
    operation: operations.ReportServerCapabilitiesDocument,
    bodyBytesMax: 5 * 1024 * 1024,
    input: CapabilitiesReport,
    variables: ({ params, body }) => ({ input: { ...body, uuid: params.uuid } }),
    body: ({ serverCapabilitiesReport: { server } }) => ({
      success: true,
      tools: server.tools.length,
      resources: server.resources.length,
      prompts: server.prompts.length,
    }),
    response: responses.reportedResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT', 'TOO_LARGE'],
  }),
];

const whose = (offer: operations.ListServerOffersQuery['serverOffers'][number]) => ({
  _serverUuid: offer.serverUuid,
  _serverSlug: offer.serverSlug,
  _serverName: offer.serverName,
});

const discoveryBody = (queued: number) => ({
  success: true,
  queued,
  message:
    queued > 0
      ? 'Discovery initiated'
      : 'No discovery was queued: there is no http or sse server, or its discovery is already queued',
});
