import { parse as parseToml } from 'smol-toml';
import type { PackageType } from './input.ts';

/** The usable fields of a repository's manifest; null for a missing or unusable one. */
export interface Manifest {
  /** The name of the package in its package registry. */
  readonly packageName: string | null;
  readonly version: string | null;
  readonly description: string | null;
}

/** The files that make a repository a package of a type; the first that is there counts. Source: docs/specification/registry.md#submit. */
export const manifestFiles = {
  npm: ['package.json'],
  docker: ['Dockerfile'],
  pypi: ['pyproject.toml', 'setup.py'],
} as const satisfies Record<PackageType, readonly string[]>;

export type ManifestFile = (typeof manifestFiles)[PackageType][number];

/** Bytes of a manifest. */
export const manifestBytesMax = 256 * 1024;

/**
 * Parses a manifest without running any of it. Pure.
 *
 * @returns null for text that is not a manifest of its kind.
 */
export function readManifest(file: ManifestFile, source: string): Manifest | null {
  try {
    return readers[file](source.replace(/^\uFEFF/, ''));
  } catch {
    return null;
  }
}

const readers: Record<ManifestFile, (source: string) => Manifest | null> = {
  'package.json': (source) => {
    const fields = objectOf(JSON.parse(source));
    const packageName = fields && nameOf(fields.name, /^(?:@[a-z0-9-~][a-z0-9-._~]*\/)?[a-z0-9-~][a-z0-9-._~]*$/);
    return packageName
      ? { packageName, version: versionOf(fields.version), description: textOf(fields.description) }
      : null;
  },
  'pyproject.toml': (source) => {
    const toml = objectOf(parseToml(source, { maxDepth: 64 }));
    // What packages were described by before PEP 621; many still are.
    const fields = objectOf(toml?.project) ?? objectOf(objectOf(toml?.tool)?.poetry);
    if (!fields) return null;
    return {
      packageName: nameOf(fields.name, pythonName),
      version: versionOf(fields.version),
      description: textOf(fields.description),
    };
  },
  'setup.py': (source) => {
    if (!/\bsetup\s*\(/.test(source)) return null;
    // A program, which is not run: literal arguments are what can be read of it.
    const literal = (argument: RegExp) => argument.exec(source)?.[2];
    return {
      packageName: nameOf(literal(/\bname\s*=\s*(["'])([^"'\n]{1,500})\1/), pythonName),
      version: versionOf(literal(/\bversion\s*=\s*(["'])([^"'\n]{1,500})\1/)),
      description: textOf(literal(/\bdescription\s*=\s*(["'])([^"'\n]{1,500})\1/)),
    };
  },
  Dockerfile: (source) =>
    /^[ \t]*FROM[ \t]+\S/im.test(source) ? { packageName: null, version: null, description: null } : null,
};

/** Source: Python packaging, "Names and normalization". */
const pythonName = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/;

const objectOf = (value: unknown): Record<string, unknown> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;

const nameOf = (value: unknown, form: RegExp): string | null =>
  typeof value === 'string' && value.length <= 214 && form.test(value) ? value : null;

/** What could be a range, or more than a version, is none. */
const versionOf = (value: unknown): string | null =>
  typeof value === 'string' && /^v?\d[0-9A-Za-z.+!_-]{0,99}$/.test(value) && !/(?:^|\.)x(?:\.|$)/i.test(value)
    ? value
    : null;

/** One line of what may be any text: control characters and lone surrogates are no part of it. */
function textOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  return (
    value
      .toWellFormed()
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim() || null
  );
}
