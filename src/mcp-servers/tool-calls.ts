import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { ServerAccess } from '../oauth/index.ts';
import { authorize, type Caller } from '../platform/caller.ts';
import type { Database, Statement } from '../platform/database/database.ts';
import type { Egress } from '../platform/egress/egress.ts';
import type { Platform } from '../platform/platform.ts';
import { createAuthorized } from './authorized.ts';
import { converse, ServerFailure } from './conversation.ts';
import { SchemaTooComplex, schemaMistakes } from './json-schema.ts';
import { createVariableSeals } from './sealed-variables.ts';
import { serverNotFound } from './server.ts';
import { resultText } from './tool-result.ts';
import type { createUsage } from './usage.ts';

/** Of one call, from the connection to the result. */
export interface ToolCallLimits {
  readonly totalTimeoutMs: number;
  readonly bytesMax: number;
}

export interface ToolCallDependencies extends Pick<Platform, 'log' | 'secrets'> {
  readonly database: Pick<Database, 'query'>;
  readonly egress: Pick<Egress, 'stream'>;
  readonly access: ServerAccess;
  /** 10 seconds and 1 MB where it is left out. */
  readonly toolCallLimits?: ToolCallLimits | undefined;
}

const limitsDefault: ToolCallLimits = { totalTimeoutMs: 10_000, bytesMax: 1024 * 1024 };

/** A tool by its server and its name there. */
export interface ToolName {
  readonly serverUuid: string;
  readonly name: string;
}

/** A server of the caller's, and one of its tools as the last discovery stored it. */
export interface FoundTool extends ToolName {
  readonly serverName: string;
  readonly serverSlug: string;
  readonly transport: 'stdio' | 'http' | 'sse';
  /** What the server said of the tool: text of another. Null for a tool that it does not offer. */
  readonly definition: Readonly<Record<string, unknown>> | null;
  /** Of the definition as JSON, in UTF-8. */
  readonly bytes: number;
}

/** The outcome of a call. */
export interface ToolOutcome {
  /** `refused`: the server was not asked, because the arguments are wrong. */
  readonly status: 'succeeded' | 'failed' | 'refused';
  /** The result as text, or what went wrong. */
  readonly text: string;
}

interface FoundRow {
  server_uuid: string;
  name: string;
  server_name: string;
  slug: string;
  transport: FoundTool['transport'];
  definition: Record<string, unknown> | null;
  bytes: number | null;
}

interface CalledRow {
  uuid: string;
  transport: 'http' | 'sse';
  url: string;
  headers: string | null;
}

// Not the SDK's own: a part of a kind that it does not know would fail the whole result.
const Result = z.looseObject({
  content: z.array(z.unknown()).optional(),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
});

/** Codes that the SDK gives to what breaks between it and the server. */
const codesOfConnection: ReadonlySet<number> = new Set([-32_000, -32_001]);

