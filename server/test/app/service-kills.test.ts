// tier: full
// runs on: sqlite, postgres
// runs on, with --long: s3
// Kills a service under mixed load repeatedly. After each restart every acknowledged change must be there,
// and the books must balance.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../../tools/fuzz/requests/random.ts';
import { SEED } from '../../../tools/testing/seed.ts';
import { isLong } from '../../../tools/testing/tiers.ts';
import { type App, createApp } from '../../src/app/app.ts';
import { MINUTE, SECOND } from '../../src/base/clock.ts';
import { readConfig } from '../../src/config/config.ts';
import { runCommand } from '../support/app/command.ts';
import { Person } from '../support/app/person.ts';
import { TestClock } from '../support/app/test-clock.ts';
import { checkBooks } from '../support/checks/books.ts';
import { createTestDatabase } from '../support/database/test-database.ts';
import { AnnouncedLoad } from '../support/kills/announced-load.ts';
import { DriveLoad } from '../support/kills/drive-load.ts';
import { expireLocks, KilledService } from '../support/kills/killed-service.ts';
import type { Load } from '../support/kills/load.ts';
import { SessionLoad } from '../support/kills/session-load.ts';
import { ShareLoad } from '../support/kills/share-load.ts';
import { TaskLoad } from '../support/kills/task-load.ts';
import { TransferLoad } from '../support/kills/transfer-load.ts';
import { TusLoad } from '../support/kills/tus-load.ts';
import { createTestStorage, isS3 } from '../support/storage/test-storage.ts';
import { waitFor } from '../support/tasks/tasks.ts';

/**
 * Fewer with S3, which is slow. There the service differs only in transfers that go directly to the store.
 */
const LONG_ROUNDS = isS3 ? 100 : 1_000;
const ROUNDS = Number(process.env.HOLDALL_TEST_KILLS ?? (isLong ? LONG_ROUNDS : 1));
/**
 * After this many rounds, and after the last one, every file is read again, and the doctor runs and the
 * books are checked. The loads then meet the locks of the killed process. Other rounds only check each
 * change once.
 */
const ROUNDS_BETWEEN_AUDITS = 10;
/** The progress is printed each time after this many rounds. */
const ROUNDS_BETWEEN_LINES = 10;
const PEOPLE = 3;
/** Several loads share a person, so that requests of one account meet. */
const LOADS = [
  DriveLoad,
  DriveLoad,
  DriveLoad,
  AnnouncedLoad,
  SessionLoad,
  SessionLoad,
  TusLoad,
  TusLoad,
  ShareLoad,
  ShareLoad,
  TransferLoad,
  TaskLoad,
];

// No other process keeps the database open, so every start has to recover it.
const directory = await mkdtemp(path.join(tmpdir(), 'holdall-kills-'));
const { url: databaseUrl, drop } = await createTestDatabase();
const storage = createTestStorage();
const env = {
  HOLDALL_DATA_DIR: directory,
  ...(databaseUrl === undefined ? {} : { HOLDALL_DATABASE_URL: databaseUrl }),
  HOLDALL_DEV_LOGIN: 'true',
  HOLDALL_RATE_LIMITS: 'off',
  HOLDALL_ACCESS_TOKEN_TTL: '10d',
  HOLDALL_TASK_LEASE: '2s',
  HOLDALL_TASK_BACKOFF_SCALE: '0.01',
  // Runs maintenance so often that it is also killed.
  HOLDALL_CLEANUP_INTERVAL: '1s',
  HOLDALL_SWEEP_GRACE: '5m',
  HOLDALL_DOWNLOAD_URL_TTL: '2m',
  ...storage.env,
};
/** Longer than the grace time, after which objects without references are swept. */
const AUDIT_AHEAD_MS = 10 * MINUTE;

let service: KilledService | undefined;
after(async () => {
  await service?.end();
  await storage.drop();
  await drop();
  await rm(directory, { recursive: true, force: true });
});

const LIMIT = { timeout: 3 * MINUTE + ROUNDS * 30 * SECOND };

test('a service that is killed under load keeps every acknowledged change', LIMIT, async (t) => {
  const random = new Random(SEED);
  service = await KilledService.start(env, databaseUrl);
  const loads = await openLoads(service.url, random);
  let round = 0;
  try {
    while (round < ROUNDS) {
      const isAudited = (round + 1) % ROUNDS_BETWEEN_AUDITS === 0 || round + 1 === ROUNDS;
      await runRound(service, loads, { random, isAudited });
      round += 1;
      if (round % ROUNDS_BETWEEN_LINES === 0) process.stdout.write(`${describe(round, loads)}\n`);
    }
  } finally {
    t.diagnostic(describe(round, loads));
  }
});

