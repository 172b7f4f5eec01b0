// tier: default
// runs on: sqlite, s3
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { inFull, isLong } from '../../../tools/testing/tiers.ts';
import { EXCLUDED_TABLES } from '../../src/backup/backup.ts';
import { DAY } from '../../src/base/clock.ts';
import { Database } from '../../src/database/database.ts';
import { readTableShapes } from '../../src/database/dump/table-shapes.ts';
import { toNameColumns } from '../../src/database/name-columns.ts';
import { toTypeColumns } from '../../src/database/type-columns.ts';
import type { EntryRecord } from '../../src/drive/contract.ts';
import { environmentOf, runCommand, spawnCommand } from '../support/app/command.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import {
  AVAILABLE_CONFIGURATIONS,
  at,
  CURRENT,
  createEmptyInstallation,
  EMBEDDED,
  startRestored,
} from '../support/checks/restored.ts';
import { openEngine } from '../support/database/open-database.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { DriveWorker } from '../support/drive/drive-worker.ts';
import { packageOf } from '../support/zip/android-package.ts';

const scratch = await mkdtemp(path.join(tmpdir(), 'holdall-backup-'));
after(() => rm(scratch, { recursive: true }));
const holdall = await startHoldall({
  env: { HOLDALL_ACCESS_TOKEN_TTL: '900d', HOLDALL_RATE_LIMITS: 'off' },
});
const env = environmentOf(holdall);
const BACKED_UP_TABLES = [
  ...['account', 'active_day', 'app_password', 'audit', 'blob', 'blob_total', 'dav_lock', 'dav_property'],
  ...['drive', 'drive_member', 'ended_session', 'entry', 'entry_metadata', 'event', 'file_version'],
  ...['folder_link', 'identity', 'invite', 'known_login', 'last_activity', 'mobile_release'],
  ...['notification', 'notification_setting', 'passkey', 'push_subscription'],
  ...['recovery_code', 'request_count', 'session', 'setting', 'share'],
  ...['star', 'storage_policy', 'task', 'timeline_exclusion', 'totp'],
  ...['transfer_file', 'transfer_session', 'transfer_signal', 'used_login_ticket'],
];
/** The first backup of a busy drive is complete; each further one adds to it. */
const BUSY_ROUNDS = isLong ? 6 : 2;
/** Enough rows for several pages, both in the backup and in the doctor. */
const MANY = isLong ? 20_000 : 3_000;
/** The short form tests each database and each store once, and leaves out their other combinations. */
const CONFIGURATIONS = AVAILABLE_CONFIGURATIONS.filter(
  (_, index, { length }) => isLong || index === 0 || index === length - 1,
);
/**
 * For tests that do not depend on engine or store: the default tier runs them only on SQLite with local
 * disk.
 */
const onEmbedded = isPostgres ? inFull : {};
/** A pause of the load, which leaves the processor to the commands. */
const PAUSE_MS = 10;
const newDirectory = () => mkdtemp(path.join(scratch, 'to-'));

let alice: Person;
let large: EntryRecord;
let letter: EntryRecord;
const largeBytes = randomBytes(700_000);

before(async () => {
  alice = await holdall.register('alice');
  letter = await alice.upload('/Documents/wide/ünïcode 😀.txt', 'first');
  large = await alice.upload('/large.bin', new Uint8Array(largeBytes));
  await alice.upload('/empty', '');
  await alice.recycle(await alice.upload('/gone.txt', 'recycled'));
  // Deletes the entry with the highest id, which must not be used again after the restore.
  const last = await alice.upload('/last.txt', 'last');
  await alice.recycle(last);
  await alice.purge(last);
  const file = path.join(scratch, 'app.apk');
  await writeFile(file, packageOf());
  const words = ['release', 'publish', file, '--version-name', '1', '--version-code', '1'];
  assert.equal((await runCommand(env, words)).code, 0);
});

