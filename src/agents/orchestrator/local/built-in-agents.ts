import { fileURLToPath } from 'node:url';

/** The Node program that runs for an image; null for an image that the local driver does not have. */
export type FindProgram = (image: string) => string | null;

const exampleAgent = fileURLToPath(new URL('../../../../deploy/example-agent/agent.ts', import.meta.url));

/**
 * The programs that the local driver runs. They come with the platform: a user can name one of them, and never a command.
 *
 * @param defaultImage The image of agents that name none. The example agent runs for it.
 */
export const builtInAgents =
  (defaultImage: string): FindProgram =>
  (image) =>
    image === defaultImage ||
    image === 'local:example-agent' ||
    /^(docker\.io\/)?patchbay\/example-agent([:@].*)?$/.test(image)
      ? exampleAgent
      : null;
