import { readFileSync } from 'node:fs';

/**
 * What people look for, and which of the servers of servers.jsonl answer it. The grades were given by reading the names and
 * descriptions of all servers that could be meant: 3 is what is looked for, 2 does it among other things or for a special case,
 * 1 is near it. What is not named is 0.
 */
interface Subject {
  readonly queries: readonly string[];
  readonly 3: readonly string[];
  readonly 2: readonly string[];
  readonly 1: readonly string[];
}

const subjects: readonly Subject[] = [
  // A search for a package's name means that package.
  {
    queries: ['@modelcontextprotocol/server-github'],
    3: ['@modelcontextprotocol/server-github'],
    2: [],
    1: ['@missionsquad/mcp-github'],
  },
  {
    queries: ['@gongrzhe/server-redis-mcp'],
    3: ['@gongrzhe/server-redis-mcp'],
    2: [],
    1: ['@modelcontextprotocol/server-redis'],
  },
  {
    queries: ['github', 'githbu', 'github api', 'GitHub issues and pull requests'],
    3: ['@modelcontextprotocol/server-github', '@missionsquad/mcp-github', 'github-mcp', 'github-mcp-server'],
    2: [
      '@mcp-consultant-tools/github-enterprise',
      'github-enterprise-mcp',
      'github-enterprise-mcp-server',
      'github-chat-mcp',
      'octocode-mcp',
    ],
    1: ['coderabbitai-mcp', 'grep-mcp', 'crawlnest-mcp', 'mcp-evals', 'pinkpixel-agentskills-mcp'],
  },
  {
    queries: ['postgres', 'postgresql', 'postgers', 'postg', 'query a postgres database', 'pg'],
    3: [
      '@modelcontextprotocol/server-postgres',
      '@henkey/postgres-mcp-server',
      '@zeddotdev/postgres-context-server',
      'awslabs-postgres-mcp-server',
      'enhanced-postgres-mcp-server',
      'mcp-postgres-full-access',
      'mcp-postgres-server',
      'mcpg',
      'mdev-postgresql-mcp-server',
      'postgresql-server-mcp',
    ],
    2: [
      '@bytebase/dbhub',
      '@cmd233/mcp-database-server',
      'capybara-db-mcp',
      'dbeaver-mcp-server',
      'pgsafe-mcp',
      'postgres-mcp',
      'postgres-mcp-jacob',
      'dataxplan-mcp',
      'mcp-server-pgvector',
    ],
    1: ['@dxheroes/local-mcp-database'],
  },
  {
    queries: ['mysql', 'msyql', 'read only mysql', 'mysql datab'],
    3: [
      '@benborla29/mcp-server-mysql',
      '@berthojoris/mcp-mysql-server',
      '@f4ww4z/mcp-mysql-server',
      '@hovecapital/read-only-mysql-mcp-server',
      '@liangshanli/mcp-server-mysql',
      '@neverinfamous/mysql-mcp',
      'mcp-mysql-connect',
      'mcp-server-mysql',
      'mysql-mcp',
      'mysql-mcp-py',
      'mysql-mcp-server',
    ],
    2: [
      '@bytebase/dbhub',
      '@cmd233/mcp-database-server',
      'adb-mysql-mcp-server',
      'capybara-db-mcp',
      'dbeaver-mcp-server',
      'xampp-mcp',
    ],
    1: [],
  },
  {
    queries: ['sqlite', 'sqllite'],
    3: ['@pollinations/mcp-server-sqlite', 'mcp-server-sqlite', 'mcp-sqlite', '@executeautomation/database-server'],
    2: ['@bytebase/dbhub', '@cmd233/mcp-database-server', 'capybara-db-mcp', 'dbeaver-mcp-server', 'pgsafe-mcp'],
    1: ['memory-bank-mcp', 'unifiles-mcp', '@allpepper/task-orchestrator', 'q-workspace-mcp-server'],
  },
  {
    queries: ['slack', 'slcak', 'slack workspace messages'],
    3: [
      '@modelcontextprotocol/server-slack',
      '@tempestteam/slack-mcp-server',
      '@zencoderai/slack-mcp-server',
      'slack-mcp-server',
    ],
    2: [
      '@tempestteam/slack-mcp-server-darwin-amd64',
      '@tempestteam/slack-mcp-server-darwin-arm64',
      '@tempestteam/slack-mcp-server-linux-amd64',
      '@tempestteam/slack-mcp-server-linux-arm64',
      '@tempestteam/slack-mcp-server-windows-amd64',
      '@tempestteam/slack-mcp-server-windows-arm64',
      'slack-mcp-server-linux-amd64',
    ],
    1: [],
  },
  {
    queries: ['kubernetes', 'k8s', 'kubernets', 'kubectl cluster management'],
    3: ['kubernetes-mcp-server', 'mcp-k8s-server', 'mcp-server-kubernetes'],
    2: [
      'kubernetes-mcp-server-darwin-arm64',
      'kubernetes-mcp-server-linux-amd64',
      'kubernetes-mcp-server-linux-arm64',
      'kubernetes-mcp-server-windows-amd64',
      'oracle-oci-kubernetes-engine-mcp-server',
      'talkops-helm-mcp-server',
      'awslabs-eks-mcp-server',
    ],
    1: ['containerization-assist-mcp', 'lumino-mcp-server'],
  },
  {
    queries: ['jira', 'jira cloud', 'atlassian jira'],
    3: [
      '@aaronsb/jira-cloud-mcp',
      '@aashari/mcp-server-atlassian-jira',
      '@answerai/jira-mcp',
      '@atlassian-dc-mcp/jira',
      '@nexus2520/jira-mcp-server',
      'atlassian-jira-mcp-server',
      'jira-extended-mcp',
      'jira-mcp-cursor',
      'jira-mcp-simple',
      'mcp-jira-cloud',
      'www-jira-mcp',
      'mcp-atlassian',
    ],
    2: ['mcp-atlassian-bruno', 'mcp-atlassian-with-bitbucket-and-privacy', 'olddevs-mcp-atlassian', 'acli-mcp-server'],
    1: [
      '@answerai/confluence-mcp',
      '@atlassian-dc-mcp/confluence',
      '@aashari/mcp-server-atlassian-bitbucket',
      '@atlassian-dc-mcp/bitbucket',
    ],
  },
  {
    queries: ['figma', 'fimga', 'figma design'],
    3: [
      '@sethdouglasford/mcp-figma',
      '@yhy2001/figma-mcp-server',
      'claude-talk-to-figma-mcp',
      'figma-context-mcp',
      'figma-mcp',
      'figma-mcp-server',
      'mcp-figma',
      '@gethopp/figma-mcp-bridge',
    ],
    2: ['flowbite-mcp'],
    1: [],
  },
  {
    queries: ['calendar', 'google calendar', 'calender'],
    3: ['@cocal/google-calendar-mcp', 'mcp-google-calendar'],
    2: [
      'mcp-icloud-caldav',
      'mcp-server-apple-events',
      'gmail-mcp-server',
      'workspace-mcp',
      '@a-bonus/google-docs-mcp',
      'google-workspace-mcp',
      'google-workspace-suite-mcp',
      '@piotr-agier/google-drive-mcp',
      'outlook-mcp',
      '@dguido/google-workspace-mcp',
    ],
    1: ['lunar-mcp-server'],
  },
  {
    queries: ['gmail', 'gmial', 'read gmail inbox'],
    3: [
      '@gongrzhe/server-gmail-autoauth-mcp',
      '@shinzolabs/gmail-mcp',
      'agentic-mail-mcp',
      'gmail-mcp-server',
      'google-gmail-mcpserver',
    ],
    2: [
      '@a-bonus/google-docs-mcp',
      '@dguido/google-workspace-mcp',
      'google-workspace-mcp',
      'google-workspace-suite-mcp',
      'workspace-mcp',
    ],
    1: ['@codefuturist/email-mcp', 'mcp-mail-server', 'outlook-mcp', 'icloud-mcp', 'apple-mail-fast-mcp'],
  },
  {
    queries: ['send email', 'imap smtp mail'],
    3: ['@codefuturist/email-mcp', '@skanda-yutori/mcp-send-email', 'mcp-mail-server'],
    2: [
      'mareana-outlook-mcp-server',
      'outlook-mcp',
      '@gongrzhe/server-gmail-autoauth-mcp',
      '@shinzolabs/gmail-mcp',
      'agentic-mail-mcp',
      'gmail-mcp-server',
      'google-gmail-mcpserver',
      'apple-mail-fast-mcp',
      'icloud-mcp',
    ],
    1: ['workspace-mcp', 'google-workspace-mcp', 'email-verifier-mcp', 'cakemail-api-docs-mcp'],
  },
  {
    queries: ['excel', 'excel spreadsheet', 'edit xlsx files'],
    3: ['@negokaz/excel-mcp-server', 'excel-mcp-server', 'xlwings-mcp-server', 'xlwings-mcp-server-fastmcp'],
    2: ['unifiles-mcp', 'barie-google-sheets-mcp', 'mcp-google-sheets', 'mcp-gsheets'],
    1: ['@isaacphi/mcp-gdrive', '@a-bonus/google-docs-mcp', 'workspace-mcp'],
  },
  {
    queries: ['google sheets', 'gsheets'],
    3: ['barie-google-sheets-mcp', 'mcp-google-sheets', 'mcp-gsheets'],
    2: [
      '@isaacphi/mcp-gdrive',
      '@botrun/mcp-google-drive',
      '@piotr-agier/google-drive-mcp',
      '@a-bonus/google-docs-mcp',
      '@dguido/google-workspace-mcp',
      'google-workspace-mcp',
      'google-workspace-suite-mcp',
      'workspace-mcp',
    ],
    1: ['excel-mcp-server', '@negokaz/excel-mcp-server'],
  },
  {
    queries: ['obsidian', 'obsidain', 'obsidian vault notes'],
    3: ['mcp-obsidian', 'mcp-obsidian-ek', 'mcp-obsidian-remote', 'obsidian-mcp', 'obsidian-mcp-server'],
    2: ['memocean-mcp', 'obsidian2vector-mcp'],
    1: ['tremula-mcp'],
  },
  {
    queries: ['arxiv', 'academic papers', 'search scientific articles'],
    3: ['arxiv-mcp-server', '@futurelab-studio/latest-science-mcp', 'mcp-scholarly', 'mcp-server-google-scholar'],
    2: ['paperqa-mcp-server'],
    1: [],
  },
  {
    queries: ['weather', 'wether', 'weather forecast', 'forecast'],
    3: [
      '@dangahagan/weather-mcp',
      '@h1deya/mcp-server-weather',
      'atlantis-open-weather-mcp',
      'casual-mcp-server-weather',
      'chuk-mcp-open-meteo',
      'mcp-weather-query',
      'open-meteo-mcp-server',
      'openweather-mcp',
      'swiss-weather-mcp',
      'weather-mcp-server',
      'windy-mcp-server',
    ],
    2: [],
    1: ['deepmap-earth-grounding-mcp'],
  },
  {
    queries: ['stock prices', 'yahoo finance', 'stock market'],
    3: ['mcp-yahoo-finance', 'stockquotes-mcp', 'stock-snapshot-mcp', 'mcp-stock-analysis'],
    2: ['tradingview-mcp-server', 'pykrx-mcp', 'aurastream-mcp'],
    1: ['@aicoin/opendata-mcp'],
  },
  {
    queries: ['crypto', 'cryptocurrency prices', 'ethereum blockchain'],
    3: ['@aicoin/opendata-mcp', '@mcpfun/mcp-server-ccxt', 'crypto-intel-mcp', 'crypto-memory-mcp', 'cryo-mcp'],
    2: [],
    1: ['aurastream-mcp'],
  },
  {
    queries: ['playwright', 'playwrite', 'play wright'],
    3: [
      '@automatalabs/mcp-server-playwright',
      '@cloudflare/playwright-mcp',
      '@ejazullah/mcp-playwright',
      '@executeautomation/playwright-mcp-server',
      '@tontoko/fast-playwright-mcp',
      'mcp-playwright',
      'playwright-mcp',
      'playwright-mcp-server',
    ],
    2: ['fetcher-mcp'],
    1: ['@gleanwork/mcp-server-tester'],
  },
  {
    queries: ['browser automation', 'automate web browser'],
    3: [
      '@modelcontextprotocol/server-puppeteer',
      '@automatalabs/mcp-server-playwright',
      '@browsermcp/mcp',
      '@browserbasehq/mcp-server-browserbase',
      'agent-browser-mcp',
      'puppeteer-mcp-claude',
      'puppeteer-mcp-server',
      'scout-mcp-server',
      '@executeautomation/playwright-mcp-server',
      '@angiejones/mcp-selenium',
      '@hisma/server-puppeteer',
      'firefox-devtools-mcp',
      '@padenot/firefox-devtools-mcp',
    ],
    2: [
      'chrome-devtools-mcp',
      '@cloudflare/playwright-mcp',
      'playwright-mcp',
      'mcp-playwright',
      '@ejazullah/mcp-playwright',
      '@tontoko/fast-playwright-mcp',
      'mcp-selenium-grid',
      'playwright-mcp-server',
    ],
    1: ['fetcher-mcp', 'webresearcher-mcp-server', '@next-ai-drawio/mcp-server'],
  },
  {
    queries: ['chrome devtools', 'chromedevtools', 'chrome-devtools-mcp', 'devtols'],
    3: ['chrome-devtools-mcp'],
    2: ['firefox-devtools-mcp', '@padenot/firefox-devtools-mcp', 'next-devtools-mcp'],
    1: ['claude-dev-environment-setup'],
  },
  {
    queries: ['web search', 'search the web', 'brave search'],
    3: [
      '@brave/brave-search-mcp-server',
      '@modelcontextprotocol/server-brave-search',
      'exa-mcp-server',
      'tavily-mcp',
      'duckduckgo-mcp-server',
      '@perplexity-ai/mcp-server',
      'mcpcn-web-search-mcp',
      'o3-search-mcp',
      'scouts-ai-mcp',
      '@ericthered926/duckduckgo-mcp-server',
      'mcp-duckduckgo-search',
      'hasdata-duckduckgo-mcp',
      'mcp-server-googlesearch',
      '@adenot/mcp-google-search',
    ],
    2: [
      'webresearcher-mcp-server',
      'footnote-mcp',
      'duckduckgo-mcp',
      'tavily-fastmcp',
      'perplexity-mcp',
      'serper-search-scrape-mcp-server',
      'serp-geo-mcp',
    ],
    1: ['@houtini/gemini-mcp'],
  },
  {
    queries: ['duckduckgo', 'duckduck', 'duckdukgo'],
    3: [
      'duckduckgo-mcp-server',
      '@ericthered926/duckduckgo-mcp-server',
      'mcp-duckduckgo-search',
      'hasdata-duckduckgo-mcp',
    ],
    2: ['duckduckgo-mcp', 'webresearcher-mcp-server'],
    1: [],
  },
  {
    queries: ['web scraping', 'scrape web pages', 'crawl website'],
    3: [
      '@deventerprisesoftware/scrapi-mcp',
      'crawlnest-mcp',
      'custom-mcp-server',
      'scrapemcp',
      'serper-search-scrape-mcp-server',
      'web-scraping-mcp-server',
    ],
    2: ['webresearcher-mcp-server', 'fetcher-mcp', 'mcp-fetch-server', 'mcp-fetch'],
    1: ['linkedin-scraper-mcp', 'rezvan-linkedin-mcp', 'unified-sf-docs-mcp'],
  },
  {
    queries: ['youtube', 'youtube transcript', 'youtub'],
    3: [
      '@fabriqa.ai/youtube-transcript-mcp',
      '@kimtaeyoon83/mcp-server-youtube-transcript',
      'fetchtranscript-mcp',
      'kzmshx-youtube-mcp',
      'mcp-youtube',
      'mcp-youtube-extract',
      'youtube-data-mcp-server',
      'youtube-mcp-dj',
      'youtube-video-summarizer-mcp',
    ],
    2: ['podcast-summarizer-mcp', 'mcp-fetch-server'],
    1: [],
  },
  {
    queries: ['docker', 'dcoker', 'docker containers'],
    3: ['@0xshariq/docker-mcp-server', 'docker-mcp', 'mcp-server-docker'],
    2: ['podman-mcp-server', 'podman-mcp-server-linux-amd64', 'containerization-assist-mcp'],
    1: ['hephaestus-setup-mcp', 'mcp-postgres-server'],
  },
  {
    queries: ['pdf', 'read pdf files', 'extract text from pdf'],
    3: [
      '@modelcontextprotocol/server-pdf',
      '@sylphlab/pdf-reader-mcp',
      '@sylphx/pdf-reader-mcp',
      'pdf-tools-mcp',
      'pdf-insight-mcp',
      'pdfluent-mcp',
      'pymupdf4llm-mcp',
      'pdf-mcp',
      'mcp-mineru',
      'mineru-mcp-server',
      '@intelligentelectron/pdf-analyzer',
    ],
    2: ['pdf-image-extractor-mcp', 'pdfkb-mcp', 'docling-rs-mcp', 'ebook-mcp', 'unifiles-mcp'],
    1: [
      '@mcp-z/mcp-pdf',
      'mcp-server-pdfnoodle',
      'pdfcrowd-mcp-pdf-export',
      'not-boring-resume-mcp',
      '@gherk/requirements-extractor',
    ],
  },
  {
    queries: ['vector database', 'vektor database', 'semantic vector search'],
    3: [
      'mcp-server-qdrant',
      'qdrant-mcp-server',
      'chroma-mcp',
      '@pinecone-database/mcp',
      'mcp-pinecone-fastmcp',
      'local-faiss-mcp',
      'mcp-server-pgvector',
    ],
    2: [
      'obsidian2vector-mcp',
      'mcp-server-vector-memory',
      '@prmichaelsen/remember-mcp',
      'mcpbind-chroma-mcp',
      'pdfkb-mcp',
    ],
    1: ['pdf-mcp'],
  },
  {
    queries: ['qdrant', 'qdrnat'],
    3: ['mcp-server-qdrant', 'qdrant-mcp-server'],
    2: [],
    1: ['chroma-mcp', '@pinecone-database/mcp'],
  },
  {
    queries: ['azure devops', 'azure-devops'],
    3: ['@azure-devops/mcp', '@tiberriver256/mcp-server-azure-devops', 'azure-devops-mcp'],
    2: [],
    1: ['@mcp-consultant-tools/azure-management', '@azure/mcp'],
  },
  {
    queries: ['aws documentation', 'aws docs'],
    3: ['awslabs-aws-documentation-mcp-server'],
    2: ['unirt-amplify-doc-mcp-server', 'aws-agentcore-mcp-server'],
    1: ['awslabs-aws-api-mcp-server', 'aws-mcp'],
  },
  {
    queries: ['grafana', 'graphana dashboards'],
    3: ['mcp-grafana', '@leval/mcp-grafana'],
    2: [],
    1: ['signoz-mcp-server', 'datadog-mcp', '@winor30/mcp-server-datadog'],
  },
  {
    queries: ['datadog', 'datadog logs and metrics'],
    3: ['@winor30/mcp-server-datadog', 'datadog-mcp', 'datadog-mcp-server'],
    2: [],
    1: ['signoz-mcp-server'],
  },
  {
    queries: ['draw.io', 'drawio diagrams', 'diagram'],
    3: ['@drawio/mcp', '@aetherwing/fcp-drawio', '@next-ai-drawio/mcp-server', 'drawio-mcp', 'drawio-mcp-server'],
    2: ['drawio2png-mcp', 'excalidraw-mcp', 'claude-mermaid'],
    1: ['snapdoczilla-mcp'],
  },
  {
    queries: ['image generation', 'generate images from text'],
    3: [
      '@houtini/gemini-mcp',
      'flow-mcp',
      'invokeai-mcp-server',
      'mcp-image',
      'mcp-seedream-pro',
      'modelscope-image-mcp',
      'ms-image-gen-mcp',
      'nano-banana-mcp',
      'text2image-mcp',
      'ultimate-gemini-mcp',
      'mostai-mcp',
      'seedance-mcp-server',
    ],
    2: ['pixel-aselite-mcp'],
    1: [],
  },
  {
    queries: ['sequential thinking', 'sequentialthinking', 'sequental thinking'],
    3: ['@modelcontextprotocol/server-sequential-thinking', 'mcp-sequentialthinking-tools'],
    2: [],
    1: ['mcp-deepthinking'],
  },
  {
    queries: ['shopify', 'shopfiy store'],
    3: ['@junis/shopify-mcp', '@shopify/dev-mcp', 'shopify-admin-mcp', 'shopify-mcp'],
    2: [],
    1: ['@lockon0927/woocommerce-mcp', '@adobe-commerce/commerce-extensibility-tools'],
  },
  {
    queries: ['discord', 'discrod bot'],
    3: ['@quadslab.io/discord-mcp', 'datagen-discord-mcp-server', 'discord-py-self-mcp', 'mcp-discord'],
    2: [],
    1: [],
  },
  {
    queries: ['whatsapp', 'whatsap chat'],
    3: ['adelaidasofia-whatsapp-mcp', 'guarded-whatsapp-mcp', 'whatsapp-mcp-macos', 'evolution-api-mcp'],
    2: [],
    1: [],
  },
  {
    queries: ['mongodb', 'mongo', 'mogodb'],
    3: [
      'mongodb-mcp-server',
      '@mongodb-js/mongodb-mcp-server',
      '@himanshusinghs/mongodb-mcp-server',
      'mcp-mongo-server',
    ],
    2: [],
    1: [],
  },
  {
    queries: ['elasticsearch', 'elastic search logs'],
    3: ['opensearch-mcp-server'],
    2: ['crowdsentinel-mcp-server'],
    1: [],
  },
  {
    queries: ['redis'],
    3: ['@gongrzhe/server-redis-mcp', '@modelcontextprotocol/server-redis', 'mcpbind-redis-mcp-server'],
    2: ['mcp-redis-airnet'],
    1: ['mcp-server-vector-memory', 'awslabs-valkey-mcp-server'],
  },
  {
    queries: ['gitlab', 'gitlab merge requests'],
    3: ['@zereight/mcp-gitlab', '@modelcontextprotocol/server-gitlab', 'gitlab-helper-mcp'],
    2: [],
    1: [],
  },
  {
    queries: ['bigquery', 'big query'],
    3: ['@ergut/mcp-bigquery-server', 'mcp-server-bigquery-fastmcp'],
    2: [],
    1: ['greybeam-mcp'],
  },
  {
    queries: ['hotel booking', 'search hotels'],
    3: ['hotelzero', 'aigohotel-mcp'],
    2: ['cosmo-travel-mcp'],
    1: ['@gongrzhe/server-travelplanner-mcp'],
  },
  {
    queries: ['flight tracking', 'flightradar'],
    3: ['@flightradar24/fr24api-mcp', 'flightradar-mcp-server'],
    2: [],
    1: ['cosmo-travel-mcp'],
  },
];

