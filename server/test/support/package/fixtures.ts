// Small data directories of released schemas: see docs/upgrading.md.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { MIGRATIONS } from '../../../src/database/migrator.ts';
import { PASSWORD, type Person } from '../app/person.ts';

export const FIXTURES = path.join(import.meta.dirname, '..', '..', 'fixtures', 'releases');

/** The people in every fixture, with their passwords. */
export const PEOPLE = { admin: 'the admin of this fixture', alice: PASSWORD } as const;

/** A file or directory of a person. */
export interface FixtureFile {
  readonly owner: string;
  readonly path: string;
  readonly modifiedAt: string;
  /** Hexadecimal; null for a directory. */
  readonly sha256: string | null;
}

interface Fixture {
  readonly name: string;
  /** The last migration that the database has. */
  readonly lastStep: string;
  readonly files: readonly FixtureFile[];
}

/** One fixture for each released version; none before the first release. */
export function listFixtures(): readonly Fixture[] {
  return (existsSync(FIXTURES) ? readdirSync(FIXTURES) : []).sort().map((name) => ({
    name,
    ...JSON.parse(readFileSync(path.join(FIXTURES, name, 'expected.json'), 'utf8')),
  }));
}

/** The fixtures whose schema is older than that of this version. */
export function listEarlierFixtures(): readonly Fixture[] {
  return listFixtures().filter(({ lastStep }) => lastStep !== MIGRATIONS.at(-1)?.name);
}

/** Copies the data directory of a fixture. */
export function unpackFixture({ name }: Fixture, dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const source = path.join(FIXTURES, name);
  writeFileSync(
    path.join(dataDir, 'holdall.db'),
    gunzipSync(readFileSync(path.join(source, 'holdall.db.gz'))),
    {
      mode: 0o600,
    },
  );
  if (existsSync(path.join(source, 'objects'))) {
    cpSync(path.join(source, 'objects'), path.join(dataDir, 'objects'), { recursive: true });
  }
}

/** What a person has now, in the order of the lists. */
export async function toFixtureFiles(person: Person): Promise<readonly FixtureFile[]> {
  const files: FixtureFile[] = [];
  for (const record of await person.tree()) {
    const hash = createHash('sha256');
    if (!record.directory) hash.update(await person.download(record));
    files.push({
      owner: person.username,
      path: record.path,
      modifiedAt: record.modifiedAt,
      sha256: record.directory ? null : hash.digest('hex'),
    });
  }
  return files;
}
