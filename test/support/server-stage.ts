import type { Call } from './server.ts';

export const serversPath = '/api/mcp-servers';

/** A body that is good. */
export const newServer = (over: Record<string, unknown> = {}) => ({
  name: 'Files',
  transport: 'stdio',
  command: 'npx',
  args: ['-y', 'files-server'],
  ...over,
});

// biome-ignore lint/suspicious/noExplicitAny: the tests look into answers of every shape
export async function added(call: Call, over: Record<string, unknown> = {}): Promise<any> {
  const { status, body, text } = await call('POST', serversPath, newServer(over));
  if (status !== 200) throw new Error(`not added: ${text}`);
  return body;
}

/** A uuid that leads to nothing. */
export const nowhere = 'b0b0b0b0-0000-4000-8000-000000000000';

const inputOf = (name: string) => `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
const mutation = (name: string, fields: string) =>
  `mutation ($input: ${inputOf(name)}!) { ${name}(input: $input) { ${fields} } }`;

const server = `server { uuid slug name title description transport transports command args url env headers notes isOwn isPublic
  source packageType repositoryUrl category tags version installationCount rating ratingsCount lastActivityAt createdAt updatedAt }`;

export const documents = {
  create: mutation('serverCreate', server),
  update: mutation('serverUpdate', server),
  show: mutation('serverVisibilitySet', server),
  delete: mutation('serverDelete', 'uuid'),
  install: mutation('serverInstall', server),
  uninstall: mutation('serverUninstall', 'uuid'),
  rate: mutation('serverRate', server),
  report: mutation('serverActivityReport', 'uuid'),
  one: `query ($uuid: String!) { server(uuid: $uuid) { ${server.slice(server.indexOf('{') + 1, -1)} } }`,
};
