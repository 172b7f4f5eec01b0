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

/** The engines that a backup can be restored into. */
interface TestConfiguration {
  readonly database: 'SQLite' | 'PostgreSQL';
  readonly storage: 'local disk' | 'S3';
}

/** SQLite and the local disk need no server, so this is available in every test run. */
export const EMBEDDED: TestConfiguration = { database: 'SQLite', storage: 'local disk' };

/** The configuration of this test run. */
export const CURRENT: TestConfiguration = {
  database: isPostgres ? 'PostgreSQL' : 'SQLite',
  storage: isS3 ? 'S3' : 'local disk',
};

/** All configurations available in this test run. */
export const AVAILABLE_CONFIGURATIONS: readonly TestConfiguration[] = [
  EMBEDDED,
  ...(isPostgres ? [{ ...EMBEDDED, database: 'PostgreSQL' } as const] : []),
  ...(isS3 ? [{ ...EMBEDDED, storage: 'S3' } as const] : []),
  ...(isPostgres && isS3 ? [CURRENT] : []),
];

interface EmptyInstallation {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly storage: TestStorage;
  readonly env: Environment;
  drop(): Promise<void>;
}

/** Creates an empty data directory, database and storage. */
export async function createEmptyInstallation(configuration: TestConfiguration): Promise<EmptyInstallation> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'holdall-restored-'));
  const database =
    configuration.database === 'SQLite'
      ? { url: undefined, drop: async () => {} }
      : await createTestDatabase();
  const bucket = createTestStorage();
  const storage: TestStorage =
    configuration.storage === 'S3' ? bucket : { ...bucket, env: {}, drop: () => bucket.drop() };
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

/** Restores a backup into an empty installation and starts a service on it. Both end with the test. */
export async function startRestored(
  of: Holdall,
  directory: string,
  configuration: TestConfiguration,
): Promise<Holdall> {
  const place = await createEmptyInstallation(configuration);
  const { code, complained } = await runCommand(place.env, ['restore', directory]);
  assert.equal(code, 0, complained.join('\n'));
  const restored = await startHoldall({
    env: { HOLDALL_ACCESS_TOKEN_TTL: '900d', HOLDALL_RATE_LIMITS: 'off' },
    // A separate clock: advancing it does not affect the original service.
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
