import type { z } from 'zod';
import type { NewMcpServer } from '../mcp-servers/input.ts';
import type { PersonName } from './people.ts';

/** A server of the sample data, as a user added it. */
export interface SampleServer {
  /** Its owner: one of the sample people, or the owner of the sample data. */
  readonly by: PersonName | 'owner';
  /** How many days ago it was added. */
  readonly addedDaysAgo: number;
  /** How much it is used beside the others, from 1. */
  readonly popularity: number;
  readonly isPublic: boolean;
  readonly input: z.input<typeof NewMcpServer> & { readonly name: string };
}

/** What there is to say of it beside how it is started. */
export type Facts = Omit<SampleServer['input'], keyof Start>;

export const github = (path: string) => `https://github.com/${path}`;

/** How it is started or reached. */
export type Start = Pick<SampleServer['input'], 'packageType' | 'command' | 'args' | 'url' | 'transport'>;

/** How a package is started: as its own documentation says. */
export const npm = (name: string, ...args: string[]): Start => ({
  packageType: 'npm',
  command: 'npx',
  args: ['-y', name, ...args],
});
export const pypi = (name: string, ...args: string[]): Start => ({
  packageType: 'pypi',
  command: 'uvx',
  args: [name, ...args],
});
export const docker = (image: string, ...args: string[]): Start => ({
  packageType: 'docker',
  command: 'docker',
  args: ['run', '-i', '--rm', ...args, image],
});
export const remote = (url: string): Start => ({ transport: 'http', url });

export const reference = (folder: string) => github(`modelcontextprotocol/servers/tree/main/src/${folder}`);
