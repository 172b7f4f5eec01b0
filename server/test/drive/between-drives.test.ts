// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { EntryRecord } from '../../src/drive/contract.ts';
import type { DriveLimits } from '../../src/drives/drives.ts';
import { asProgram, createAppPassword } from '../support/app/app-passwords.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Answer, Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { treatHalfAsLong } from '../support/database/half-long.ts';
import { createManagedDrive, DRIVE_HEADER, markDeleted } from '../support/drives/shared-drives.ts';
import { readChanges } from '../support/events/changes.ts';
import { makePng } from '../support/media/pictures.ts';

const holdall = await startHoldall({
  env: { HOLDALL_DEFAULT_DIRECTORIES: 'Documents', HOLDALL_WORKER_CONCURRENCY: '0' },
  maxTreeEntries: 20,
});
treatHalfAsLong(holdall.app.database);

type Call = 'copy-to' | 'move-to';

interface Target {
  readonly driveId: number;
  readonly path?: string;
  readonly onConflict?: string;
}

/** Copies or moves an entry of a shared drive, or of the personal drive. */
function put(
  person: Person,
  call: Call,
  { id }: { readonly id: number },
  target: Target,
  from?: number,
): Promise<Answer<EntryRecord>> {
  const headers: Record<string, string> = from === undefined ? {} : { [DRIVE_HEADER]: `${from}` };
  return person.call('POST', `/api/v2/files/${id}/${call}`, { body: { path: '/', ...target }, headers });
}

async function ok(answer: Promise<Answer<EntryRecord>>): Promise<EntryRecord> {
  const { status, data, msg } = await answer;
  assert.equal(status, 200, msg);
  return data;
}

const namesIn = async (person: Person, drive: number, path = '/') =>
  (await person.list(path, { drive })).items.map(({ filename }) => filename);

/** A person with a file in a directory, and a shared drive in which the person is an EDITOR. */
async function makeScene(limits: Partial<DriveLimits> = {}) {
  const person = await holdall.register('carla');
  const file = await person.upload('/Documents/letter.txt', 'dear friend');
  const directory = (await person.list()).items.find(({ filename }) => filename === 'Documents');
  assert.ok(directory);
  const drive = await createManagedDrive(holdall, [[person, 'EDITOR']], limits);
  return { person, file, directory, drive };
}