export interface LabelledQuery {
  readonly query: string;
  /** By the name of the server; who is missing has 0. */
  readonly grades: ReadonlyMap<string, number>;
}

export const labelledQueries: readonly LabelledQuery[] = subjects.flatMap((subject) => {
  const grades = new Map(([1, 2, 3] as const).flatMap((grade) => subject[grade].map((name) => [name, grade] as const)));
  return subject.queries.map((query) => ({ query, grades }));
});

export interface LabelledServer {
  readonly name: string;
  readonly description: string;
  readonly packageType: string;
  readonly installations: number;
}

/** Packages that are MCP servers, by name, description and how often they are installed, as their registries listed them in 2026. */
export const labelledServers: readonly LabelledServer[] = readFileSync(
  new URL('servers.jsonl', import.meta.url),
  'utf8',
)
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line))
  .map(({ package: packageType, ...rest }) => ({ ...rest, packageType }));

/** Rated results among the first. */
const depth = 10;

/**
 * Normalised discounted cumulative gain of the first ten: 1 for the best possible order, 0 without a useful result.
 * Gains are 2^grade - 1. Source: Burges et al., Learning to rank using gradient descent, 2005.
 *
 * @param names The results, the best first.
 * @param known All servers; two with one name have the same grade.
 */
export function ndcg(
  names: readonly string[],
  grades: ReadonlyMap<string, number>,
  known: readonly LabelledServer[],
): number {
  const gain = (list: readonly number[]) =>
    list.slice(0, depth).reduce((sum, grade, place) => sum + (2 ** grade - 1) / Math.log2(place + 2), 0);
  const gradeOf = (name: string) => grades.get(name) ?? 0;
  const best = known.map(({ name }) => gradeOf(name)).sort((a, b) => b - a);
  return gain(names.map(gradeOf)) / gain(best);
}
