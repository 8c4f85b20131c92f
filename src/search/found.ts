import type { z } from 'zod';
import type { Prisma } from '../../prisma/generated/client/client.ts';
import type { McpServerRecord } from '../mcp-servers/index.ts';
import type { Caller } from '../platform/caller.ts';
import { parse } from '../platform/input/input.ts';
import type { Connection } from '../platform/input/keyset.ts';
import type { Platform } from '../platform/platform.ts';
import { cursorOf, offsetMax, packages, SearchConnectionRequest, SearchPage, SearchRequest, sources } from './input.ts';
import { planOf, type Reading, type SearchPlan } from './plan.ts';
import * as statements from './statements.ts';
import { synonyms } from './synonyms.ts';

export type FoundShape = Pick<Prisma.McpServerFindManyArgs, 'select' | 'include' | 'omit'>;
export type SearchInput = z.input<typeof SearchRequest>;
type Request = z.output<typeof SearchRequest>;

/** A page of search results by offset, as REST shows it. */
export interface FoundPage {
  readonly servers: readonly McpServerRecord[];
  /** How many were found: with words or a repository up to 1 000, of whom the best are to be had. */
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

export interface FoundDependencies extends Pick<Platform, 'database'> {
  /** Hears of every search that was answered. */
  readonly onSearch: (caller: Caller, query: string, servers: readonly string[], isFirstPage: boolean) => void;
}

const withoutSecrets = { omit: { env: true, headers: true } } as const;

/** Public servers by words and filters. Source: docs/specification/search.md. */
export function createFound({ database, onSearch }: FoundDependencies) {
  let lexemes: Promise<ReadonlyMap<string, string>> | null = null;

  /**
   * A page of results. Every caller gets the same results: private servers are never found.
   *
   * @param input.query At most 500 characters; empty lists all.
   * @param page.limit 1 to 100; 20 by default.
   * @param page.offset 0 to 10 000.
   * @throws {ApiError} `VALIDATION_ERROR`.
   * @see docs/specification/search.md#search
   */
  async function page(
    caller: Caller,
    input: SearchInput,
    page: z.input<typeof SearchPage>,
    shape: FoundShape = withoutSecrets,
  ): Promise<FoundPage> {
    const request = parse(SearchRequest, input);
    const { limit, offset } = parse(SearchPage, page);
    const { uuids, total } = await find(request, offset, limit);
    onSearch(caller, request.query, uuids, offset === 0);
    return { servers: await read(uuids, shape), total: await total(), limit, offset };
  }

  /**
   * The same after a cursor, which is a place in the list: new and removed servers shift the ones behind them.
   *
   * @param input.first 0 to 100; 20 by default.
   * @returns With `count`, which queries only when it is called.
   */
  async function connection(
    caller: Caller,
    input: SearchInput & z.input<typeof SearchConnectionRequest>,
    shape: FoundShape = withoutSecrets,
  ): Promise<Connection<McpServerRecord> & { count(): Promise<number> }> {
    const request = parse(SearchRequest, input);
    const { first, after } = parse(SearchConnectionRequest, input);
    const { uuids, total } = await find(request, after, first + 1);
    const shown = uuids.slice(0, first);
    onSearch(caller, request.query, shown, after === 0);
    const servers = new Map((await read(shown, shape)).map((server) => [server.uuid, server]));
    const edges = shown.flatMap((uuid, index) => {
      const node = servers.get(uuid);
      return node ? [{ cursor: cursorOf(after + index + 1), node }] : [];
    });
    return { edges, hasNextPage: uuids.length > first && after + first <= offsetMax, count: total };
  }

  /** The position of the requested servers in the results, and the number of results. */
  async function find(
    request: Request,
    skipped: number,
    taken: number,
  ): Promise<{ uuids: string[]; total: () => Promise<number> }> {
    const { query, repository, sort } = request;
    if (query.trim() === '' && !repository?.trim()) {
      const shelves = shelvesOf(request);
      const order = sort === 'recent' ? 'recent' : 'popular';
      const isAll = request.source === 'all' && !request.package;
      const rows = await database.query<{ uuid: string }>(
        isAll ? statements.listAll(order, skipped, taken) : statements.list(order, shelves, skipped, taken),
      );
      const total = async () => (await database.query<{ count: number }>(statements.count(shelves)))[0]?.count ?? 0;
      return { uuids: rows.map(({ uuid }) => uuid), total };
    }
    const plan = await planFor(request);
    if (plan === null) return { uuids: [], total: async () => 0 };
    const rows = await database.query<{ uuid: string; total: number }>(
      statements.byWords(plan, { sort, skipped, taken }),
    );
    const total = async () => {
      if (rows[0]) return rows[0].total;
      if (skipped === 0 && taken > 0) return 0;
      // Nothing stands so far behind.
      const [first] = await database.query<{ total: number }>(
        statements.byWords(plan, { sort: 'popular', skipped: 0, taken: 1 }),
      );
      return first?.total ?? 0;
    };
    return { uuids: rows.map(({ uuid }) => uuid), total };
  }

  async function planFor({ query, source, package: packaged, repository }: Request): Promise<SearchPlan | null> {
    const [readings, lexemeOf, address] = await Promise.all([
      query.trim() === '' ? [] : database.query<Reading>(statements.understand(query)),
      lexemesOfSynonyms(),
      repository?.trim() ? database.query<{ filter: string }>(statements.repositoryFilter(repository)) : [],
    ]);
    const filters = [
      ...address.map(({ filter }) => filter),
      ...(source === 'all' ? [] : [`source=${source}`]),
      ...(packaged ? [`package=${packaged}`] : []),
    ];
    return planOf(readings, filters, lexemeOf);
  }

  /** Asked once: the words do not change while the process runs. */
  function lexemesOfSynonyms(): Promise<ReadonlyMap<string, string>> {
    lexemes ??= database
      .query<{ word: string; lexeme: string | null }>(statements.lexemes(synonyms))
      .then((rows) => new Map(rows.flatMap(({ word, lexeme }) => (lexeme === null ? [] : [[word, lexeme] as const]))))
      .catch((error: unknown) => {
        lexemes = null;
        throw error;
      });
    return lexemes;
  }

  /** The servers in the order of their ids, those left out that are not public any more. */
  async function read(uuids: readonly string[], shape: FoundShape): Promise<McpServerRecord[]> {
    if (uuids.length === 0) return [];
    const rows = await database.prisma.mcpServer.findMany({
      ...shape,
      where: { uuid: { in: [...uuids] }, isPublic: true },
    });
    const known = new Map(rows.map((row) => [row.uuid, row]));
    return uuids.flatMap((uuid) => known.get(uuid) ?? []);
  }

  return { page, connection };
}

const shelvesOf = ({ source, package: packaged }: Request): statements.Shelves => ({
  sources: source === 'all' ? sources.filter((each) => each !== 'all') : [source],
  packages: packaged ? [packaged] : ['', ...packages],
});
