import { z } from 'zod';
import type { Tier } from '../platform/caller.ts';
import {
  instant,
  label,
  listOf,
  oneOf,
  pageRequest,
  storableText,
  trueOrFalse,
  whenValid,
} from '../platform/input/input.ts';

/** RFC 5321, 4.5.3.1.3: a path has at most 256 octets, two of them brackets. */
const emailMax = 254;
/** Characters as NIST SP 800-63B counts them: code points. Long enough for any passphrase, short enough to hash. */
const passwordMin = 8;
const passwordMax = 256;
const nameMax = 100;
/** Of a name or an e-mail address that is only looked up. */
const identifierMax = 1_000;
/** Rows of one page over REST. */
const pageRowsMax = 1_000;
const pageRowsDefault = 100;

export const scopes = ['read', 'write', 'admin'] as const;
export const channels = ['sdk', 'mcp'] as const;

/** Names that would pass for the platform itself, or for a path of it. Compared without `-` and `_`. */
const reservedUsernames = new Set(
  `about abuse account accounts admin administrator administrators admins agent agents anonymous api apidocs app apps
  assets auth authentication authorize billing blog bot callback chat clipboard collection collections config contact
  copyright cron dashboard default delete demo dev developer developers docs document documents download downloads
  everyone explore export false favicon feed ftp graphiql graphql guest health healthz help home hostmaster host http
  https image images imap import inbox index info internal invite jobs json legal localhost login logout mail mailer
  mailerdaemon marketing mcp me member members metrics moderator nan new news nil nobody noreply notification
  notifications null oauth official openapi operator owner ownership patchbay password patch ping pop3 postmaster
  pricing privacy private profile profiles project projects proxy public readyz register registry report rest robots
  root sales save search secret security self server servers service session sessions settings setup share signin
  signout signup sitemap smtp socket ssl staff static status staging store subscribe subscriptions sudo superuser
  support sys sysadmin system systems team teams terms test token trust true undefined unknown unsubscribe update
  upload usenet user username users verify void webhook webhooks webmaster well wellknown work workspace ws www www1
  www2 xml you your yourself`.split(/\s+/),
);

const isReserved = (username: string) => reservedUsernames.has(username.toLowerCase().replace(/[-_]/g, ''));

/**
 * 3 to 30 of A-Z, a-z, 0-9, underscore and hyphen. ASCII only, so that a name cannot imitate another one with similar
 * characters. Source: docs/specification/identity.md#user-names.
 */
export const UsernameForm = storableText('username')
  .min(3, 'username must be 3 to 30 characters')
  .max(30, { error: 'username must be 3 to 30 characters', abort: true })
  .regex(/^[A-Za-z0-9_-]+$/, 'username may hold only letters, digits, underscore and hyphen');

/** A name that a user may take while it is free. */
export const Username = UsernameForm.refine((username) => !isReserved(username), 'username is reserved');