describe('a copy into another drive', () => {
  after(() => checkBooks(holdall));

  it('has everything below the directory, and refers to the same bytes', async () => {
    const { person, file, directory, drive } = await makeScene();
    const { id, ...record } = await ok(put(person, 'copy-to', directory, { driveId: drive }));
    assert.notEqual(id, directory.id);
    assert.deepEqual([record.path, record.directory], ['/Documents', true]);
    const [copy] = (await person.list('/Documents', { drive })).items;
    assert.deepEqual([copy?.filename, copy?.modifiedAt], [file.filename, file.modifiedAt]);
    assert.deepEqual(await person.names('/Documents'), ['letter.txt']);
    const blobs = await holdall.app.database.db
      .selectFrom('entry')
      .innerJoin('blob', 'blob.id', 'entry.blob_id')
      .select(['entry.drive_id', 'blob.reference_count'])
      .where('entry.id', 'in', [file.id, copy?.id ?? 0])
      .orderBy('entry.id')
      .execute();
    assert.deepEqual(blobs, [
      { drive_id: person.driveId, reference_count: 2 },
      { drive_id: drive, reference_count: 2 },
    ]);
  });

  it('survives the original', async () => {
    const { person, file, drive } = await makeScene();
    const copy = await ok(put(person, 'copy-to', file, { driveId: drive }));
    await person.recycle(file);
    await person.purge(file);
    const response = await person.fetch('GET', `/api/files/download/${copy.id}?drive=${drive}`);
    assert.equal(await response.text(), 'dear friend');
  });

  it('can be made from a shared drive into the personal one', async () => {
    const { person, file, drive } = await makeScene();
    const there = await ok(put(person, 'copy-to', file, { driveId: drive }));
    const back = await ok(put(person, 'copy-to', there, { driveId: person.driveId }, drive));
    assert.equal(back.path, '/letter.txt');
    assert.equal((await person.download(back)).toString(), 'dear friend');
  });

  it('keeps the metadata, except how the file was received', async () => {
    const { person, file, drive } = await makeScene();
    await holdall.app.database.transact(async (tx) => {
      for (const name of ['exif:model', 'link:sender']) {
        await tx.insertInto('entry_metadata').values({ entry_id: file.id, name, value: 'x' }).execute();
      }
    });
    const copy = await ok(put(person, 'copy-to', file, { driveId: drive }));
    const details = await person.ask<{ metadata: unknown }>('GET', `/api/v2/files/${copy.id}?drive=${drive}`);
    assert.deepEqual(details.metadata, { 'exif:model': 'x' });
  });

  it('of a picture without metadata is examined in its drive', async () => {
    const { person, drive } = await makeScene();
    const picture = await person.upload('/picture.png', makePng(), 'image/png');
    const copy = await ok(put(person, 'copy-to', picture, { driveId: drive }));
    const tasks = await holdall.app.database.db
      .selectFrom('task')
      .select(['drive_id', 'type'])
      .where('entry_id', '=', copy.id)
      .execute();
    assert.deepEqual(tasks, [{ drive_id: drive, type: 'MEDIA_META' }]);
  });

  it('is an event of its drive only', async () => {
    const { person, file, drive } = await makeScene();
    const before = (await readChanges(person)).nextCursor;
    const start = (await readChanges(person, { drive })).nextCursor;
    const copy = await ok(put(person, 'copy-to', file, { driveId: drive }));
    const { items } = await readChanges(person, { drive, cursor: start });
    assert.deepEqual(
      items.map(({ eventType, fileId, toPath }) => ({ eventType, fileId, toPath })),
      [{ eventType: 'CREATED', fileId: copy.id, toPath: '/letter.txt' }],
    );
    assert.deepEqual((await readChanges(person, { cursor: before })).items, []);
  });

  it('into the chosen drive is a plain copy', async () => {
    const { person, file, drive } = await makeScene();
    assert.equal((await ok(put(person, 'copy-to', file, { driveId: person.driveId }))).path, '/letter.txt');
    const there = await ok(put(person, 'copy-to', file, { driveId: drive }));
    const again = { driveId: drive, onConflict: 'RENAME' };
    assert.equal((await ok(put(person, 'copy-to', there, again, drive))).path, '/letter (2).txt');
  });
});

describe('a move into another drive', () => {
  after(() => checkBooks(holdall));

  it('puts the original into its bin, and the copy has a new id', async () => {
    const { person, file, directory, drive } = await makeScene();
    const moved = await ok(put(person, 'move-to', directory, { driveId: drive }));
    assert.notEqual(moved.id, directory.id);
    assert.deepEqual(await namesIn(person, drive, '/Documents'), ['letter.txt']);
    assert.deepEqual(await person.names(), []);
    assert.equal(await person.usedBytes(), 0);
    assert.deepEqual(
      (await person.bin()).items.map(({ id }) => id),
      [directory.id],
    );
    await person.restore(directory);
    assert.equal((await person.download(file)).toString(), 'dear friend');
  });

  it('leaves versions and shares with the original', async () => {
    const { person, file, drive } = await makeScene();
    await person.ask('PUT', `/api/v2/files/${file.id}/content`, { body: 'dear friends' });
    const share = await person.ask<{ token: string }>('POST', '/api/v2/shares', {
      body: { fileId: file.id },
    });
    const moved = await ok(put(person, 'move-to', file, { driveId: drive }));
    const versionsOf = (id: number, query = '') =>
      person.ask<unknown[]>('GET', `/api/v2/files/${id}/versions${query}`);
    assert.deepEqual(await versionsOf(moved.id, `?drive=${drive}`), []);
    const open = () => holdall.anonymous.call('GET', `/api/v2/shares/${share.token}`);
    assert.equal((await open()).status, 404);
    await person.restore(file);
    assert.equal((await versionsOf(file.id)).length, 1);
    assert.equal((await open()).status, 200);
  });

  it('is an event in both drives', async () => {
    const { person, file, drive } = await makeScene();
    const [here, there] = [await readChanges(person), await readChanges(person, { drive })];
    const moved = await ok(put(person, 'move-to', file, { driveId: drive }));
    const changes = [
      ...(await readChanges(person, { cursor: here.nextCursor })).items,
      ...(await readChanges(person, { drive, cursor: there.nextCursor })).items,
    ].map(({ eventType, fileId, fromPath, toPath }) => ({ eventType, fileId, fromPath, toPath }));
    assert.deepEqual(changes, [
      { eventType: 'DELETED', fileId: file.id, fromPath: file.path, toPath: null },
      { eventType: 'CREATED', fileId: moved.id, fromPath: null, toPath: '/letter.txt' },
    ]);
  });

  it('to the chosen drive is a plain move', async () => {
    const { person, file } = await makeScene();
    const moved = await ok(put(person, 'move-to', file, { driveId: person.driveId }));
    assert.deepEqual([moved.id, moved.path], [file.id, '/letter.txt']);
  });
});

