import { z } from 'zod';
import { storableText, trueOrFalse, upTo } from '../platform/input/input.ts';

/** UTF-16 code units, as JSON Schema's `maxLength` is read by most. */
const bioMax = 1_000;
const urlMax = 2_048;
const linksMax = 20;
/** Bytes of all links as JSON: a profile is read by others, a hundred on a page. */
const linksBytesMax = 8_192;
/** Bytes of what a profile holds beside its name and its numbers, at most. */
export const profileBytesMax = 3 * bioMax + 3 * urlMax + linksBytesMax;

/** Profiles of a page of the graph, and those found by their ids at once. */
export const profilesMax = 100;

/** A site is called as clients call it: `github`, `x`, `linkedin`, `website`, `mastodon`, … */
const kindPattern = /^[a-z][a-z0-9_-]{0,31}$/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: the characters to refuse; tabs and line ends are text
const controlCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

/** Plain text. What looks like HTML is text too: it is escaped where it is shown. */
const Bio = storableText('bio')
  .max(bioMax, `bio must be at most ${bioMax} characters`)
  .refine(
    upTo(bioMax, (bio) => !controlCharacters.test(bio)),
    'bio must not contain control characters',
  );

/**
 * The mistake of a URL that other users will open, as the rest of a sentence; null for none. Text that browsers and
 * readers could understand differently is rejected.
 */
function mistakeIn(text: string): string | null {
  if (text.length > urlMax) return `must be at most ${urlMax} characters`;
  if (/[\p{Z}\p{C}\\"<>^`{|}]/u.test(text))
    return 'must not contain white space, control characters or any of \\"<>^`{|}';
  const [, scheme, authority] = /^([a-z][a-z0-9+.-]*):\/*([^/?#]*)/i.exec(text) ?? [];
  if (scheme !== undefined && !/^https?$/i.test(scheme)) return 'must use http or https';
  if (!scheme || !authority || !/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text)) return 'must be a valid URL';
  return authority.includes('@') ? 'must not contain a user name or password' : null;
}

/** The address of a picture or a page: http or https. `field` is what messages call it. */
const webAddress = (field: string) =>
  storableText(field)
    .superRefine((text, context) => {
      const mistake = mistakeIn(text);
      if (mistake) context.addIssue({ code: 'custom', message: `${field} ${mistake}` });
    })
    .meta({ format: 'uri', maxLength: urlMax });

/**
 * A map from a kind of site to a URL, at most 20. `field` is what messages call it. Not `z.record`, which would silently drop
 * a member named `__proto__`.
 */
const linksBySite = (field: string) =>
  z
    .custom<Readonly<Record<string, string>>>(
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      { error: `${field} must be an object`, abort: true },
    )
    .superRefine((links, context) => {
      const refuse = (message: string, kind?: string) =>
        context.addIssue({ code: 'custom', message, ...(kind && { path: [kind] }) });
      if (Object.keys(links).length > linksMax) return refuse(`${field} must have at most ${linksMax} links`);
      for (const [kind, url] of Object.entries(links)) {
        // The name is the client's text: a malformed one is not repeated.
        if (kind.length > 32 || !kindPattern.test(kind))
          return refuse(`${field} must have names of sites: 1 to 32 of a-z, 0-9, _ and -, beginning with a letter`);
        const { error } = webAddress(`${field}.${kind}`).safeParse(url);
        if (error) refuse(error.issues[0]?.message ?? '', kind);
      }
      if (Buffer.byteLength(JSON.stringify(links)) > linksBytesMax) refuse(`${field} must be at most 8 kB of JSON`);
    })
    .meta({
      type: 'object',
      maxProperties: linksMax,
      additionalProperties: { type: 'string', format: 'uri', maxLength: urlMax },
    });

const shownOrNot = (field: string) =>
  trueOrFalse(field)
    .nullish()
    .transform((isShown) => isShown ?? undefined);

/**
 * The body of PATCH /api/users/profile. Omitted fields keep their values; null clears, and leaves `isPublic` as it is.
 * Source: docs/specification/users.md#update.
 */
export const ProfileChange = z.object({
  bio: Bio.nullish(),
  isPublic: shownOrNot('isPublic'),
  avatarUrl: webAddress('avatarUrl').nullish(),
  socialLinks: linksBySite('socialLinks').nullish(),
});

/** The same as the specification spells it. */
export const ProfileChangeBody = z.object({
  bio: Bio.nullish(),
  is_public: shownOrNot('is_public'),
  avatar_url: webAddress('avatar_url').nullish(),
  social_links: linksBySite('social_links').nullish(),
});

/** A name to check. Its form is not validated: a malformed name is not available. */
export const UsernameQuestion = z.object({
  username: storableText('username').min(1, 'username is required').describe('The user name to check.'),
});
