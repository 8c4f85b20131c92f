import type { z } from 'zod';
import type { CapabilitiesReport } from '../mcp-servers/input.ts';

/** What some of the sample servers offer, as a client of their owners reports it: definitions as the servers give them. */
type Offers = z.input<typeof CapabilitiesReport>;

type Fields = Readonly<Record<string, object>>;

const text = (description: string) => ({ type: 'string', description });
const tool = (name: string, description: string, properties: Fields = {}, required = Object.keys(properties)) => ({
  name,
  description,
  inputSchema: { type: 'object', properties, ...(required.length > 0 && { required }) },
});

/** By the names of the servers. */
export const offers: Readonly<Record<string, Offers>> = {
  filesystem: {
    tools: [
      tool('read_text_file', 'Read a file as text.', { path: text('The file.') }),
      tool('write_file', 'Create a file, or overwrite it.', { path: text('The file.'), content: text('Its content.') }),
      tool('list_directory', 'List the files and folders of a folder.', { path: text('The folder.') }),
      tool('search_files', 'Find files by a pattern of their names.', { path: text('Where.'), pattern: text('Glob.') }),
    ],
  },
  memory: {
    tools: [
      tool('create_entities', 'Add entities to the graph.', { entities: { type: 'array', items: { type: 'object' } } }),
      tool('add_observations', 'Add observations to entities.', {
        observations: { type: 'array', items: { type: 'object' } },
      }),
      tool('search_nodes', 'Find entities by words.', { query: text('What to look for.') }),
      tool('read_graph', 'Read the whole graph.'),
    ],
  },
  github: {
    tools: [
      tool('search_repositories', 'Find repositories.', { query: text('In the syntax of the search of GitHub.') }),
      tool('get_file_contents', 'Read a file or folder.', {
        owner: text('Whose.'),
        repo: text('Which.'),
        path: text('Where in it.'),
      }),
      tool('create_issue', 'Open an issue.', {
        owner: text('Whose.'),
        repo: text('Which.'),
        title: text('Its title.'),
      }),
      tool('create_pull_request', 'Open a pull request.', {
        owner: text('Whose.'),
        repo: text('Which.'),
        title: text('Its title.'),
        head: text('The branch with the changes.'),
        base: text('The branch to change.'),
      }),
    ],
  },
  everything: {
    tools: [
      tool('echo', 'Echoes back the input.', { message: text('What to echo.') }),
      tool('add', 'Adds two numbers.', { a: { type: 'number' }, b: { type: 'number' } }),
      tool('longRunningOperation', 'Shows progress.', { duration: { type: 'number' }, steps: { type: 'number' } }, []),
    ],
    resources: [
      { uri: 'test://static/resource/1', name: 'Resource 1', mimeType: 'text/plain' },
      { uri: 'test://static/resource/2', name: 'Resource 2', mimeType: 'application/octet-stream' },
    ],
    resourceTemplates: [{ uriTemplate: 'test://static/resource/{id}', name: 'Static Resource' }],
    prompts: [
      { name: 'simple_prompt', description: 'A prompt without arguments.' },
      {
        name: 'complex_prompt',
        description: 'A prompt with arguments.',
        arguments: [{ name: 'temperature', required: true }, { name: 'style' }],
      },
    ],
  },
  fetch: {
    tools: [tool('fetch', 'Fetches a URL and extracts its contents as Markdown.', { url: text('What to fetch.') })],
    prompts: [
      { name: 'fetch', description: 'Fetch a URL and extract it.', arguments: [{ name: 'url', required: true }] },
    ],
  },
  time: {
    tools: [
      tool('get_current_time', 'The time in a time zone.', { timezone: text('An IANA name, such as Europe/Berlin.') }),
      tool('convert_time', 'Converts a time between time zones.', {
        source_timezone: text('From.'),
        time: text('HH:MM.'),
        target_timezone: text('To.'),
      }),
    ],
  },
  playwright: {
    tools: [
      tool('browser_navigate', 'Go to a URL.', { url: text('Where to.') }),
      tool('browser_snapshot', 'The accessibility snapshot of the page.'),
      tool('browser_click', 'Click on an element.', { element: text('In words.'), ref: text('Of the snapshot.') }),
      tool('browser_type', 'Type into an element.', { ref: text('Of the snapshot.'), text: text('What to type.') }),
    ],
  },
  context7: {
    tools: [
      tool('resolve-library-id', 'Finds the id of a library.', { libraryName: text('Its name.') }),
      tool('get-library-docs', 'Documentation of a library.', {
        context7CompatibleLibraryID: text('Its id.'),
        topic: text('What about.'),
      }),
    ],
  },
};
