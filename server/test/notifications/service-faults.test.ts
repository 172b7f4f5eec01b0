// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { beforeEach, describe, test } from 'node:test';
import { storeSettingsOf } from '../../src/app/connections.ts';
import { DAY, HOUR } from '../../src/base/clock.ts';
import { asAdmin } from '../support/app/admin.ts';
import { environmentOf, runCommand } from '../support/app/command.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { toldTo } from '../support/notifications/told.ts';

/** The number of the device of each directory, and the bytes available on each device. */
let devices: Readonly<Record<string, number>> = {};
let availableBytes: readonly number[] = [];
const options = {
  env: { HOLDALL_MIN_FREE_DISK_BYTES: '1000000', HOLDALL_ACCESS_TOKEN_TTL: '30d' },
  measureDisk: async (directory: string) => {
    const device = devices[directory] ?? 0;
    return { device, availableBytes: availableBytes[device] ?? Number.MAX_SAFE_INTEGER };
  },
};
const holdall = await startHoldall(options);
const second = isPostgres ? await startHoldall({ ...options, beside: holdall }) : holdall;
const { app, clock } = holdall;
clock.stop();
const admin = await holdall.admin();
const user = await holdall.register('user');

const told = () => toldTo(holdall, admin, 'SERVICE_FAULT');
const fail = async () => {
  throw new Error('The store does not answer.');
};
const runFailing = (name: string, { jobRuns } = app) => assert.rejects(jobRuns.record(name, fail));

describe('a failed job', () => {
  test('is told to all administrators when it begins to fail, and once a day while it does', async () => {
    const other = await holdall.register('other');
    await asAdmin(admin).user(other, 'role', { role: 'ADMIN' });
    const banned = await holdall.register('banned');
    await asAdmin(admin).user(banned, 'role', { role: 'ADMIN' });
    await asAdmin(admin).user(banned, 'status', { banned: true });
    await Promise.all([runFailing('sweep'), runFailing('sweep', second.app), runFailing('sweep')]);
    const fault = { fault: 'JOB', name: 'sweep', message: 'The store does not answer.' };
    for (const person of [admin, other]) {
      assert.deepEqual(await toldTo(holdall, person, 'SERVICE_FAULT'), [fault]);
    }
    for (const person of [user, banned]) {
      assert.deepEqual(await toldTo(holdall, person, 'SERVICE_FAULT'), []);
    }
    clock.advance(22 * HOUR);
    await runFailing('sweep');
    assert.equal((await told()).length, 1);
    clock.advance(HOUR);
    await runFailing('sweep');
    assert.equal((await told()).length, 2);
  });

  test('is told at most once a day, even if it sometimes succeeds', async () => {
    const before = (await told()).length;
    for (let count = 0; count < 3; count += 1) {
      await runFailing('flapping');
      await app.jobRuns.record('flapping', async () => {});
      clock.advance(10 * HOUR);
    }
    assert.equal((await told()).length, before + 1);
    await Promise.all([runFailing('flapping'), runFailing('flapping', second.app)]);
    assert.equal((await told()).length, before + 2);
  });

  test('is told if it continued despite its fault', async () => {
    const before = (await told()).length;
    await app.jobRuns.record('careful', async () =>
      app.jobRuns.noteFault('careful', new Error('One object.')),
    );
    assert.deepEqual((await told()).slice(before), [
      { fault: 'JOB', name: 'careful', message: 'One object.' },
    ]);
  });
});

test('a doctor and a backup that fail are told, also those that are run as commands', async () => {
  const before = (await told()).length;
  await runFailing('doctor --deep');
  await runFailing('backup');
  const { database } = app;
  await database.transact((tx) =>
    tx.updateTable('drive').set({ file_count: 7 }).where('id', '=', user.driveId).execute(),
  );
  assert.equal((await runCommand(environmentOf(holdall), ['doctor'])).code, 1);
  assert.deepEqual((await told()).slice(before), [
    { fault: 'DOCTOR', name: 'doctor --deep', message: 'The store does not answer.' },
    { fault: 'BACKUP', name: 'backup', message: 'The store does not answer.' },
    { fault: 'DOCTOR', name: 'doctor', message: '1 fault was found.' },
  ]);
  await runCommand(environmentOf(holdall), ['doctor', '--repair']);
  assert.equal((await runCommand(environmentOf(holdall), ['doctor'])).code, 0);
  assert.equal((await told()).length, before + 3);
});

describe('a disk that is almost full', () => {
  const { dataDir } = app.config;
  const objectsDir = storeSettingsOf(app.config).objectsDir;
  const check = () => Promise.all([app.diskWatch.check(), second.app.diskWatch.check()]);
  beforeEach(async () => {
    devices = { [dataDir]: 0, [objectsDir]: 0 };
    availableBytes = [2_000_000, 2_000_000];
    await check();
    clock.advance(DAY);
  });

  test('is told once, even if its space comes and goes', async () => {
    const before = (await told()).length;
    await check();
    assert.equal((await told()).length, before);
    availableBytes = [999_999];
    await check();
    await check();
    const [fault, ...others] = (await told()).slice(before);
    assert.deepEqual(others, []);
    assert.deepEqual([fault?.fault, fault?.name], ['DISK', dataDir]);
    assert.ok(
      fault?.message.startsWith(
        `The disk of ${dataDir} on ${hostname()} has 1 MB available, ` +
          'less than HOLDALL_MIN_FREE_DISK_BYTES (1 MB)',
      ),
    );
    for (const bytes of [1_000_000, 0, 2_000_000, 0]) {
      availableBytes = [bytes];
      await check();
    }
    assert.equal((await told()).length, before + 1);
    clock.advance(23 * HOUR);
    await check();
    assert.equal((await told()).length, before + 2);
  });

  test('lasts until a tenth more than the limit is available', async () => {
    const isLasting = async () => {
      const row = app.database.db.selectFrom('service_fault').where('name', '=', `DISK ${dataDir}`);
      return (await row.select('ended_at').executeTakeFirst())?.ended_at === null;
    };
    for (const [bytes, expected] of [
      ...[
        [1_000_000, false],
        [999_999, true],
        [1_000_000, true],
        [1_099_999, true],
      ],
      ...[
        [1_100_000, false],
        [1_000_000, false],
      ],
    ] as const) {
      availableBytes = [bytes];
      await check();
      assert.equal(await isLasting(), expected, `${bytes} bytes`);
    }
  });

  test('is told even if another disk is almost full as well', async () => {
    const before = (await told()).length;
    devices = { [dataDir]: 0, [objectsDir]: 1 };
    availableBytes = [0, 0];
    await check();
    const names = (await told()).slice(before).map(({ name }) => name);
    assert.deepEqual(names, [dataDir, objectsDir]);
  });
});

test('a fault that ended long ago is forgotten', async () => {
  const namesOf = async () => {
    const rows = await app.database.db.selectFrom('service_fault').select('name').execute();
    return rows.map(({ name }) => name);
  };
  await runFailing('gone');
  clock.advance(2 * DAY - 1);
  await runFailing('there');
  await app.serviceFaults.deleteOld();
  assert.ok((await namesOf()).includes('JOB gone'));
  clock.advance(1);
  await app.serviceFaults.deleteOld();
  assert.deepEqual(await namesOf(), ['JOB there']);
});
