// tier: default
// runs on: sqlite
// runs on, with --full: s3
import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import { mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { inFull, isLong } from '../../../tools/testing/tiers.ts';
import { REMOVAL_LEASE, REMOVAL_LEASE_MS } from '../../src/app/foundation-parts.ts';
import { takeBackup } from '../../src/backup/backup.ts';
import { DAY, HOUR } from '../../src/base/clock.ts';
import { systemIds } from '../../src/base/ids.ts';
import { Blobs, STORE_ID_KEY } from '../../src/blobs/blobs.ts';
import { Database } from '../../src/database/database.ts';
import { Leases } from '../../src/leases/leases.ts';
import { environmentOf, runCommand, startCommand } from '../support/app/command.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { TestClock } from '../support/app/test-clock.ts';
import { checkBooks } from '../support/checks/books.ts';
import { at, CURRENT, EMBEDDED, listBackedUp, listRows, startRestored } from '../support/checks/restored.ts';
import { openEngine } from '../support/database/open-database.ts';

const scratch = await mkdtemp(path.join(tmpdir(), 'holdall-backup-'));
after(() => rm(scratch, { recursive: true }));
const holdall = await startHoldall({
  env: { HOLDALL_ACCESS_TOKEN_TTL: '900d', HOLDALL_RATE_LIMITS: 'off' },
});
const { app, clock } = holdall;
const env = environmentOf(holdall);
const KILLS = isLong ? 20 : 2;
const newDirectory = () => mkdtemp(path.join(scratch, 'to-'));

let person: Person;
before(async () => {
  person = await holdall.register('person');
});

test('the next backup copies only new objects, and removes unneeded ones', async () => {
  // A separate drive, because its clock would make objects of the other tests look old.
  const drive = await startHoldall({ env: { HOLDALL_ACCESS_TOKEN_TTL: '900d' } });
  const [someone, directory] = [await drive.register('someone'), await newDirectory()];
  const [kept, dropped] = [
    await someone.upload('/kept', 'kept'),
    await someone.upload('/dropped', 'dropped'),
  ];
  assert.match(await backUp(directory, drive), / 2 objects \(11 bytes\), 2 of them new\.$/);
  await someone.recycle(dropped);
  await someone.purge(dropped);
  drive.clock.advance(2 * DAY);
  await drive.app.cleanUp();
  await someone.upload('/added', 'added');
  assert.match(await backUp(directory, drive), / 2 objects \(9 bytes\), 1 of them new\.$/);
  assert.equal((await listBackedUp(directory)).length, 2);
  assert.equal((await listRows(directory)).length, 1);
  const restored = await startRestored(drive, directory, EMBEDDED);
  assert.equal(String(await at(restored, someone).download(kept)), 'kept');
  await checkBooks(restored);
});

for (const [code, fault] of [
  ['ENOSPC', 'is full'],
  ['EROFS', 'is read-only'],
] as const) {
  test(`a backup to a disk that ${fault} names its directory, and not the disk of the service`, async (context) => {
    const directory = await newDirectory();
    await person.upload(`/${code}`, code);
    const { open } = fs;
    context.mock.method(fs, 'open', (...parameters: Parameters<typeof open>) => {
      if (!String(parameters[0]).startsWith(directory)) return open(...parameters);
      const done = parameters.at(-1) as unknown as (error: Error) => void;
      setImmediate(() => done(Object.assign(new Error(code), { code })));
    });
    const { code: exitCode, complained } = await runCommand(env, ['backup', directory]);
    assert.equal(exitCode, 1);
    assert.match(complained.join(), new RegExp(`The disk of the backup directory ${directory} ${fault}\\.`));
    assert.doesNotMatch(complained.join(), /disk of this service/);
  });
}

describe('the next backup into the same directory', () => {
  let directory: string;
  before(async () => {
    directory = await newDirectory();
    await person.upload('/kept', 'kept');
    await backUp(directory);
  });

  test('leaves the previous backup usable when it is killed, and can be repeated', inFull, async () => {
    for (let round = 0; round < KILLS; round += 1) {
      for (let file = 0; file < 5; file += 1) {
        await person.upload(`/${round}-${file}`, new Uint8Array(randomBytes(50_000)));
      }
      const rows = new Set(await listRows(directory));
      const child = startCommand(env, ['backup', directory]);
      const end = once(child, 'close');
      // Kills the backup at a random point after it has created its first file.
      while (child.exitCode === null && (await listRows(directory)).every((name) => rows.has(name)))
        await sleep(2);
      await sleep(randomInt(60));
      child.kill('SIGKILL');
      await end;
      const restored = await startRestored(holdall, directory, EMBEDDED);
      assert.ok((await at(restored, person).names()).includes('kept'));
      await checkBooks(restored);
      // The next backup would wait until the lease of the killed one expires.
      await app.database.transact((tx) => tx.deleteFrom('lease').execute());
    }
    await backUp(directory);
    assert.equal((await listRows(directory)).length, 1);
    const restored = await startRestored(holdall, directory, CURRENT);
    assert.deepEqual(await at(restored, person).tree(), await person.tree());
    await checkBooks(restored);
  });

  test('copies an object again if its copy was cut short', async () => {
    const file = await person.upload('/cut', 'cut short');
    await backUp(directory);
    await truncate(path.join(directory, 'objects', await keyOf(file.id)), 3);
    assert.match(await backUp(directory), / 1 of them new\.$/);
    const restored = await startRestored(holdall, directory, EMBEDDED);
    assert.equal(String(await at(restored, person).download(file)), 'cut short');
  });

  test('leaves the previous backup usable when it is stopped', async () => {
    await person.upload('/before-the-stop', 'stop');
    const end = new AbortController();
    const stopped = await runCommand(env, ['backup', directory], {
      signal: end.signal,
      onProgress: (sentence) => /^Objects/.test(sentence) && end.abort(),
    });
    assert.deepEqual([stopped.code, stopped.complained], [130, ['Stopped.']]);
    const restored = await startRestored(holdall, directory, EMBEDDED);
    assert.ok(!(await at(restored, person).names()).includes('before-the-stop'));
    // The stopped backup has released its lease.
    await backUp(directory);
  });

  test('is rejected if the directory has backups of another drive, or other files', async () => {
    const other = await startHoldall();
    const refused = await runCommand(environmentOf(other), ['backup', directory]);
    assert.equal(refused.code, 1);
    assert.match(refused.complained.join(), /has the backups of another drive/);
    const foreign = await newDirectory();
    await writeFile(path.join(foreign, 'letter.txt'), 'dear');
    assert.match(
      (await runCommand(env, ['backup', foreign])).complained.join(),
      /has other files than backups/,
    );
    assert.deepEqual(await readdir(foreign), ['letter.txt']);
  });
});

describe('while a backup is made', () => {
  test('unreferenced objects are kept, and removed afterwards', async () => {
    const drive = await startHoldall({ env: { HOLDALL_ACCESS_TOKEN_TTL: '900d' } });
    const { database, store } = drive.app;
    const someone = await drive.register('someone');
    const file = await someone.upload('/fleeting', 'fleeting');
    const key = await keyOf(file.id, database);
    const lease = new Leases(database, drive.clock, 'backup').forName(REMOVAL_LEASE, REMOVAL_LEASE_MS);
    await someone.recycle(file);
    await someone.purge(file);
    drive.clock.advance(5 * HOUR);
    const isTaken = await lease.runExclusively(async () => {
      await drive.app.cleanUp();
      assert.ok(await store.find(key));
    });
    assert.ok(isTaken);
    await drive.app.cleanUp();
    assert.equal(await store.find(key), undefined);
  });

  test('a sweep that was paused until its lease expired removes nothing', async () => {
    const later = new TestClock();
    const sweeper = new Leases(app.database, later, 'sweeper').forName('a lease', REMOVAL_LEASE_MS);
    const backup = new Leases(app.database, later, 'backup').forName('a lease', REMOVAL_LEASE_MS);
    await sweeper.runExclusively(async () => {
      assert.ok(await app.database.transact((tx) => sweeper.lockIfHeld(tx)));
      later.advance(REMOVAL_LEASE_MS + 1);
      const isTaken = await backup.runExclusively(async () => {
        assert.ok(!(await app.database.transact((tx) => sweeper.lockIfHeld(tx))));
      });
      assert.ok(isTaken);
    });
  });

  test('another backup waits', async () => {
    const directory = await newDirectory();
    const lease = new Leases(app.database, clock, 'first').forName(REMOVAL_LEASE, REMOVAL_LEASE_MS);
    let waiting: ReturnType<typeof runCommand> | undefined;
    await lease.runExclusively(async () => {
      const isWaiting = Promise.withResolvers<void>();
      waiting = runCommand(env, ['backup', directory], {
        onProgress: (sentence) => /^Waiting/.test(sentence) && isWaiting.resolve(),
      });
      await isWaiting.promise;
      assert.deepEqual(await listRows(directory), []);
    });
    assert.equal((await waiting)?.code, 0);
  });

  test('an object that is migrated after the rows were read is found at its new location', async (context) => {
    const file = await person.upload('/moving', 'moving');
    const key = await keyOf(file.id);
    const [blobs, directory] = [
      new Blobs({ database: app.database, clock, ids: systemIds, policies: app.policies }),
      await newDirectory(),
    ];
    const open = blobs.open.bind(blobs);
    const newKey = blobs.newKey();
    context.mock.method(blobs, 'open', async (location: Parameters<typeof open>[0]) => {
      if (location.objectKey === key) {
        await app.store.copy(key, newKey);
        await app.database.transact((tx) =>
          tx.updateTable('blob').set({ object_key: newKey }).where('object_key', '=', key).execute(),
        );
        await app.store.remove([key]);
      }
      return open(location);
    });
    const snapshot = new Database(openEngine(holdall.databaseUrl, holdall.dataDir));
    const { missing } = await takeBackup(
      {
        database: app.database,
        snapshot,
        blobs,
        removalLease: new Leases(app.database, clock, 'mover').forName(REMOVAL_LEASE, REMOVAL_LEASE_MS),
        clock,
        ids: systemIds,
        driveId: (await app.settings.findMarker(app.database.db, STORE_ID_KEY)) ?? assert.fail(),
        version: 'test',
      },
      directory,
      { signal: new AbortController().signal },
    );
    await snapshot.close();
    assert.deepEqual(missing, []);
    assert.ok((await listBackedUp(directory)).includes(key));
    const restored = await startRestored(holdall, directory, EMBEDDED);
    assert.equal(String(await at(restored, person).download(file)), 'moving');
    await checkBooks(restored);
    await checkBooks(holdall);
  });
});

test('a damaged drive is backed up except for the damaged object, whose earlier copy is kept', async () => {
  const file = await person.upload('/unlucky', 'lucky?');
  const key = await keyOf(file.id);
  const kept = await newDirectory();
  await backUp(kept);
  for (const damage of [
    () => app.store.remove([key]),
    () => app.store.write(key, Readable.from([Buffer.from('broken')])),
  ]) {
    await damage();
    await backUp(kept);
    assert.equal(
      String(await at(await startRestored(holdall, kept, EMBEDDED), person).download(file)),
      'lucky?',
    );
    const { code, said, complained } = await runCommand(env, ['backup', await newDirectory()]);
    assert.equal(code, 1);
    assert.match(said.join('\n'), /The (bytes of|object) .*blob/);
    assert.match(complained.join(), /^One object is not in the backup; everything else is\.$/);
  }
  await app.store.write(key, Readable.from([Buffer.from('lucky?')]));
  await checkBooks(holdall);
});

async function backUp(directory: string, drive = holdall): Promise<string> {
  const { code, said, complained } = await runCommand(environmentOf(drive), ['backup', directory]);
  assert.equal(code, 0, complained.join('\n'));
  return said.join('\n');
}

async function keyOf(entryId: number, { db } = app.database): Promise<string> {
  const { object_key } = await db
    .selectFrom('entry')
    .innerJoin('blob', 'blob.id', 'entry.blob_id')
    .select('object_key')
    .where('entry.id', '=', entryId)
    .executeTakeFirstOrThrow();
  return object_key;
}
