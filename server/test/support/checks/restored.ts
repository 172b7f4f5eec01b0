import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { type Environment, runCommand } from '../app/command.ts';
import { type Holdall, startHoldall } from '../app/holdall.ts';
import { Person } from '../app/person.ts';
import { TestClock } from '../app/test-clock.ts';
import { createTestDatabase, isPostgres } from '../database/test-database.ts';
import { createTestStorage, isS3, type TestStorage } from '../storage/test-storage.ts';

/** What a backup can be restored into. */
export interface Ground {
  readonly database: 'SQLite' | 'PostgreSQL';
  readonly storage: 'local disk' | 'S3';
}

/** Without any server: there is one everywhere. */
export const SIMPLEST: Ground = { database: 'SQLite', storage: 'local disk' };

/** The one of this run. */
export const OWN: Ground = {
  database: isPostgres ? 'PostgreSQL' : 'SQLite',
  storage: isS3 ? 'S3' : 'local disk',
};

/** All that can be had in this run. */
export const GROUNDS: readonly Ground[] = [
  SIMPLEST,
  ...(isPostgres ? [{ ...SIMPLEST, database: 'PostgreSQL' } as const] : []),
  ...(isS3 ? [{ ...SIMPLEST, storage: 'S3' } as const] : []),
  ...(isPostgres && isS3 ? [OWN] : []),
];

export interface EmptyPlace {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly storage: TestStorage;
  readonly env: Environment;
  drop(): Promise<void>;
}

/** Where nothing has been yet. */
export async function makeEmptyPlace(ground: Ground): Promise<EmptyPlace> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'holdall-restored-'));
  const database =
    ground.database === 'SQLite' ? { url: undefined, drop: async () => {} } : await createTestDatabase();
  const bucket = createTestStorage();
  const storage: TestStorage =
    ground.storage === 'S3' ? bucket : { ...bucket, env: {}, drop: () => bucket.drop() };
  return {
    dataDir,
    databaseUrl: database.url,
    storage,
    env: { HOLDALL_DATA_DIR: dataDir, HOLDALL_DATABASE_URL: database.url, ...storage.env },
    drop: async () => {
      await database.drop();
      await storage.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Restores a backup into a place of its own, and starts a service on it; both end with the test. */
export async function startRestored(of: Holdall, directory: string, ground: Ground): Promise<Holdall> {
  const place = await makeEmptyPlace(ground);
  const { code, complained } = await runCommand(place.env, ['restore', directory]);
  assert.equal(code, 0, complained.join('\n'));
  const restored = await startHoldall({
    env: { HOLDALL_ACCESS_TOKEN_TTL: '900d', HOLDALL_RATE_LIMITS: 'off' },
    // A clock of its own: what one drive does later, the other does not.
    beside: { ...of, ...place, clock: new TestClock() },
  });
  after(() => place.drop());
  return restored;
}

/** The same person, with the same login, at the restored service. */
export function at(restored: Holdall, { username, login }: Person): Person {
  const there = new Person(username, restored.url);
  there.login = login;
  return there;
}

/** The keys of the objects in a backup. */
export async function listBackedUp(directory: string): Promise<readonly string[]> {
  const root = path.join(directory, 'objects');
  const found = await readdir(root, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('.incoming'))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .sort();
}

/** The directories of row files in a backup. */
export async function listRows(directory: string): Promise<readonly string[]> {
  return (await readdir(directory)).filter((name) => name.startsWith('rows-'));
}
