/** Why the embedded PostgreSQL cannot serve, in one sentence that says what to do about it. */
export class EmbeddedPostgresError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'EmbeddedPostgresError';
  }
}

/** The remedy that always exists: an external PostgreSQL. */
export const orElsewhere = 'or set DATABASE_URL to use another PostgreSQL';

/** Turns what the operating system says about files into a sentence; other errors pass as they are. */
export function explained(error: unknown, dataDir: string): unknown {
  if (!(error instanceof Error) || !('code' in error) || error instanceof EmbeddedPostgresError) return error;
  const message = fileProblem(String(error.code), 'path' in error ? String(error.path) : dataDir, dataDir);
  return message === undefined ? error : new EmbeddedPostgresError(message, { cause: error });
}

function fileProblem(code: string, file: string, dataDir: string): string | undefined {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
    // PostgreSQL's own code for it.
    case '53100':
      return `The disk that holds the data folder ${dataDir} is full: make room, set DATA_DIR to another folder, ${orElsewhere}.`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return (
        `User ${process.geteuid?.() ?? ''} may not use ${file}: change its owner or mode, ` +
        `set DATA_DIR to a folder that this user may write, ${orElsewhere}.`
      );
    case 'ENOTDIR':
    case 'EEXIST':
      return `The data folder ${dataDir} is not a folder: set DATA_DIR to another one, ${orElsewhere}.`;
    default:
      return undefined;
  }
}

/** True for an error of the operating system with one of these codes. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
