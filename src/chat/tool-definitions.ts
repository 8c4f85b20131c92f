import type { FoundTool } from '../mcp-servers/index.ts';
import { estimatedTokens } from './tokens.ts';

/** The most of the context that the definitions of an answer's tools may take. */
const definitionsShare = 0.2;
/** As models take them. */
const nameLengthMax = 64;
const descriptionLengthMax = 1_000;

/** A tool as a model reads it. */
export interface ToolDefinition {
  /**
   * `<slug of its server>__<name>` in letters, digits, underscores and hyphens: 1 to 64 characters, unique in the
   * session.
   */
  readonly name: string;
  /** The server's own words, at most 1 000 characters. */
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly found: FoundTool;
  /** As an estimate. */
  readonly tokens: number;
}

/** Tokens that the definitions may take together. */
export const definitionTokensMax = (contextTokens: number): number => Math.floor(contextTokens * definitionsShare);

/** The definitions of tools that their servers offer, in the same order. */
export function definitionsOf(tools: readonly FoundTool[]): ToolDefinition[] {
  const taken = new Set<string>();
  return tools.map((found) => {
    const { description, inputSchema } = found.definition ?? {};
    const definition = {
      name: freeName(`${found.serverSlug}__${found.name}`, taken),
      description: typeof description === 'string' ? description.slice(0, descriptionLengthMax).toWellFormed() : '',
      inputSchema: { ...(isObject(inputSchema) && inputSchema), type: 'object' },
    };
    return { ...definition, found, tokens: estimatedTokens(JSON.stringify(definition)) };
  });
}

/** Those of some definitions that the context has room for, the first ones before the others. */
export function definitionsWithin(definitions: readonly ToolDefinition[], contextTokens: number): ToolDefinition[] {
  let left = definitionTokensMax(contextTokens);
  return definitions.filter(({ tokens }) => {
    if (tokens > left) return false;
    left -= tokens;
    return true;
  });
}

function freeName(wanted: string, taken: Set<string>): string {
  const plain = wanted.replace(/[^A-Za-z0-9_-]/g, '_');
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : `_${number}`;
    const name = plain.slice(0, nameLengthMax - suffix.length) + suffix;
    if (taken.has(name)) continue;
    taken.add(name);
    return name;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