/** Calls of tools of the caller's own servers. stdio servers are never started. */
export function createToolCalls(deps: ToolCallDependencies & Pick<ReturnType<typeof createUsage>, 'report'>) {
  const { database, log, egress, secrets, report, toolCallLimits: limits = limitsDefault } = deps;
  const authorized = createAuthorized(deps);
  const seals = createVariableSeals({ secrets });

  /**
   * Looks some tools up, in one statement.
   *
   * @param wanted Well-formed.
   * @returns In the same order; null for a server that is not of the caller's profile.
   */
  async function find(caller: Caller, wanted: readonly ToolName[]): Promise<(FoundTool | null)[]> {
    const { profileUuid } = authorize(caller, 'mcp-servers:read');
    if (wanted.length === 0) return [];
    const rows = await database.query<FoundRow>(found(profileUuid, wanted));
    const keyOf = (server: string, name: string) => `${server} ${name}`;
    const byKey = new Map(rows.map((row) => [keyOf(row.server_uuid, row.name), row]));
    return wanted.map(({ serverUuid, name }) => {
      const row = byKey.get(keyOf(serverUuid.toLowerCase(), name));
      if (!row) return null;
      return {
        serverUuid: row.server_uuid,
        name,
        serverName: row.server_name,
        serverSlug: row.slug,
        transport: row.transport,
        definition: row.definition,
        bytes: row.bytes ?? 0,
      };
    });
  }

  /**
   * Calls a tool with the owner's headers and access token: 10 seconds and 1 MB in all. The call is logged for the audit, and counted
   * in the server's statistics.
   *
   * @param args Are compared with the tool's schema before the server is asked.
   * @throws {ApiError} `NOT_FOUND` for a server that is not the caller's, or never asked by the platform.
   */
  async function call(caller: Caller, tool: FoundTool, args: unknown, signal: AbortSignal): Promise<ToolOutcome> {
    const { profileUuid, credentialUuid } = authorize(caller, 'mcp-servers:write');
    const { serverUuid, name } = tool;
    const wrong = mistakeOf(tool, args);
    if (wrong !== null) return { status: 'refused', text: wrong };
    const [row] = await database.query<CalledRow>(called(profileUuid, serverUuid));
    if (!row) throw serverNotFound();
    log.info(
      {
        audit: 'mcp-tool-called',
        profile: profileUuid,
        key: credentialUuid,
        address: caller.address,
        server: serverUuid,
        tool: name,
      },
      'a tool of an MCP server was called',
    );
    const outcome = await ask(row, name, args, signal);
    await report(caller, serverUuid, { action: 'tool_call', success: outcome.status === 'succeeded' });
    return outcome;
  }

  async function ask(row: CalledRow, name: string, args: unknown, signal: AbortSignal): Promise<ToolOutcome> {
    const { uuid, transport, url } = row;
    const server = { uuid, transport, url, headers: seals.open(uuid, 'headers', row.headers) };
    try {
      return await authorized(server, (allowed) =>
        converse(allowed, { egress, limits, signal, endsSession: true }, (client, options) =>
          outcomeOf(client, { name, arguments: args }, options),
        ),
      );
    } catch (error) {
      if (!(error instanceof ServerFailure)) throw error;
      return { status: 'failed', text: error.message };
    }
  }

  return { find, call };
}

async function outcomeOf(
  client: Client,
  params: { readonly name: string; readonly arguments: unknown },
  options: { signal: AbortSignal; timeout: number },
): Promise<ToolOutcome> {
  try {
    const result = await client.request({ method: 'tools/call', params }, Result, options);
    const text = resultText(result);
    return result.isError === true ? { status: 'failed', text } : { status: 'succeeded', text };
  } catch (error) {
    // The server's response is an error of the protocol, such as an unknown tool: it is for the model.
    if (!(error instanceof McpError) || codesOfConnection.has(error.code)) throw error;
    return { status: 'failed', text: error.message };
  }
}

/** Why arguments are wrong; null for those that the tool's schema takes. */
function mistakeOf({ definition }: FoundTool, args: unknown): string | null {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return 'arguments must be an object';
  try {
    const mistakes = schemaMistakes(definition?.inputSchema, args);
    return mistakes.length === 0 ? null : mistakes.join('; ');
  } catch (error) {
    if (!(error instanceof SchemaTooComplex)) throw error;
    return "The tool's schema is too complex to compare the arguments with";
  }
}

const found = (profile: string, wanted: readonly ToolName[]): Statement => ({
  name: 'mcp_tools_found',
  text: `SELECT DISTINCT ON (s.uuid, w.name) s.uuid AS server_uuid, w.name, s.name AS server_name, s.slug, s.transport, c.definition, c.bytes
    FROM unnest($2::uuid[], $3::text[]) AS w (server, name)
    JOIN mcp_servers s ON s.uuid = w.server AND s.profile_uuid = $1
    LEFT JOIN mcp_capabilities c ON c.server_uuid = s.uuid AND c.kind = 'tool' AND c.name = w.name`,
  values: [profile, wanted.map(({ serverUuid }) => serverUuid), wanted.map(({ name }) => name)],
});

const called = (profile: string, server: string): Statement => ({
  name: 'mcp_tools_called',
  text: `SELECT uuid, transport, url, headers FROM mcp_servers WHERE uuid = $2 AND profile_uuid = $1 AND transport <> 'stdio'`,
  values: [profile, server],
});