for (const configuration of CONFIGURATIONS) {
  test(
    `a drive is restored with its logins on ${configuration.database} and ${configuration.storage}, and can be used`,
    configuration === CONFIGURATIONS.at(-1) ? {} : inFull,
    async () => {
      const directory = await newDirectory();
      const { code, said, complained } = await spawnCommand(env, ['backup', directory]);
      assert.equal(code, 0, complained.join('\n'));
      assert.match(said.join(), /^Backed up \d+ rows and \d+ objects \(\d+ bytes\), \d+ of them new\.$/);
      const restored = await startRestored(holdall, directory, configuration);
      await checkBooks(restored);
      const there = at(restored, alice);
      assert.deepEqual(await there.tree(), await alice.tree());
      assert.deepEqual(await there.bin(), await alice.bin());
      assert.equal(await there.usedBytes(), await alice.usedBytes());
      assert.deepEqual(await there.download(large), largeBytes);
      assert.equal(String(await there.download(letter)), 'first');
      const packaged = await restored.anonymous.fetch('GET', '/api/app/android/download/holdall-1.apk');
      assert.deepEqual(new Uint8Array(await packaged.arrayBuffer()), new Uint8Array(packageOf()));
      assert.equal(await restored.inviteCode(), await holdall.inviteCode());

      // A new entry gets an id that was never used before.
      const [added, atHome] = [await there.upload('/added', 'added'), await alice.upload('/added', 'added')];
      assert.equal(added.id, atHome.id);
      await alice.recycle(atHome);
      await alice.purge(atHome);
      await there.restore((await there.bin()).items[0] ?? assert.fail());
      restored.clock.advance(2 * DAY);
      await restored.app.cleanUp();
      await checkBooks(restored);

      // The restored drive can be backed up and restored into the original engine and store.
      const second = await newDirectory();
      const again = await runCommand(environmentOf(restored), ['backup', second]);
      assert.equal(again.code, 0, again.complained.join());
      const home = await startRestored(holdall, second, CURRENT);
      await checkBooks(home);
      assert.equal(String(await at(home, alice).download(added)), 'added');
      assert.deepEqual(await at(home, alice).tree(), await there.tree());
    },
  );
}

test('every table of the schema is either backed up or excluded', onEmbedded, async () => {
  const directory = await newDirectory();
  assert.equal((await runCommand(env, ['backup', directory])).code, 0);
  const { tables } = JSON.parse(await readFile(path.join(directory, 'manifest.json'), 'utf8'));
  const names = tables.map(({ name }: { name: string }) => name);
  // Add a new table either here, or to EXCLUDED_TABLES of `backup/backup.ts`.
  assert.deepEqual(names.sort(), BACKED_UP_TABLES.toSorted());
  const { database } = holdall.app;
  const known = new Set([...BACKED_UP_TABLES, ...EXCLUDED_TABLES]);
  const shapes = await readTableShapes(database, database.db);
  assert.deepEqual(
    shapes.map(({ name }) => name).filter((name) => !known.has(name)),
    [],
  );
});

test('tasks, events, the audit log, activity and totals are restored', onEmbedded, async () => {
  const { database } = holdall.app;
  const busy = await holdall.register('busy');
  const before = { type: 'ARCHIVE', input: '{}', attempt: 3, max_attempts: 4, unknown_failures: 0 } as const;
  const times = { run_at: 1, created_at: 1, updated_at: 1 };
  await database.transact((tx) =>
    tx
      .insertInto('task')
      .values({
        ...{
          ...before,
          ...times,
          drive_id: busy.driveId,
          account_id: busy.id,
          status: 'RUNNING',
          progress: '{"far":1}',
        },
        ...{ attempt_count: 2, worker: 'elsewhere', started_at: 1 },
        ...{ heartbeat_at: 1, lease_expires_at: 9_000_000_000_000_000 },
      })
      .execute(),
  );
  await holdall.app.activity.flush();
  const directory = await newDirectory();
  const ends = [await runCommand(env, ['backup', directory])];
  const place = await createEmptyInstallation(CURRENT);
  ends.push(await runCommand(place.env, ['restore', directory]));
  assert.deepEqual(
    ends.map(({ code }) => code),
    [0, 0],
    ends.flatMap(({ complained }) => complained).join('\n'),
  );
  const restored = new Database(openEngine(place.databaseUrl, place.dataDir));
  const read = async ({ db }: Database) => ({
    audit: await db.selectFrom('audit').selectAll().orderBy('id').execute(),
    events: await db.selectFrom('event').selectAll().orderBy('id').execute(),
    requests: await db.selectFrom('request_count').selectAll().orderBy('quarter').execute(),
    days: await db.selectFrom('active_day').selectAll().orderBy('account_id').execute(),
    active: await db.selectFrom('last_activity').selectAll().orderBy('account_id').execute(),
    total: await db.selectFrom('blob_total').selectAll().execute(),
    metadata: await db.selectFrom('entry_metadata').selectAll().orderBy('entry_id').execute(),
    counts: await db.selectFrom('drive').select(['id', 'file_count', 'entry_count']).orderBy('id').execute(),
  });
  const home = await read(database);
  assert.ok(home.audit.length > 0 && home.events.length > 0 && home.days.length > 0);
  assert.deepEqual(await read(restored), home);
  const task = await restored.db.selectFrom('task').selectAll().executeTakeFirstOrThrow();
  // A running task is queued again, because its worker does not run it on the restored drive.
  assert.deepEqual(
    [task.status, task.worker, task.lease_expires_at, task.attempt, task.attempt_count, task.progress],
    ['QUEUED', null, null, 3, 1, '{}'],
  );
  await restored.close();
  await database.transact((tx) => tx.deleteFrom('task').execute());
  await place.drop();
});

