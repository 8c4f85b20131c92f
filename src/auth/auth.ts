import type { RateLimits } from '../platform/limits/rate-limits.ts';
import type { Platform } from '../platform/platform.ts';
import { createAccounts } from './accounts.ts';
import { createAdministration } from './administration.ts';
import { createAgentCredentials } from './agent-credentials.ts';
import { createApiKeys } from './api-keys.ts';
import { createCredentials } from './credentials.ts';
import { createGuesses } from './guesses.ts';
import { createInternalAccounts } from './internal-accounts.ts';
import { createPasswords, type PasswordCost } from './passwords.ts';
import { createProfiles } from './profiles.ts';
import { createProjects } from './projects.ts';
import { createRemoval, type RemoveContents } from './removal.ts';
import { createSessions } from './sessions.ts';
import { createUsernames } from './usernames.ts';

interface AuthDependencies extends Pick<Platform, 'database' | 'clock' | 'log'> {
  readonly rateLimits: Pick<RateLimits, 'countGuess'>;
  /** What a hash of a password costs; see passwords.ts for the default. */
  readonly passwordCost?: PasswordCost | undefined;
  /** How other areas remove their data of a deleted profile. */
  readonly contents?: readonly RemoveContents[];
}

export type Auth = ReturnType<typeof createAuth>;

/** Identity and tenancy: users, sessions, projects, profiles and API keys. */
export function createAuth({ database, clock, log, rateLimits, passwordCost, contents = [] }: AuthDependencies) {
  const sessions = createSessions({ database, clock });
  const passwords = createPasswords(passwordCost);
  const guesses = createGuesses({ database, clock, rateLimits });
  const accounts = createAccounts({ database, clock, sessions, passwords, guesses });
  const apiKeys = createApiKeys({ database, clock });
  return {
    accounts,
    usernames: createUsernames({ database }),
    internalAccounts: createInternalAccounts({ database, clock, passwords }),
    sessions,
    guesses: { purgeNetworks: guesses.purgeNetworks },
    projects: createProjects({ database, clock }),
    profiles: createProfiles({ database, clock }),
    apiKeys,
    removal: createRemoval({ database, clock, log, accounts, apiKeys, contents }),
    administration: createAdministration({ database, clock, apiKeys }),
    credentials: createCredentials({ database, clock }),
    agentCredentials: createAgentCredentials({ database, clock }),
  };
}
