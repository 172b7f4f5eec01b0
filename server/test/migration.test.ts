import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { HOUR, SECOND } from '../src/base/clock.ts';
import type { EntryRecord } from '../src/drive/contract.ts';
import { JobFailure } from '../src/tasks/job.ts';
import { checkBooks } from './support/books.ts';
import { type Holdall, startHoldall } from './support/holdall.ts';
import {
  addPolicy,
  assertNothingLeft,
  countIn,
  countObjects,
  listPlaces,
  type MigrationParts,
  openMigrations,
  setEnabled,
  TestTask,
} from './support/migration.ts';
import type { Person } from './support/person.ts';
import { isS3 } from './support/test-storage.ts';

/** A service with two policies, and somebody with files of several sizes in the first. */
async function openPlaces(sizes: readonly number[] = [0, 1, 10_000, 300_000]) {
  // Clocks run ahead by days.
  const holdall = await startHoldall({ env: { HOLDALL_ACCESS_TOKEN_TTL: '10d' } });
  const source = (await holdall.app.policies.getDefault()).id;
  const target = await addPolicy(holdall);
  const alice = await holdall.register('alice');
  const files: { file: EntryRecord; bytes: Buffer<ArrayBuffer> }[] = [];
  for (const [index, size] of sizes.entries()) {
    const bytes = randomBytes(size);
    files.push({ file: await alice.upload(`/file-${index}`, bytes), bytes });
  }
  const tasks: TestTask[] = [];
  const begin = (input = { sourcePolicyId: source, targetPolicyId: target }) => {
    const task = new TestTask(input);
    tasks.push(task);
    return { task, attempt: task.begin(holdall) };
  };
  const open = (parts: Partial<MigrationParts> = {}) => openMigrations(holdall, () => tasks, parts);
  const checkFiles = () => checkDownloads(alice, files);
  return { holdall, source, target, alice, files, begin, open, checkFiles };
}

async function checkDownloads(person: Person, files: readonly { file: EntryRecord; bytes: Buffer }[]) {
  for (const { file, bytes } of files) assert.ok((await person.download(file)).equals(bytes), file.filename);
}

/** The grace time passes, and what is left is removed. */
async function endGrace(holdall: Holdall, { tidy }: ReturnType<typeof openMigrations>): Promise<void> {
  holdall.clock.advance(HOUR + SECOND);
  await tidy();
  await assertNothingLeft(holdall);
}

async function failureOf(run: Promise<void>): Promise<JobFailure> {
  const error: unknown = await run.then(
    () => assert.fail('nothing failed'),
    (reason) => reason,
  );
  assert.ok(error instanceof JobFailure, String(error));
  return error;
}