test('only the owner of a backup can read it', onEmbedded, async () => {
  const directory = path.join(scratch, 'new', 'directory');
  assert.equal((await runCommand(env, ['backup', directory])).code, 0);
  assert.equal((await stat(directory)).mode & 0o777, 0o700);
  const file = path.join(directory, 'manifest.json');
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  const { rows, tables } = JSON.parse(await readFile(file, 'utf8'));
  assert.equal((await stat(path.join(directory, rows, 'account.jsonl'))).mode & 0o777, 0o600);
  const names = tables.map(({ name }: { name: string }) => name);
  assert.ok(names.includes('entry') && names.includes('setting') && names.includes('session'));
  assert.ok(!names.includes('lease'));
  // Only the owner can read it even in an existing directory that everyone can read.
  const open = await newDirectory();
  await chmod(open, 0o777);
  assert.equal((await runCommand(env, ['backup', open])).code, 0);
  for (const name of await readdir(open)) {
    assert.equal((await stat(path.join(open, name))).mode & 0o077, 0, name);
  }
});

test(
  'a backup of a busy drive has all acknowledged changes and passes the consistency checks',
  inFull,
  async () => {
    const directory = await newDirectory();
    const people: Person[] = [];
    for (const name of ['anna', 'ben', 'cleo']) people.push(await holdall.register(name));
    const workers = people.map((person) => new DriveWorker(person, '/home', PAUSE_MS));
    for (let round = 0; round < BUSY_ROUNDS; round += 1) {
      const working = Promise.all(workers.map((worker) => worker.work()));
      await sleep(100);
      const [mark] = await Promise.all(
        people.map((person) => person.upload(`/mark-${round}`, `mark ${round}`)),
      );
      const backup = await spawnCommand(env, ['backup', directory]);
      assert.equal(backup.code, 0, [...backup.said, ...backup.complained].join('\n'));
      const doctor = round === 0 ? await runCommand(env, ['doctor']) : undefined;
      assert.ok(doctor === undefined || doctor.code === 0, doctor?.said.join('\n'));
      for (const worker of workers) worker.rest();
      await working;
      const restored = await startRestored(holdall, directory, round === 0 ? CURRENT : EMBEDDED);
      await checkBooks(restored);
      const there = at(restored, people[0] ?? assert.fail());
      assert.equal(String(await there.download(mark ?? assert.fail())), `mark ${round}`);
    }
    assert.ok(workers.every(({ acknowledged }) => acknowledged > 0));

    // Without concurrent changes the backup equals the drive, byte by byte.
    assert.equal((await runCommand(env, ['backup', directory])).code, 0);
    const whole = await startRestored(holdall, directory, EMBEDDED);
    for (const [index, worker] of workers.entries()) {
      await worker.compare(at(whole, people[index] ?? assert.fail()));
    }
    await checkBooks(whole);
  },
);

test('a drive of many thousand entries is backed up, restored and examined', inFull, async () => {
  const many = await holdall.register('many');
  const { database } = holdall.app;
  const source = await many.upload('/source.txt', 'source');
  const root = await many.mkdir('/many');
  const { id: blobId } = await database.db
    .selectFrom('blob')
    .innerJoin('entry', 'entry.blob_id', 'blob.id')
    .select('blob.id')
    .where('entry.id', '=', source.id)
    .executeTakeFirstOrThrow();
  const driveId = many.driveId;
  const rows = Array.from({ length: MANY }, (_, index) => ({
    drive_id: driveId,
    parent_id: root.id,
    ...toNameColumns(`file-${index}`),
    is_directory: 0 as const,
    blob_id: blobId,
    ...toTypeColumns('text/plain'),
    size: 6,
    child_count: 0,
    created_at: 1,
    updated_at: 1,
  }));
  await database.transact(async (tx) => {
    for (let index = 0; index < rows.length; index += 1_000) {
      await tx
        .insertInto('entry')
        .values(rows.slice(index, index + 1_000))
        .execute();
    }
    await tx.updateTable('entry').set({ child_count: rows.length }).where('id', '=', root.id).execute();
    await tx
      .updateTable('blob')
      .set({ reference_count: rows.length + 1 })
      .where('id', '=', blobId)
      .execute();
    await tx
      .updateTable('drive')
      .set((drive) => ({
        used_bytes: 6 * (rows.length + 1),
        file_count: rows.length + 1,
        entry_count: drive('entry_count', '+', rows.length),
      }))
      .where('id', '=', driveId)
      .execute();
  });
  const directory = await newDirectory();
  assert.equal((await runCommand(env, ['backup', directory])).code, 0);
  const restored = await startRestored(holdall, directory, CURRENT);
  const page = await at(restored, many).list('/many', { size: 10, page: MANY / 10 - 1 });
  assert.equal(page.total, rows.length);
  assert.equal(String(await at(restored, many).download(page.items[9] ?? assert.fail())), 'source');
  const { code, said } = await runCommand(environmentOf(restored), ['doctor']);
  assert.equal(code, 0, said.join('\n'));
});
