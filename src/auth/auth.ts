import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { Logger } from '../platform/logger.ts';
import { createApiKeys } from './api-keys.ts';
import { createCredentials } from './credentials.ts';
import { createInternalAccounts } from './internal-accounts.ts';
import { createPasswords, type PasswordCost } from './passwords.ts';
import { createProfiles } from './profiles.ts';
import { createProjects } from './projects.ts';
import { createSessions } from './sessions.ts';
import { createUsernames } from './usernames.ts';
import { createUsers } from './users.ts';

interface AuthDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** What a hash of a password costs; see passwords.ts for the default. */
  readonly passwordCost?: PasswordCost | undefined;
}

export type Auth = ReturnType<typeof createAuth>;

/** Who somebody is and whose data they work on: users, their sessions, projects, profiles and API keys. */
export function createAuth({ database, clock, log, passwordCost }: AuthDependencies) {
  const sessions = createSessions({ database, clock });
  const passwords = createPasswords(passwordCost);
  return {
    users: createUsers({ database, clock, sessions, passwords }),
    usernames: createUsernames({ database }),
    internalAccounts: createInternalAccounts({ database, clock, passwords }),
    sessions,
    projects: createProjects({ database, clock }),
    profiles: createProfiles({ database, clock }),
    apiKeys: createApiKeys({ database, clock, log }),
    credentials: createCredentials({ database, clock }),
  };
}
