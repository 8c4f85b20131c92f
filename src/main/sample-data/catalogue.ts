import type { z } from 'zod';
import type { NewMcpServer } from '../../mcp-servers/input.ts';
import type { PersonName } from './people.ts';

/** A server of the sample data, as somebody added it. */
export interface SampleServer {
  /** Whose it is: one of the sample people, or whoever is given the sample data. */
  readonly by: PersonName | 'owner';
  /** How many days ago it was added. */
  readonly addedDaysAgo: number;
  /** How much it is used beside the others, from 1. */
  readonly popularity: number;
  readonly isPublic: boolean;
  readonly input: z.input<typeof NewMcpServer> & { readonly name: string };
}

type Facts = Omit<SampleServer['input'], keyof Start>;

const github = (path: string) => `https://github.com/${path}`;

type Start = Pick<SampleServer['input'], 'packageType' | 'command' | 'args' | 'url' | 'transport'>;

/** How a package is started: as its own documentation says. */
const npm = (name: string, ...args: string[]): Start => ({
  packageType: 'npm',
  command: 'npx',
  args: ['-y', name, ...args],
});
const pypi = (name: string, ...args: string[]): Start => ({
  packageType: 'pypi',
  command: 'uvx',
  args: [name, ...args],
});
const docker = (image: string, ...args: string[]): Start => ({
  packageType: 'docker',
  command: 'docker',
  args: ['run', '-i', '--rm', ...args, image],
});
const remote = (url: string): Start => ({ transport: 'http', url });

const server = (
  by: SampleServer['by'],
  addedDaysAgo: number,
  popularity: number,
  start: Start,
  facts: Facts,
): SampleServer => ({ by, addedDaysAgo, popularity, isPublic: true, input: { ...facts, ...start } });

/** Only for whoever is given the sample data. */
const own = (addedDaysAgo: number, start: Start, facts: Facts, isPublic = false): SampleServer => ({
  by: 'owner',
  addedDaysAgo,
  popularity: 8,
  isPublic,
  input: { ...facts, ...start },
});

const reference = (folder: string) => github(`modelcontextprotocol/servers/tree/main/src/${folder}`);

