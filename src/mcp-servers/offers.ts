import type { CapabilityKind } from './capabilities.ts';

/** The capabilities as a server sent them, before validation. */
export type Said = Readonly<Partial<Record<CapabilityKind, readonly unknown[]>>>;

/** Something that a server offers, as it is stored. */
export interface Offer {
  readonly kind: CapabilityKind;
  readonly name: string;
  /** JSON. */
  readonly definition: string;
  /** Of the definition, in UTF-8. */
  readonly bytes: number;
}

/** Of one kind. */
export const offersMax = 500;
const nameLengthMax = 512;
const definitionBytesMax = 64 * 1024;
/** Of all that one server offers. */
const bytesMax = 1024 * 1024;
/** Members within members; what lies deeper becomes null. */
const depthMax = 32;

/** The identifying field of each kind of capability. Source: the Model Context Protocol, schema. */
const nameMember = { tool: 'name', resource: 'uri', resource_template: 'uriTemplate', prompt: 'name' } as const;

/**
 * Pure: the part of a server's capabilities that is stored, in its order. Text is stored unchanged, even if it contains
 * HTML, escape sequences or instructions to a model. Characters that PostgreSQL or UTF-8 cannot store (NUL, lone
 * surrogates) become U+FFFD. Items without a name, with a repeated name, or over a bound are left out.
 */
export function offersOf(said: Said): Offer[] {
  const offers: Offer[] = [];
  let total = 0;
  for (const kind of Object.keys(nameMember) as CapabilityKind[]) {
    const names = new Set<string>();
    for (const item of said[kind] ?? []) {
      if (names.size >= offersMax) break;
      if (typeof item !== 'object' || item === null || Array.isArray(item)) continue;
      const stored = storable(item, depthMax) as Record<string, unknown>;
      const name = stored[nameMember[kind]];
      if (typeof name !== 'string' || name === '' || name.length > nameLengthMax || names.has(name)) continue;
      const definition = JSON.stringify(stored);
      const bytes = Buffer.byteLength(definition);
      if (bytes > definitionBytesMax || total + bytes > bytesMax) continue;
      names.add(name);
      total += bytes;
      offers.push({ kind, name, definition, bytes });
    }
  }
  return offers;
}

function storable(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return text(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return null;
  if (Array.isArray(value)) return value.map((item) => storable(item, depth - 1));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [text(name), storable(item, depth - 1)]));
}

const text = (value: string) => value.toWellFormed().replaceAll('\u0000', '\ufffd');