describe('a migration', () => {
  it('moves every object, which downloads as before, and removes the old ones after the grace time', async () => {
    const { holdall, source, target, files, begin, open, checkFiles } = await openPlaces();
    const before = await listPlaces(holdall);
    const { task, attempt } = begin();
    const migrations = open();
    await migrations.job.run(attempt);
    assert.equal(task.status, 'COMPLETED');
    const after = await listPlaces(holdall);
    assert.equal(after.length, files.length);
    for (const [index, { id, policyId, objectKey, sha256 }] of after.entries()) {
      assert.deepEqual([id, policyId, sha256], [before[index]?.id, target, before[index]?.sha256]);
      assert.notEqual(objectKey, before[index]?.objectKey);
    }
    await checkFiles();
    await checkBooks(holdall);

    assert.equal(await countObjects(holdall, source), files.length);
    await holdall.app.cleanUp();
    await migrations.tidy();
    assert.equal(await countObjects(holdall, source), files.length, 'kept for the grace time');
    await endGrace(holdall, migrations);
    assert.equal(await countObjects(holdall, source), 0);
    await holdall.app.cleanUp();
    await checkFiles();
    await checkBooks(holdall);
  });

  it('tells how far it has come', async () => {
    const { source, target, begin, open } = await openPlaces([100, 200, 300]);
    const { attempt } = begin();
    await open({ page: { objects: 1, bytes: 1 } }).job.run(attempt);
    const fixed = {
      sourcePolicyId: source,
      targetPolicyId: target,
      totalObjectCount: 3,
      totalBytes: 600,
    };
    assert.deepEqual(attempt.reports[0], {
      ...fixed,
      processedObjectCount: 0,
      processedBytes: 0,
      progressPercent: 0,
    });
    assert.deepEqual(attempt.reports.at(-1), {
      ...fixed,
      processedObjectCount: 3,
      processedBytes: 600,
      progressPercent: 100,
    });
    const percents = attempt.reports.map((members) => Number(members.progressPercent));
    assert.deepEqual(
      percents,
      percents.toSorted((one, other) => one - other),
    );
    assert.ok(percents.includes(16) && percents.includes(50), percents.join(' '));
  });

  it('moves nothing where nothing lies, and is done', async () => {
    const { holdall, source, target, begin, open } = await openPlaces([]);
    const { task, attempt } = begin({ sourcePolicyId: target, targetPolicyId: source });
    const migrations = open();
    await migrations.job.run(attempt);
    assert.equal(task.status, 'COMPLETED');
    assert.equal(attempt.state.progressPercent, 100);
    await endGrace(holdall, migrations);
  });

  it('moves an object once that several drives refer to', async () => {
    const { holdall, target, alice, files, begin, open, checkFiles } = await openPlaces([5_000]);
    const copy = await alice.copy(files[0]?.file ?? assert.fail(), '/Documents');
    const { attempt } = begin();
    await open().job.run(attempt);
    assert.equal(attempt.state.totalObjectCount, 1);
    assert.equal(await countIn(holdall, target), 1);
    assert.ok((await alice.download(copy)).equals(files[0]?.bytes ?? Buffer.of()));
    await checkFiles();
    await checkBooks(holdall);
  });

  it('goes there and back, and what is stored anew in between stays where it was stored', async () => {
    const { holdall, source, target, alice, files, begin, open, checkFiles } = await openPlaces();
    const migrations = open();
    const first = begin();
    await migrations.job.run(first.attempt);
    files.push({ file: await alice.upload('/later', 'later'), bytes: Buffer.from('later') });
    assert.deepEqual([await countIn(holdall, source), await countIn(holdall, target)], [1, 4]);
    // Within the grace time of the first: its old objects are still to be removed.
    await migrations.job.run(begin({ sourcePolicyId: target, targetPolicyId: source }).attempt);
    assert.deepEqual([await countIn(holdall, source), await countIn(holdall, target)], [5, 0]);
    await checkFiles();
    await endGrace(holdall, migrations);
    assert.deepEqual([await countObjects(holdall, source), await countObjects(holdall, target)], [5, 0]);
    await checkFiles();
    await checkBooks(holdall);
  });

  it('computes the checksums of bytes that nobody has hashed, and records them', async () => {
    const { holdall, begin, open, checkFiles } = await openPlaces();
    const recorded = await listPlaces(holdall);
    await holdall.app.database.transact((tx) =>
      tx.updateTable('blob').set({ sha256: null, crc32: null }).execute(),
    );
    await open().job.run(begin().attempt);
    const places = await listPlaces(holdall);
    assert.deepEqual(
      places.map((blob) => blob.sha256),
      recorded.map((blob) => blob.sha256),
    );
    const rows = await holdall.app.database.db.selectFrom('blob').select('crc32').execute();
    assert.ok(rows.every((row) => row.crc32 !== null));
    await checkFiles();
    await checkBooks(holdall);
  });

  it('moves 2,000 objects', { timeout: 240_000 }, async () => {
    const { holdall, source, target, alice, begin, open } = await openPlaces([]);
    await storeMany(alice, 2_000);
    assert.equal(await countIn(holdall, source), 2_000);
    const { attempt } = begin();
    const migrations = open();
    await migrations.job.run(attempt);
    assert.deepEqual([attempt.state.processedObjectCount, await countIn(holdall, target)], [2_000, 2_000]);
    await checkBooks(holdall, { deep: false });
    await endGrace(holdall, migrations);
    assert.deepEqual([await countObjects(holdall, source), await countObjects(holdall, target)], [0, 2_000]);
    await checkBooks(holdall, { deep: false });
  });
});