/** Well-known servers, as their own repositories describe them. */
export const catalogue: readonly SampleServer[] = [
  own(29, npm('@modelcontextprotocol/server-filesystem', '/srv/projects'), {
    name: 'filesystem',
    title: 'Filesystem',
    description: 'Reads, writes, moves and searches files in the folders that it is started with.',
    repositoryUrl: reference('filesystem'),
    category: 'files',
    tags: ['files', 'search', 'reference'],
    notes: 'Only the projects folder.',
  }),
  own(28, npm('@modelcontextprotocol/server-memory'), {
    name: 'memory',
    title: 'Knowledge graph memory',
    description: 'Remembers entities, relations and observations in a local knowledge graph.',
    repositoryUrl: reference('memory'),
    category: 'memory',
    tags: ['memory', 'knowledge-graph', 'reference'],
  }),
  own(26, docker('ghcr.io/github/github-mcp-server', '-e', 'GITHUB_PERSONAL_ACCESS_TOKEN'), {
    name: 'github',
    title: 'GitHub',
    description: 'Reads and changes repositories, issues, pull requests, workflows and code scanning alerts.',
    repositoryUrl: github('github/github-mcp-server'),
    category: 'development',
    tags: ['git', 'issues', 'pull-requests', 'ci'],
    env: { GITHUB_PERSONAL_ACCESS_TOKEN: 'put-a-token-here' },
    notes: 'The token needs the scopes repo and read:org.',
  }),
  own(
    25,
    npm('@modelcontextprotocol/server-everything'),
    {
      name: 'everything',
      title: 'Everything',
      description: 'Exercises all features of the protocol: tools, resources, templates of resources and prompts.',
      repositoryUrl: reference('everything'),
      category: 'testing',
      tags: ['testing', 'reference'],
      version: '2026.8.31',
    },
    true,
  ),
  server('ada', 30, 9, pypi('mcp-server-fetch'), {
    name: 'fetch',
    title: 'Fetch',
    description: 'Fetches web pages and turns them into Markdown that a model can read.',
    repositoryUrl: reference('fetch'),
    category: 'web',
    tags: ['web', 'markdown', 'reference'],
  }),
  server('ada', 30, 7, pypi('mcp-server-git', '--repository', '.'), {
    name: 'git',
    title: 'Git',
    description: 'Reads, searches and manipulates a Git repository: status, diffs, commits, branches and logs.',
    repositoryUrl: reference('git'),
    category: 'development',
    tags: ['git', 'version-control', 'reference'],
  }),
  server('ada', 30, 5, pypi('mcp-server-time'), {
    name: 'time',
    title: 'Time',
    description: 'Tells the time and converts it between time zones.',
    repositoryUrl: reference('time'),
    category: 'productivity',
    tags: ['time', 'time-zones', 'reference'],
  }),
  server('ada', 29, 8, npm('@modelcontextprotocol/server-sequential-thinking'), {
    name: 'sequential-thinking',
    title: 'Sequential Thinking',
    description: 'Solves problems in steps of thought that can be revised and branched.',
    repositoryUrl: reference('sequentialthinking'),
    category: 'reasoning',
    tags: ['reasoning', 'planning', 'reference'],
  }),
  server('bo', 30, 10, npm('@playwright/mcp@latest'), {
    name: 'playwright',
    title: 'Playwright',
    description: 'Drives a browser by accessibility snapshots: navigates, clicks, types and reads pages.',
    repositoryUrl: github('microsoft/playwright-mcp'),
    category: 'browsers',
    tags: ['browser', 'testing', 'automation'],
  }),
  server('bo', 12, 9, npm('chrome-devtools-mcp@latest'), {
    name: 'chrome-devtools',
    title: 'Chrome DevTools',
    description: 'Controls and inspects a live Chrome: performance traces, network requests, console and DOM.',
    repositoryUrl: github('ChromeDevTools/chrome-devtools-mcp'),
    category: 'browsers',
    tags: ['browser', 'debugging', 'performance'],
  }),
  server('bo', 27, 6, npm('firecrawl-mcp'), {
    name: 'firecrawl',
    title: 'Firecrawl',
    description: 'Scrapes, crawls and searches the web, and extracts structured data from pages.',
    repositoryUrl: github('firecrawl/firecrawl-mcp-server'),
    category: 'web',
    tags: ['web', 'scraping', 'search'],
    env: { FIRECRAWL_API_KEY: 'put-a-key-here' },
  }),
  server('bo', 24, 3, npm('@kimtaeyoon83/mcp-server-youtube-transcript'), {
    name: 'youtube-transcript',
    title: 'YouTube Transcript',
    description: 'Downloads the transcripts of videos, in any language that they have.',
    repositoryUrl: github('kimtaeyoon83/mcp-server-youtube-transcript'),
    category: 'media',
    tags: ['video', 'transcripts'],
  }),
  server('chen', 30, 10, npm('@upstash/context7-mcp'), {
    name: 'context7',
    title: 'Context7',
    description: 'Brings current documentation and code examples of libraries, version by version, into the prompt.',
    repositoryUrl: github('upstash/context7'),
    category: 'documentation',
    tags: ['documentation', 'libraries', 'code'],
  }),
  server('chen', 21, 5, remote('https://mcp.deepwiki.com/mcp'), {
    name: 'deepwiki',
    title: 'DeepWiki',
    description: 'Answers questions about public repositories from documentation that was generated for them.',
    repositoryUrl: github('CognitionAI/deepwiki'),
    category: 'documentation',
    tags: ['documentation', 'code', 'search'],
  }),
  server('chen', 26, 6, npm('exa-mcp-server'), {
    name: 'exa',
    title: 'Exa Search',
    description: 'Searches the web, code and companies with an engine made for models.',
    repositoryUrl: github('exa-labs/exa-mcp-server'),
    category: 'search',
    tags: ['search', 'web', 'research'],
    env: { EXA_API_KEY: 'put-a-key-here' },
  }),
  server('chen', 23, 5, npm('tavily-mcp@latest'), {
    name: 'tavily',
    title: 'Tavily',
    description: 'Searches, extracts, maps and crawls the web in real time.',
    repositoryUrl: github('tavily-ai/tavily-mcp'),
    category: 'search',
    tags: ['search', 'web', 'research'],
    env: { TAVILY_API_KEY: 'put-a-key-here' },
  }),
  server('chen', 18, 3, pypi('arxiv-mcp-server'), {
    name: 'arxiv',
    title: 'arXiv',
    description: 'Searches arXiv, downloads papers and reads them in full.',
    repositoryUrl: github('blazickjp/arxiv-mcp-server'),
    category: 'research',
    tags: ['papers', 'research', 'search'],
  }),
  server('dalia', 30, 7, npm('@supabase/mcp-server-supabase@latest', '--read-only'), {
    name: 'supabase',
    title: 'Supabase',
    description: 'Manages projects, tables, migrations, logs and edge functions of Supabase.',
    repositoryUrl: github('supabase-community/supabase-mcp'),
    category: 'databases',
    tags: ['database', 'postgres', 'backend'],
    env: { SUPABASE_ACCESS_TOKEN: 'put-a-token-here' },
  }),
  server('dalia', 28, 5, npm('mongodb-mcp-server', '--readOnly'), {
    name: 'mongodb',
    title: 'MongoDB',
    description: 'Queries MongoDB databases and manages Atlas clusters.',
    repositoryUrl: github('mongodb-js/mongodb-mcp-server'),
    category: 'databases',
    tags: ['database', 'documents', 'atlas'],
  }),
  server('dalia', 25, 4, pypi('mcp-clickhouse'), {
    name: 'clickhouse',
    title: 'ClickHouse',
    description: 'Lists databases and tables of ClickHouse, and runs queries that change nothing.',
    repositoryUrl: github('ClickHouse/mcp-clickhouse'),
    category: 'databases',
    tags: ['database', 'analytics', 'sql'],
  }),
  server('dalia', 22, 4, pypi('mcp-server-qdrant'), {
    name: 'qdrant',
    title: 'Qdrant',
    description: 'Keeps and finds memories in the vector search engine Qdrant.',
    repositoryUrl: github('qdrant/mcp-server-qdrant'),
    category: 'memory',
    tags: ['vectors', 'memory', 'search'],
  }),
  server('dalia', 20, 4, pypi('chroma-mcp'), {
    name: 'chroma',
    title: 'Chroma',
    description: 'Makes collections of embeddings in Chroma, and searches them by meaning, full text and metadata.',
    repositoryUrl: github('chroma-core/chroma-mcp'),
    category: 'databases',
    tags: ['vectors', 'embeddings', 'search'],
  }),
  server('dalia', 16, 3, npm('@neondatabase/mcp-server-neon', 'start'), {
    name: 'neon',
    title: 'Neon',
    description: 'Manages Neon projects, branches and databases in plain words.',
    repositoryUrl: github('neondatabase/mcp-server-neon'),
    category: 'databases',
    tags: ['database', 'postgres', 'serverless'],
  }),
  server('emeka', 30, 6, docker('mcp/grafana', '-e', 'GRAFANA_URL', '-e', 'GRAFANA_API_KEY'), {
    name: 'grafana',
    title: 'Grafana',
    description: 'Searches dashboards, queries Prometheus and Loki, and looks into incidents and alerts.',
    repositoryUrl: github('grafana/mcp-grafana'),
    category: 'observability',
    tags: ['monitoring', 'metrics', 'logs'],
    env: { GRAFANA_URL: 'http://localhost:3001', GRAFANA_API_KEY: 'put-a-key-here' },
  }),
  server('emeka', 29, 7, npm('@sentry/mcp-server@latest'), {
    name: 'sentry',
    title: 'Sentry',
    description: 'Finds and analyses errors, traces and issues of Sentry projects.',
    repositoryUrl: github('getsentry/sentry-mcp'),
    category: 'observability',
    tags: ['errors', 'monitoring', 'debugging'],
    env: { SENTRY_ACCESS_TOKEN: 'put-a-token-here' },
  }),
  server('emeka', 26, 6, npm('mcp-server-kubernetes'), {
    name: 'kubernetes',
    title: 'Kubernetes',
    description: 'Manages Kubernetes clusters: pods, deployments, services, logs and Helm charts.',
    repositoryUrl: github('Flux159/mcp-server-kubernetes'),
    category: 'infrastructure',
    tags: ['kubernetes', 'containers', 'helm'],
  }),
  server('emeka', 19, 5, docker('hashicorp/terraform-mcp-server'), {
    name: 'terraform',
    title: 'Terraform',
    description: 'Looks up providers, modules and policies in the Terraform registry.',
    repositoryUrl: github('hashicorp/terraform-mcp-server'),
    category: 'infrastructure',
    tags: ['terraform', 'cloud', 'registry'],
  }),
  server('emeka', 17, 5, pypi('awslabs.aws-documentation-mcp-server@latest'), {
    name: 'aws-documentation',
    title: 'AWS Documentation',
    description: 'Searches and reads the documentation of AWS as Markdown.',
    repositoryUrl: github('awslabs/mcp'),
    category: 'documentation',
    tags: ['aws', 'cloud', 'documentation'],
  }),
  server('emeka', 14, 4, npm('@azure/mcp@latest', 'server', 'start'), {
    name: 'azure',
    title: 'Azure',
    description: 'Works with Azure services: storage, Cosmos DB, monitor logs, Key Vault and more.',
    repositoryUrl: github('microsoft/mcp'),
    category: 'infrastructure',
    tags: ['azure', 'cloud'],
  }),
  server('farah', 30, 7, npm('@notionhq/notion-mcp-server'), {
    name: 'notion',
    title: 'Notion',
    description: 'Searches, reads and writes pages, databases and comments of a Notion workspace.',
    repositoryUrl: github('makenotion/notion-mcp-server'),
    category: 'productivity',
    tags: ['notes', 'documents', 'wiki'],
    env: { NOTION_TOKEN: 'put-a-token-here' },
  }),
  server('farah', 28, 6, remote('https://mcp.linear.app/mcp'), {
    name: 'linear',
    title: 'Linear',
    description: 'Finds, makes and changes issues, projects and comments in Linear.',
    category: 'productivity',
    tags: ['issues', 'planning', 'projects'],
  }),
  server('farah', 27, 5, pypi('mcp-atlassian'), {
    name: 'atlassian',
    title: 'Jira and Confluence',
    description: 'Searches and edits Jira issues and Confluence pages, in the cloud and on premises.',
    repositoryUrl: github('sooperset/mcp-atlassian'),
    category: 'productivity',
    tags: ['issues', 'wiki', 'jira', 'confluence'],
    env: { JIRA_URL: 'https://example.atlassian.net', JIRA_API_TOKEN: 'put-a-token-here' },
  }),
  server('farah', 22, 5, npm('@stripe/mcp', '--tools=all'), {
    name: 'stripe',
    title: 'Stripe',
    description: 'Works with customers, products, prices, invoices and refunds, and searches the documentation.',
    repositoryUrl: github('stripe/agent-toolkit'),
    category: 'finance',
    tags: ['payments', 'invoices'],
    env: { STRIPE_SECRET_KEY: 'put-a-key-here' },
  }),
  server('farah', 15, 6, npm('figma-developer-mcp', '--stdio'), {
    name: 'figma-context',
    title: 'Figma Context',
    description: 'Gives layout and style of Figma files to coding agents.',
    repositoryUrl: github('GLips/Figma-Context-MCP'),
    category: 'design',
    tags: ['design', 'figma', 'frontend'],
    env: { FIGMA_API_KEY: 'put-a-key-here' },
  }),
  server('farah', 10, 4, pypi('markitdown-mcp'), {
    name: 'markitdown',
    title: 'MarkItDown',
    description: 'Converts PDF, Word, Excel, PowerPoint, images and audio to Markdown.',
    repositoryUrl: github('microsoft/markitdown'),
    category: 'documentation',
    tags: ['documents', 'markdown', 'conversion'],
  }),
  server('farah', 6, 4, remote('https://huggingface.co/mcp'), {
    name: 'hugging-face',
    title: 'Hugging Face',
    description: 'Searches models, data sets, papers and Spaces of the Hugging Face Hub.',
    repositoryUrl: github('huggingface/hf-mcp-server'),
    category: 'research',
    tags: ['models', 'datasets', 'papers'],
  }),
];
