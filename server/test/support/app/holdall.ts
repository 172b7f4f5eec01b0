import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { type Logger, pino } from 'pino';
import { onFileEnd } from '../../../../tools/testing/file-end.ts';
import { useTestPasswordCost } from '../../../src/accounts/passwords/passwords.ts';
import { type App, type AppOverrides, createApp } from '../../../src/app/app.ts';
import type { ObjectClaims } from '../../../src/blobs/blobs.ts';
import { readConfig } from '../../../src/config/config.ts';
import type { OnQuery } from '../../../src/database/database.ts';
import { findPersonalDrive } from '../../../src/drives/drives.ts';
import type { PushNetwork } from '../../../src/notifications/push/push.ts';
import type { Job } from '../../../src/tasks/engine/job.ts';
import { AT_REST } from '../content-search/at-rest.ts';
import { createTestDatabase } from '../database/test-database.ts';
import { createTestStorage, type TestStorage } from '../storage/test-storage.ts';
import { Person } from './person.ts';
import { TestClock } from './test-clock.ts';

export const ADMIN_PASSWORD = 'the admin of these tests';

const DECODING_MS = 120_000;

useTestPasswordCost();

/** A running Holdall for one test file, and its users. */
export interface Holdall {
  readonly url: string;
  readonly app: App;
  readonly clock: TestClock;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  /** Where its objects are stored, unless the environment in the options says otherwise. */
  readonly storage: TestStorage;
  /** A user without a login. */
  readonly anonymous: Person;
  /** The admin of the first start, logged in. */
  admin(): Promise<Person>;
  /** Registers a user with the current invite code and logs in. A suffix makes the name unique. */
  register(name?: string): Promise<Person>;
  inviteCode(): Promise<string>;
  /**
   * Registers the end of something that uses the database and the data directory, to run before they are
   * removed. An `after` hook of a second instance would run too late, because Node runs hooks in the order in
   * which they were added.
   */
  endBeforeRemoval(end: () => Promise<void>): void;
}

interface HoldallOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Starts on the database and the storage of another Holdall, which may still run. */
  readonly beside?: Holdall;
  /** The storage for its objects; by default a new one. */
  readonly storage?: TestStorage;
  /** For tests that read the log. */
  readonly logger?: Logger;
  /** For tests of connections to PostgreSQL that break. */
  readonly postgres?: AppOverrides['postgres'];
  /** For tests that count or read the SQL statements. */
  readonly onQuery?: OnQuery;
  /** Jobs that replace those of the same types. */
  readonly jobs?: readonly Job[];
  /** Claims on objects in addition to those of the service. */
  readonly objectClaims?: readonly ObjectClaims[];
  /** The time between two heartbeats of an event stream. */
  readonly eventBeatMs?: number;
  /** The maximum number of entries in one copy, import or ZIP download. */
  readonly maxTreeEntries?: number;
  /** How long the decoding of one picture may take. By default long: a busy machine starts a decoder slowly. */
  readonly decodingMs?: number;
  /** How the free space of the data directory is measured. */
  readonly measureDisk?: AppOverrides['measureDisk'];
  /** How text is taken from files; by default in child processes. */
  readonly extraction?: AppOverrides['extraction'];
  /** When texts are taken; by default always. */
  readonly pressure?: AppOverrides['pressure'];
  /** How push services are reached; by default only public ones can be. */
  readonly pushNetwork?: PushNetwork;
  /** How long the limits on slow bodies take a second to be. */
  readonly bodyTickMs?: number;
}

// An uncaught error would end the program. The test runner catches it and would let the file pass.
const uncaught: unknown[] = [];
process.on('uncaughtExceptionMonitor', (error) => uncaught.push(error));
after(() => assert.deepEqual(uncaught, []));

/** Starts a Holdall that is closed after the test file (or the surrounding `describe`). */
export async function startHoldall(options: HoldallOptions = {}): Promise<Holdall> {
  const { beside } = options;
  const dataDir = beside?.dataDir ?? (await mkdtemp(path.join(tmpdir(), 'holdall-test-')));
  const database = beside
    ? { url: beside.databaseUrl, drop: async () => {} }
    : await createTestDatabase({ migratedFile: path.join(dataDir, 'holdall.db') });
  const storage = beside?.storage ?? options.storage ?? createTestStorage();
  const clock = beside?.clock ?? new TestClock();
  const config = readConfig({
    HOLDALL_PORT: '0',
    HOLDALL_DATA_DIR: dataDir,
    HOLDALL_DATABASE_URL: database.url,
    HOLDALL_ADMIN_PASSWORD: ADMIN_PASSWORD,
    HOLDALL_LOG_LEVEL: process.env.HOLDALL_TEST_LOG_LEVEL ?? 'fatal',
    ...storage.env,
    ...options.env,
  });
  const logger = options.logger ?? pino({ level: config.logLevel });
  const app = await createApp(config, {
    clock,
    logger,
    // Maintenance is off. It would run in the middle of a test that takes more than a minute, and change what
    // the test checks.
    isMaintained: false,
    postgres: options.postgres,
    ...(options.onQuery === undefined ? {} : { onQuery: options.onQuery }),
    ...(options.jobs === undefined ? {} : { jobs: options.jobs }),
    ...(options.objectClaims === undefined ? {} : { objectClaims: options.objectClaims }),
    ...(options.eventBeatMs === undefined ? {} : { eventBeatMs: options.eventBeatMs }),
    ...(options.maxTreeEntries === undefined ? {} : { maxTreeEntries: options.maxTreeEntries }),
    ...(options.measureDisk === undefined ? {} : { measureDisk: options.measureDisk }),
    decodingMs: options.decodingMs ?? DECODING_MS,
    pushNetwork: options.pushNetwork,
    extraction: options.extraction,
    pressure: options.pressure ?? AT_REST,
    ...(options.bodyTickMs === undefined ? {} : { bodyTickMs: options.bodyTickMs }),
  });
  const url = await app.listen();
  onFileEnd(() => removeParts(app));
  const users: (() => Promise<void>)[] = [];
  const endBeforeRemoval = beside?.endBeforeRemoval ?? ((end: () => Promise<void>) => void users.push(end));
  if (beside !== undefined) endBeforeRemoval(() => app.close());
  after(async () => {
    await Promise.all(users.map((end) => end()));
    await app.close();
    await database.drop();
    if (beside !== undefined) return;
    await storage.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const anonymous = new Person('anonymous', url);
  const inviteCode = async () => (await app.settings.findInviteCode(app.database.db)) ?? '';
  return {
    url,
    app,
    clock,
    dataDir,
    databaseUrl: database.url,
    storage,
    anonymous,
    inviteCode,
    endBeforeRemoval,
    admin: async () => new Person('admin', url).logIn(ADMIN_PASSWORD),
    register: async (name = 'person') => {
      const username = `${name}-${randomBytes(4).toString('hex')}`;
      const person = await new Person(username, url).register(await inviteCode());
      person.driveId = await findPersonalDrive(app.database.db, person.id);
      return person;
    },
  };
}

/**
 * Removes the parts of an application, which modules and closures of a test file keep in memory until the
 * process ends.
 */
function removeParts(app: App): void {
  for (const name of Object.keys(app)) Reflect.deleteProperty(app, name);
}