// Characters beyond ASCII are valid in both halves (RFC 6531); invisible characters and white space are not. A dot is
// required: an address of this machine reaches no user. Each repetition ends at a character that it cannot contain, so
// matching takes linear time.
const emailPattern =
  /^[^\s\p{C}@"<>()[\],:;\\]{1,64}@(?:[\p{L}\p{N}][\p{L}\p{M}\p{N}-]{0,62}\.)+[\p{L}\p{N}][\p{L}\p{M}\p{N}-]{0,62}$/u;

/** Kept in NFKC and without white space around it, so that one address cannot be written in two ways. */
const Email = storableText('email')
  .max(1_000, { error: `email must be at most ${emailMax} characters`, abort: true })
  .trim()
  .normalize('NFKC')
  .max(emailMax, { error: `email must be at most ${emailMax} characters`, abort: true })
  .regex(emailPattern, 'email must be an email address');

const codePoints = (text: string) => [...text].length;

const password = (field: string) =>
  storableText(field)
    // Twice the limit in UTF-16 units: longer text is certainly too long and is not counted.
    .max(2 * passwordMax, { error: `${field} must be at most ${passwordMax} characters`, abort: true })
    .refine((text) => codePoints(text) <= passwordMax, `${field} must be at most ${passwordMax} characters`);

/** 8 to 256 characters of any kind; no rules about which (NIST SP 800-63B, 3.1.1.2). */
const newPassword = (field: string) =>
  password(field).refine(
    (text) => codePoints(text) >= passwordMin,
    `${field} must be at least ${passwordMin} characters`,
  );

/** A password that is compared only: whatever its length, it may be an old one. */
const givenPassword = (field: string) => password(field).min(1, `${field} is required`);

/** What POST /api/auth/sign-up takes. */
export const SignUp = z.object({ email: Email, username: Username, password: newPassword('password') });

const identifier = (field: string) =>
  storableText(field)
    .max(identifierMax, `${field} must be at most ${identifierMax} characters`)
    // Text that is too long stays as it is: normalizing could make it eighteen times as long.
    .overwrite((text) => (text.length > 2 * identifierMax ? text : text.trim().normalize('NFKC')))
    .nullish();

/**
 * What POST /api/auth/sign-in takes: the password and exactly one of e-mail and user name; null counts as absent. Their
 * form is not validated: a name that cannot exist is wrong credentials, like any other.
 */
export const SignIn = z
  .object({ email: identifier('email'), username: identifier('username'), password: givenPassword('password') })
  .superRefine(
    ({ email, username }, context) => {
      const given = (email ?? null) !== null;
      if (given !== ((username ?? null) !== null)) return;
      const message = given ? 'provide either email or username, not both' : 'either email or username is required';
      context.addIssue({ code: 'custom', path: ['email'], message });
    },
    whenValid('email', 'username'),
  );

/** What POST /api/auth/password takes. */
export const PasswordChange = z.object({
  currentPassword: givenPassword('currentPassword'),
  newPassword: newPassword('newPassword'),
});

/** What DELETE /api/auth/account takes. */
export const PasswordConfirmation = z.object({ password: givenPassword('password') });

const tiers = ['free', 'pro', 'enterprise'] as const satisfies readonly Tier[];

/** Which user an administrator disables or enables. A name that no user can have is answered like an unknown one. */
export const UserSwitch = z.object({
  username: storableText('username').max(identifierMax, `username must be at most ${identifierMax} characters`),
  isDisabled: trueOrFalse('isDisabled'),
});

/** The rate tier that an administrator sets. */
export const TierChange = z.object({
  projectUuid: z.string({ error: 'projectUuid must be a string' }),
  tier: oneOf('tier', tiers),
});

const Name = label('name', nameMax)
  .refine((name) => name.trim() !== '', 'name must not be blank')
  .trim();

/** An id in an input. The service treats a malformed id like an unknown one; only its type is validated here. */
const reference = (field: string) => z.string({ error: `${field} must be a string` }).nullish();

/** What POST /api/projects takes. */
export const NewProject = z.object({ name: Name });

/** What POST /api/profiles takes; the project is the caller's own if left out. */
export const NewProfile = z.object({ projectUuid: reference('projectUuid'), name: Name });

/** The profiles of one project; of the caller's own if left out. */
export const ProfileFilter = z.object({
  projectUuid: reference('projectUuid').describe('UUID of the project; your own project by default.'),
});

/** What POST /api/api-keys takes; the profile is the caller's own if left out. */
export const NewApiKey = z.object({
  profileUuid: reference('profileUuid'),
  name: Name,
  scopes: listOf('scopes', oneOf('each of scopes', scopes), {
    of: scopes.join(', '),
    min: 1,
    max: scopes.length,
  })
    .nullish()
    .transform((given) => scopes.filter((scope) => (given ?? ['read', 'write']).includes(scope))),
  channel: oneOf('channel', channels)
    .nullish()
    .transform((channel) => channel ?? 'sdk'),
  expiresAt: instant('expiresAt').nullish(),
});

/** The keys of one profile; of the caller's own if left out. */
export const ApiKeyFilter = z.object({
  profileUuid: reference('profileUuid').describe('UUID of the profile; your own profile by default.'),
});

/** A page by offset, for REST. */
export const PageRequest = pageRequest(pageRowsMax, pageRowsDefault);
