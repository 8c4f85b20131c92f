import { describe, expect, it } from 'vitest';
import { databaseName } from '../../../src/main/process/database-name.ts';
import { migrate } from '../../../src/platform/database/migrate.ts';

describe('a sentence about the database', () => {
  it.each([
    [
      'postgres://someone:secret@db.example.com:5433/platform',
      'the database "platform" on db.example.com:5433 (DATABASE_URL)',
    ],
    [
      'postgresql://someone:s%40cret@db.example.com/platform?sslmode=disable',
      'the database "platform" on db.example.com:5432 (DATABASE_URL)',
    ],
    ['postgres://someone:secret@db.example.com', 'the database "someone" on db.example.com:5432 (DATABASE_URL)'],
    [
      'postgres://someone:secret@/platform?host=/run/postgresql',
      'the database "platform" on /run/postgresql:5432 (DATABASE_URL)',
    ],
  ])('names its host and name, and never its password: %s', (DATABASE_URL, name) => {
    expect(databaseName({ DATABASE_URL, DATA_DIR: './data' })).toBe(name);
  });

  it('names the folder of the embedded one', () => {
    expect(databaseName({ DATABASE_URL: undefined, DATA_DIR: './data' })).toBe('the embedded database in ./data');
  });

  it('that cannot be used says which, and why', async () => {
    const name = databaseName({ DATABASE_URL: undefined, DATA_DIR: './data' });
    const failed = migrate({ url: 'postgres://x:y@127.0.0.1:1/z', directory: '.', name });
    await expect(failed).rejects.toThrow(/^Cannot use the embedded database in \.\/data: .*ECONNREFUSED/);
    await expect(failed).rejects.not.toThrow('DATABASE_URL');
  });
});
