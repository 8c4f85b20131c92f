import type { z } from 'zod';
import type { FoundTool, McpServers } from '../mcp-servers/index.ts';
import type { Caller } from '../platform/caller.ts';
import { invalid, isUuid } from '../platform/input/input.ts';
import { extractiveModel, type NewSession } from './input.ts';
import { definitionsOf, definitionTokensMax } from './tool-definitions.ts';
import type { SessionTool } from './tool-statements.ts';

export interface SessionToolDependencies {
  readonly toolCalls: Pick<McpServers['toolCalls'], 'find'>;
  /** Tokens that each language model takes. */
  readonly contextTokens: number;
}

type Wanted = NonNullable<z.output<typeof NewSession>['tools']>;

/** A model that quotes passages calls nothing. */
export const toolsNeedModel = `tools require a language model: the model ${extractiveModel} does not call tools`;

/** Which tools a session may list: those that the caller's own servers offer, and that the platform can call. */
export function createSessionTools({ toolCalls, contextTokens }: SessionToolDependencies) {
  /**
   * Looks up the tools that a session shall list.
   *
   * @throws {ApiError} `VALIDATION_ERROR` naming each wrong field, such as `tools.0.serverId`. A server of another profile is like one
   *   that does not exist.
   */
  async function known(caller: Caller, wanted: Wanted, model: string): Promise<SessionTool[]> {
    if (wanted.length === 0) return [];
    if (model === extractiveModel) throw invalid({ tools: toolsNeedModel });
    const named = wanted.map(({ serverId, name }) => ({ serverUuid: serverId.toLowerCase(), name }));
    const asked = named.filter(({ serverUuid }) => isUuid(serverUuid));
    const found = await toolCalls.find(caller, asked);
    const byTool = new Map(asked.map((tool, index) => [tool, found[index] ?? null]));
    const tools = named.map((tool) => byTool.get(tool) ?? null);
    const mistakes = tools.flatMap((tool, index) => mistakesOf(tool, index));
    const seen = new Set<string>();
    for (const [index, { serverUuid, name }] of named.entries()) {
      const key = `${serverUuid} ${name}`;
      if (seen.has(key)) mistakes.push([`tools.${index}`, 'tools must not list a tool twice']);
      seen.add(key);
    }
    if (mistakes.length > 0) throw invalid(Object.fromEntries(mistakes));
    const tokens = definitionsOf(tools.filter((tool) => tool !== null)).reduce((sum, each) => sum + each.tokens, 0);
    const tokensMax = definitionTokensMax(contextTokens);
    if (tokens > tokensMax)
      throw invalid({
        tools: `The tool definitions take ${tokens} tokens of the context (limit ${tokensMax})`,
      });
    return named;
  }

  return { known };
}

function mistakesOf(tool: FoundTool | null, index: number): [string, string][] {
  if (tool === null) return [[`tools.${index}.serverId`, 'serverId is not one of your MCP servers']];
  if (tool.transport === 'stdio')
    return [[`tools.${index}.serverId`, 'serverId is a stdio server, which the platform never runs']];
  if (tool.definition === null)
    return [[`tools.${index}.name`, 'name is not a tool that the server offered when it was last discovered']];
  return [];
}