describe('whoever was told an old place', () => {
  it('finds the bytes by a signed address that was given before', async () => {
    const { holdall, alice, files, begin, open } = await openPlaces([300_000]);
    const [{ file, bytes } = assert.fail()] = files;
    const { url } = await alice.ask<{ url: string }>('GET', `/api/files/download/${file.id}/url`);
    await open().job.run(begin().attempt);
    const response = await fetch(url);
    assert.equal(response.status, 200);
    assert.ok(Buffer.from(await response.arrayBuffer()).equals(bytes));
    const now = await alice.ask<{ url: string }>('GET', `/api/files/download/${file.id}/url`);
    assert.notEqual(now.url, url);
    assert.ok(Buffer.from(await (await fetch(now.url)).arrayBuffer()).equals(bytes));
    await checkBooks(holdall);
  });

  it('reads on while blobs are switched, and opens what it has looked up before', async () => {
    const { holdall, alice, files, begin, open } = await openPlaces([3_000_000]);
    const [{ file, bytes } = assert.fail()] = files;
    const [{ policyId, objectKey } = assert.fail()] = await listPlaces(holdall);
    const reading = await alice.fetch('GET', `/api/files/download/${file.id}`);
    const migrations = open();
    await migrations.job.run(begin().attempt);
    await holdall.app.cleanUp();
    assert.ok(Buffer.from(await reading.arrayBuffer()).equals(bytes));
    assert.ok(await (await holdall.app.policies.getStore(policyId)).find(objectKey));
  });

  if (!isS3) {
    it('finds them by the address that a proxy serves, which names the directory of the policy', async () => {
      const { holdall, alice, files, begin, open } = await openPlaces([10]);
      const [{ file } = assert.fail()] = files;
      await open().job.run(begin().attempt);
      const { url } = await alice.ask<{ url: string }>('GET', `/api/files/download/${file.id}/url`);
      assert.match(new URL(url).pathname, /^\/_dl\/second\/blobs\/\d{8}\/\d{4}\/[\w-]+$/);
      assert.equal((await fetch(url)).status, 200);
      const beside = await startHoldall({
        beside: holdall,
        env: { HOLDALL_ACCEL_REDIRECT: '/_objects/' },
      });
      const there = alice.with(alice.login);
      const response = await fetch(`${beside.url}/api/files/download/${file.id}`, {
        headers: { authorization: `Bearer ${there.token}` },
      });
      assert.match(response.headers.get('x-accel-redirect') ?? '', /^\/_objects\/second\/blobs\//);
    });
  }
});

describe('a migration that may not be', () => {
  for (const [what, change, category, message] of [
    [
      'into a policy of another type',
      { type: isS3 ? 'LOCAL' : 'S3_COMPATIBLE', prefix: 'other' },
      'UNSUPPORTED_INPUT',
      /runs on/,
    ],
    ['into a disabled policy', { prefix: 'disabled', enabled: 0 }, 'DATA_STATE', /disabled/],
    [
      'of an object that is too large for the target',
      { prefix: 'small', max_size_bytes: 299_999 },
      'DATA_STATE',
      /300000 bytes is larger/,
    ],
  ] as const) {
    it(`fails ${what}`, async () => {
      const { holdall, source, begin, open, checkFiles } = await openPlaces();
      const before = await listPlaces(holdall);
      const targetPolicyId = await addPolicy(holdall, change);
      const migrations = open();
      const failure = await failureOf(
        migrations.job.run(begin({ sourcePolicyId: source, targetPolicyId }).attempt),
      );
      assert.equal(failure.category, category);
      assert.match(failure.message, message);
      assert.deepEqual(await listPlaces(holdall), before);
      await assertNothingLeft(holdall);
      await checkFiles();
    });
  }

  it('fails from or into what is no policy, or the same one', async () => {
    const { source, target, begin, open } = await openPlaces([]);
    const { job } = open();
    for (const input of [
      { sourcePolicyId: source, targetPolicyId: source },
      { sourcePolicyId: 12_345, targetPolicyId: target },
      { sourcePolicyId: source, targetPolicyId: 12_345 },
    ]) {
      assert.equal((await failureOf(job.run(begin(input).attempt))).category, 'UNSUPPORTED_INPUT');
    }
  });

  it('fails while another one is under way, also the other way round, and leaves that alone', async () => {
    const { holdall, source, target, begin, open, checkFiles } = await openPlaces();
    const { job } = open({ page: { objects: 1, bytes: 1 } });
    const first = begin();
    const others: Promise<JobFailure>[] = [];
    let holds = 0;
    const met = Promise.withResolvers<void>();
    first.attempt.beforeHold = () => {
      holds += 1;
      if (holds === 3) met.resolve();
    };
    const running = job.run(first.attempt);
    await met.promise;
    others.push(failureOf(job.run(begin().attempt)));
    others.push(failureOf(job.run(begin({ sourcePolicyId: target, targetPolicyId: source }).attempt)));
    const failures = await Promise.all(others);
    await running;
    assert.equal(first.task.status, 'COMPLETED');
    for (const failure of failures) {
      assert.equal(failure.category, 'DATA_STATE');
      assert.match(failure.message, /One runs at a time/);
    }
    assert.equal(await countIn(holdall, target), 4);
    await checkFiles();
  });
});

describe('a migration that fails', () => {
  it('on an object with other bytes than were stored leaves all as it was, without copies', async () => {
    const { holdall, source, target, begin, open } = await openPlaces([10, 20, 30, 40, 50, 60]);
    const before = await listPlaces(holdall);
    const store = await holdall.app.policies.getStore(source);
    const spoilt = before[4]?.objectKey ?? assert.fail();
    await store.write(spoilt, bytesOf(randomBytes(50)));
    const { attempt } = begin();
    const failure = await failureOf(open({ page: { objects: 2, bytes: 1_000 } }).job.run(attempt));
    assert.equal(failure.category, 'DATA_STATE');
    assert.equal(failure.message, `The object ${spoilt} has other bytes than were stored.`);
    assert.equal(attempt.state.processedObjectCount, 4);
    assert.deepEqual(await listPlaces(holdall), before);
    assert.deepEqual([await countObjects(holdall, source), await countObjects(holdall, target)], [6, 0]);
    await assertNothingLeft(holdall);
  });

  for (const [what, spoil] of [
    ['longer', (size: number) => size + 1],
    ['shorter', (size: number) => size - 1],
  ] as const) {
    it(`on an object that is ${what} than its record says`, async () => {
      const { holdall, source, target, begin, open } = await openPlaces([1_000]);
      const [{ objectKey } = assert.fail()] = await listPlaces(holdall);
      const store = await holdall.app.policies.getStore(source);
      await store.write(objectKey, bytesOf(randomBytes(spoil(1_000))));
      for (const hasChecksum of [true, false]) {
        if (!hasChecksum) {
          await holdall.app.database.transact((tx) => tx.updateTable('blob').set({ sha256: null }).execute());
        }
        const failure = await failureOf(open().job.run(begin().attempt));
        assert.equal(failure.category, 'DATA_STATE');
        assert.equal(await countObjects(holdall, target), 0);
        await assertNothingLeft(holdall);
      }
    });
  }

  it('on an object that is missing', async () => {
    const { holdall, source, target, begin, open } = await openPlaces([10, 20]);
    const [, { objectKey } = assert.fail()] = await listPlaces(holdall);
    await (await holdall.app.policies.getStore(source)).remove([objectKey]);
    const failure = await failureOf(open().job.run(begin().attempt));
    assert.equal(failure.category, 'DATA_STATE');
    assert.match(failure.message, /bytes of the object .* are missing/);
    assert.equal(await countObjects(holdall, target), 0);
    await assertNothingLeft(holdall);
  });

  it('because the target was disabled meanwhile', async () => {
    const { holdall, target, begin, open, checkFiles } = await openPlaces();
    const migrations = open({ page: { objects: 1, bytes: 1 } });
    const before = await listPlaces(holdall);
    const { attempt } = begin();
    let holds = 0;
    attempt.beforeHold = async (tx) => {
      holds += 1;
      if (holds === 3) await setEnabled(tx, target, 0);
    };
    const failure = await failureOf(migrations.job.run(attempt));
    assert.equal(failure.category, 'DATA_STATE');
    assert.equal(failure.message, 'The target policy is disabled.');
    assert.deepEqual(await listPlaces(holdall), before);
    assert.equal(await countObjects(holdall, target), 0);
    await assertNothingLeft(holdall);
    await checkFiles();
    await holdall.app.database.transact((tx) => setEnabled(tx, target, 1));
    await migrations.job.run(begin().attempt);
    assert.equal(await countIn(holdall, target), 4);
  });

  it('because the target was disabled in its last moment', async () => {
    const { holdall, source, target, begin, open } = await openPlaces();
    const { relocations } = open();
    const before = await listPlaces(holdall);
    const { task, attempt } = begin();
    const hold = attempt.hold.bind(attempt);
    const relocation = await relocations.begin(
      { taskId: task.id, sourcePolicyId: source, targetPolicyId: target },
      hold,
    );
    const { signal } = attempt;
    assert.equal(
      (await relocations.copyPage(relocation, 0, { hold, signal, onBytes: () => {} }))?.copied.objects,
      4,
    );
    await holdall.app.database.transact((tx) => setEnabled(tx, target, 0));
    const switching = relocations.switchAll(relocation, signal, (tx) => attempt.complete(tx));
    await assert.rejects(switching, /The target policy was disabled meanwhile/);
    assert.deepEqual(await listPlaces(holdall), before);
    assert.equal(task.status, 'LIVE');
    assert.equal((await relocations.findCopying(holdall.app.database.db))?.id, relocation.id);
  });
});

describe('a migration that is cancelled', () => {
  it('half-way ends at once, and its copies are removed', async () => {
    const { holdall, target, begin, open, checkFiles } = await openPlaces();
    const migrations = open({ page: { objects: 1, bytes: 1 } });
    const before = await listPlaces(holdall);
    const { task, attempt } = begin();
    let holds = 0;
    attempt.beforeHold = () => {
      holds += 1;
      if (holds === 6) task.cancel();
    };
    await assert.rejects(migrations.job.run(attempt));
    assert.ok((await countObjects(holdall, target)) > 0);
    await migrations.tidy();
    assert.equal(await countObjects(holdall, target), 0);
    await assertNothingLeft(holdall);
    assert.deepEqual(await listPlaces(holdall), before);
    await checkFiles();
    await checkBooks(holdall);
  });

  it('while nobody runs it is cleaned up by the clean-up, or by the next', async () => {
    const { holdall, target, begin, open, checkFiles } = await openPlaces();
    const migrations = open({ page: { objects: 1, bytes: 1 } });
    for (const next of [migrations.tidy, () => migrations.job.run(begin().attempt)]) {
      const { task, attempt } = begin();
      let holds = 0;
      attempt.beforeHold = () => {
        holds += 1;
        // Cut off, as by the end of its instance: the task lives on.
        if (holds === 6) attempt.end.abort(new Error('stopped'));
      };
      await assert.rejects(migrations.job.run(attempt), /stopped/);
      await migrations.tidy();
      assert.ok((await countObjects(holdall, target)) > 0, 'kept for the next attempt');
      task.status = 'CANCELLED';
      await next();
      await migrations.tidy();
    }
    assert.equal(await countIn(holdall, target), 4);
    assert.equal(await countObjects(holdall, target), 4);
    await checkFiles();
    await endGrace(holdall, migrations);
    await checkBooks(holdall);
  });
});

describe('a migration that was cut off', () => {
  it('goes on where it was', async () => {
    const { holdall, target, begin, open, checkFiles } = await openPlaces();
    const migrations = open({ page: { objects: 1, bytes: 1 } });
    const { task, attempt } = begin();
    let holds = 0;
    attempt.beforeHold = () => {
      holds += 1;
      if (holds === 6) attempt.end.abort(new Error('stopped'));
    };
    await assert.rejects(migrations.job.run(attempt), /stopped/);
    const rows = await holdall.app.database.db
      .selectFrom('blob_move')
      .selectAll()
      .orderBy('blob_id')
      .execute();
    const kept = rows.filter((row) => row.copied === 1);
    assert.equal(kept.length, 2);
    // Copies outlive the sweep, however long the task waits for its turn.
    holdall.clock.advance(100 * HOUR);
    await holdall.app.cleanUp();
    const second = task.begin(holdall);
    await migrations.job.run(second);
    assert.deepEqual([second.reports[0]?.processedObjectCount, second.reports[0]?.totalObjectCount], [2, 4]);
    const places = await listPlaces(holdall);
    for (const row of kept) {
      const place = places.find((blob) => blob.id === row.blob_id);
      assert.equal(place?.objectKey, row.target_key);
    }
    assert.equal(await countObjects(holdall, target), 4);
    await checkFiles();
    await endGrace(holdall, migrations);
    await checkBooks(holdall);
  });

  it('and taken over can change nothing any more', async () => {
    const { holdall, target, begin, open, checkFiles } = await openPlaces();
    const { task, attempt: lost } = begin();
    const migrations = open({ page: { objects: 2, bytes: 1_000_000 } });
    let holds = 0;
    lost.beforeHold = () => {
      holds += 1;
      if (holds === 3) task.begin(holdall);
    };
    assert.match((await failureOf(migrations.job.run(lost))).message, /lost its task/);
    const next = task.current ?? assert.fail();
    await migrations.job.run(next);
    assert.equal(task.status, 'COMPLETED');
    assert.equal(await countIn(holdall, target), 4);
    await checkFiles();
    await endGrace(holdall, migrations);
    await checkBooks(holdall);
  });
});

async function* bytesOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function storeMany(person: Person, count: number): Promise<void> {
  let next = 0;
  const storeSome = async () => {
    for (let number = next++; number < count; number = next++) {
      await person.upload(`/many-${number}`, `content ${number}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, storeSome));
}