describe('copies and moves', () => {
  after(() => checkBooks(holdall));

  for (const call of ['copy-to', 'move-to'] as const) {
    it(`${call} needs EDITOR of the target`, async () => {
      const { person, file } = await makeScene();
      const viewed = await createManagedDrive(holdall, [[person, 'VIEWER']]);
      assert.equal((await put(person, call, file, { driveId: viewed })).status, 403);
      assert.deepEqual(await namesIn(person, viewed), []);
      assert.deepEqual(await person.names('/Documents'), ['letter.txt']);
    });

    it(`${call} finds no drive of others, whether shared, personal, deleted or unknown`, async () => {
      const { person, file, drive } = await makeScene();
      const other = await holdall.register('other');
      const foreign = await createManagedDrive(holdall, [[other, 'MANAGER']]);
      await markDeleted(holdall, drive);
      for (const driveId of [foreign, other.driveId, drive, 9_000_000_000]) {
        const { status, msg } = await put(person, call, file, { driveId });
        assert.deepEqual([status, msg], [404, 'There is no such drive.']);
      }
    });

    it(`${call} rejects a path that does not exist or is a file`, async () => {
      const { person, file, drive } = await makeScene();
      await ok(put(person, 'copy-to', file, { driveId: drive }));
      for (const path of ['/missing', '/letter.txt']) {
        assert.equal((await put(person, call, file, { driveId: drive, path })).status, 404);
      }
      assert.equal((await put(person, call, file, { driveId: drive, path: '/../x' })).status, 400);
      assert.equal((await put(person, call, file, { driveId: 0 })).status, 400);
    });

    it(`${call} rejects an entry of another drive, in the bin, and the root`, async () => {
      const { person, file, drive } = await makeScene();
      const there = await ok(put(person, 'copy-to', file, { driveId: drive }));
      assert.equal((await put(person, call, there, { driveId: drive })).status, 404);
      assert.equal((await put(person, call, file, { driveId: person.driveId }, drive)).status, 404);
      await person.recycle(file);
      assert.equal((await put(person, call, file, { driveId: drive })).status, 404);
      const root = await holdall.app.database.db
        .selectFrom('entry')
        .select('id')
        .where('drive_id', '=', person.driveId)
        .where('parent_id', 'is', null)
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow();
      assert.equal((await put(person, call, root, { driveId: drive })).status, 404);
    });

    it(`${call} applies the rule for a taken name`, async () => {
      const { person, file, drive } = await makeScene();
      const first = await ok(put(person, 'copy-to', file, { driveId: drive }));
      const again = (onConflict?: string) =>
        put(person, call, file, { driveId: drive, ...(onConflict === undefined ? {} : { onConflict }) });
      const { status, code } = await again();
      assert.deepEqual([status, code], [409, 2409]);
      if (call === 'copy-to') assert.equal((await ok(again('RENAME'))).filename, 'letter (2).txt');
      const replacing = await ok(again('REPLACE'));
      assert.equal(replacing.filename, 'letter.txt');
      const bin = await person.ask<{ items: EntryRecord[] }>('GET', `/api/files/recycle-bin?drive=${drive}`);
      assert.deepEqual(
        bin.items.map(({ id }) => id),
        [first.id],
      );
    });

    it(`${call} needs no space for a file that it replaces`, async () => {
      const { person, file } = await makeScene();
      const limits = { quotaBytes: file.size, maxEntries: 2 };
      const drive = await createManagedDrive(holdall, [[person, 'EDITOR']], limits);
      await ok(put(person, 'copy-to', file, { driveId: drive }));
      const again = { driveId: drive, onConflict: 'RENAME' };
      assert.equal((await put(person, call, file, again)).status, 413);
      await ok(put(person, call, file, { ...again, onConflict: 'REPLACE' }));
      assert.deepEqual(await namesIn(person, drive), ['letter.txt']);
    });

    it(`${call} obeys the quota and entry limit of the target, but not its upload size`, async () => {
      const { person, file, directory } = await makeScene();
      for (const [limits, status] of [
        [{ quotaBytes: file.size - 1 }, 413],
        [{ maxEntries: 1 }, 413],
        [{ quotaBytes: file.size, maxEntries: 2, maxUploadBytes: 1 }, 200],
      ] as const) {
        const drive = await createManagedDrive(holdall, [[person, 'EDITOR']], limits);
        assert.equal((await put(person, call, directory, { driveId: drive })).status, status);
        assert.deepEqual(await namesIn(person, drive), status === 200 ? ['Documents'] : []);
      }
    });

    it(`${call} rejects a directory with too many entries, and changes nothing`, async () => {
      const { person, directory, drive } = await makeScene();
      for (let index = 0; index < 20; index += 1) await person.mkdir(`/Documents/${index}`);
      const before = await person.state();
      assert.equal((await put(person, call, directory, { driveId: drive })).status, 413);
      assert.deepEqual(await person.state(), before);
      assert.deepEqual(await namesIn(person, drive), []);
    });

    it(`${call} rejects a tree that would become too deep`, async () => {
      const { person, directory, drive } = await makeScene();
      const path = '/d'.repeat(127);
      await person.ask('POST', `/api/files/mkdir?drive=${drive}`, { body: { path } });
      assert.equal((await put(person, call, directory, { driveId: drive, path })).status, 400);
    });

    it(`${call} is not for an app password that may only read`, async () => {
      const { person, file, drive } = await makeScene();
      const { password } = await createAppPassword(person, { scope: 'READ' });
      assert.equal((await put(asProgram(person, password), call, file, { driveId: drive })).status, 403);
    });
  }

  it('a VIEWER copies out of a drive, but does not move', async () => {
    const { person, file, drive } = await makeScene();
    const viewer = await holdall.register('viewer');
    const shared = await createManagedDrive(holdall, [
      [person, 'EDITOR'],
      [viewer, 'VIEWER'],
    ]);
    const there = await ok(put(person, 'copy-to', file, { driveId: shared }));
    const own = { driveId: viewer.driveId };
    assert.equal((await ok(put(viewer, 'copy-to', there, own, shared))).path, '/letter.txt');
    assert.equal((await put(viewer, 'move-to', there, own, shared)).status, 403);
    // A copy within the drive changes it.
    const within = { driveId: shared, onConflict: 'RENAME' };
    assert.equal((await put(viewer, 'copy-to', there, within, shared)).status, 403);
    assert.equal((await put(viewer, 'copy-to', there, own, drive)).status, 404);
    assert.deepEqual(await namesIn(viewer, shared), ['letter.txt']);
  });

  it('an EDITOR of both moves between shared drives', async () => {
    const { person, file, drive } = await makeScene();
    const other = await createManagedDrive(holdall, [[person, 'EDITOR']]);
    const there = await ok(put(person, 'move-to', file, { driveId: drive }));
    await ok(put(person, 'move-to', there, { driveId: other }, drive));
    assert.deepEqual([await namesIn(person, drive), await namesIn(person, other)], [[], ['letter.txt']]);
  });
});