/** Lets the loads work, kills the service while they do, restarts it, and compares everything. */
async function runRound(
  killed: KilledService,
  loads: readonly Load[],
  { random, isAudited }: { readonly random: Random; readonly isAudited: boolean },
): Promise<void> {
  const working = Promise.all(loads.map((load) => load.work()));
  await Promise.race([working, waitForAnswers(loads, random.between(1, 5 * loads.length))]);
  await sleep(random.below(30));
  await killed.kill();
  await working;
  if (isAudited) await audit();
  await killed.start();
  if (isAudited) for (const load of loads) load.clearReads();
  else await expireLocks(databaseUrl, directory);
  await Promise.all(loads.map((load) => load.check(toPersonAt(load, killed.url))));
}

async function openLoads(url: string, random: Random): Promise<readonly Load[]> {
  const people = await Promise.all(
    Array.from({ length: PEOPLE }, (_, index) => {
      const username = `person-${index}`;
      return new Person(username, url).enter('/api/auth/dev-login', { username, role: 'USER' });
    }),
  );
  const loads = LOADS.map((Kind, index) => {
    const person = people[index % PEOPLE] ?? assert.fail();
    return new Kind({ person, home: `/home-${index}`, random: new Random(random.below(2 ** 31)) });
  });
  await Promise.all(loads.map((load) => load.prepare()));
  return loads;
}

/** The login was also acknowledged, so no one has to log in again. */
function toPersonAt({ person }: Load, url: string): Person {
  return new Person(person.username, url).with(person.login);
}

async function waitForAnswers(loads: readonly Load[], count: number): Promise<void> {
  const target = sumOf(loads, 'acknowledged') + count;
  const patience = AbortSignal.timeout(MINUTE);
  while (sumOf(loads, 'acknowledged') < target) await sleep(2, undefined, { signal: patience });
}

/** Runs the doctor on what the kill has left, then maintenance, and then checks the books. */
async function audit(): Promise<void> {
  // Objects of killed requests are faults only if maintenance leaves them behind.
  const patient = { ...env, HOLDALL_SWEEP_GRACE: '1d' };
  const { code, said, complained } = await runCommand(patient, ['doctor', '--deep']);
  assert.equal(code, 0, [...said, ...complained].join('\n'));
  const clock = new TestClock();
  // If a store dates uploads by their start, objects younger than the longest upload are not swept.
  const config = readConfig({
    ...env,
    HOLDALL_LOG_LEVEL: 'fatal',
    HOLDALL_UPLOAD_SESSION_TTL: '1m',
    HOLDALL_WORKER_CONCURRENCY: '0',
  });
  const app = await createApp(config, { clock });
  try {
    // While an attempt runs, new objects may belong to it, so none are swept.
    await waitFor(
      async () => {
        await app.tasks.runner.recover();
        return await countRunningTasks(app);
      },
      (count) => count === 0,
      'the end of all attempts',
    );
    clock.advance(AUDIT_AHEAD_MS);
    await app.cleanUp();
    await checkBooks({ app });
  } finally {
    await app.close();
  }
  // Checked before the service restarts, because its tasks write there.
  assert.deepEqual(await listIncoming(), []);
}

async function countRunningTasks({ database }: App): Promise<number> {
  const found = await database.db.selectFrom('task').select('id').where('status', '=', 'RUNNING').execute();
  return found.length;
}

/** Lists files that are written but not yet named. None of them may be left after maintenance. */
async function listIncoming(): Promise<readonly string[]> {
  return isS3 ? [] : await readdir(path.join(directory, 'objects', '.incoming'));
}

function describe(round: number, loads: readonly Load[]): string {
  const [acknowledged, checked] = [sumOf(loads, 'acknowledged'), sumOf(loads, 'checked')];
  return `${round} of ${ROUNDS} rounds, ${checked} acknowledged changes found of ${acknowledged}, seed ${SEED}`;
}

function sumOf(loads: readonly Load[], count: 'acknowledged' | 'checked'): number {
  return loads.reduce((sum, load) => sum + load[count], 0);
}
