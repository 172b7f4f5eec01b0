// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, it, type TestContext } from 'node:test';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import { DAY, MINUTE, SECOND } from '../../src/base/clock.ts';
import { systemIds } from '../../src/base/ids.ts';
import { UploadReservations } from '../../src/drives/reservations/upload-reservations.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { formOf, type Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { atEveryInstance, countStatuses, race } from '../support/checks/race.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { listStoredFiles } from '../support/drive/stored-files.ts';
import { type PausedRequest, PausedUpload } from '../support/network/paused-upload.ts';
import { withoutDirect } from '../support/storage/change-policy.ts';
import { type PeerSession, TRANSFERS } from '../support/transfer/transfer.ts';
import { TusUpload } from '../support/uploads/tus.ts';
import { ok, openSession, SESSIONS } from '../support/uploads/upload-session.ts';

const QUOTA = 5_000_000;
const LARGE = new Uint8Array(4_750_000);
const UPLOADS = 8;

const env = { HOLDALL_DEFAULT_QUOTA_BYTES: `${QUOTA}` };
const holdall = await startHoldall({ env });
await withoutDirect(holdall);
const urls = [holdall.url, ...(isPostgres ? [(await startHoldall({ env, beside: holdall })).url] : [])];
const { database } = holdall.app;

afterEach(() => checkBooks(holdall));

/** A new user who sends requests to all instances. */
async function enter(): Promise<{ person: Person; doors: readonly Person[] }> {
  const person = await holdall.register();
  return { person, doors: atEveryInstance(person, urls) };
}

function upload(person: Person, name: string, bytes: Uint8Array<ArrayBuffer>) {
  return person.call('POST', '/api/files/upload', { body: formOf(`/${name}`, bytes) });
}

function pausedRequest(encoding: PausedRequest['encoding'], name = 'held'): PausedRequest {
  return { line: 'POST /api/files/upload', name, bytes: LARGE, encoding };
}

/** Starts uploads. All but the first are rejected; the service still waits for the last byte of the first. */
async function startAllButOneRefused(start: (index: number) => Promise<PausedUpload>): Promise<PausedUpload> {
  const first = await start(0);
  // Uploads without an announced length that begin together could each reserve a part of the room.
  await waitUntil('the first has reserved its bytes', async () => {
    const [reservation] = await listReservations();
    return reservation !== undefined && reservation.bytes > LARGE.length - 600_000;
  });
  const others = await Promise.all(Array.from({ length: UPLOADS - 1 }, (_, index) => start(index + 1)));
  const uploads = [first, ...others];
  const open = new Map(uploads.map((each, index) => [index, each]));
  const statuses: number[] = [];
  for (const [index, each] of open) {
    void each.status.then((status) => {
      statuses.push(status);
      open.delete(index);
    });
  }
  await waitUntil('all uploads but one are refused', () => open.size === 1);
  assert.deepEqual(statuses, Array(UPLOADS - 1).fill(413));
  const [left] = open.values();
  assert.ok(left);
  return left;
}

async function measureStoredBytes(): Promise<number> {
  const root = path.join(holdall.dataDir, 'objects');
  const sizes = (await listStoredFiles(holdall)).map((name) =>
    // A file may be removed meanwhile.
    stat(path.resolve(root, name)).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

const listReservations = () => database.db.selectFrom('upload_reservation').selectAll().execute();
const untilNothingReserved = () =>
  waitUntil('nothing is reserved', async () => (await listReservations()).length === 0);

it('an upload waits for no flush of its reservation', async (t) => {
  const { person } = await enter();
  const commits = t.mock.method(database, 'transactVolatile');
  await upload(person, 'small', new Uint8Array(1_000));
  assert.equal(commits.mock.callCount(), 0);
  await upload(person, 'large', LARGE.subarray(0, 1_000_000));
  assert.equal(commits.mock.callCount(), 1);
});

describe('uploads that are held one byte before their end', () => {
  for (const encoding of ['form', 'chunked'] as const) {
    it(`store no more than the quota (${encoding})`, async () => {
      const { person, doors } = await enter();
      const before = await measureStoredBytes();
      const left = await startAllButOneRefused((index) =>
        PausedUpload.start(doors[index % doors.length] ?? person, pausedRequest(encoding, `file-${index}`)),
      );
      await waitUntil(
        'refused bytes are removed',
        async () => (await measureStoredBytes()) - before <= QUOTA,
      );
      assert.equal(await left.finish(), 200);
      assert.equal(await person.usedBytes(), LARGE.length);
      assert.deepEqual(await listReservations(), []);
    });
  }

  it('no longer count when the connection breaks', async () => {
    const { person, doors } = await enter();
    for (const encoding of ['form', 'chunked'] as const) {
      const broken = await PausedUpload.start(person, pausedRequest(encoding));
      await waitUntil('bytes are reserved', async () => (await listReservations()).length === 1);
      for (const door of doors) assert.equal((await upload(door, 'other', LARGE)).status, 413);
      await broken.cut();
      await untilNothingReserved();
    }
    assert.equal((await upload(person, 'other', LARGE)).status, 200);
  });

  it('no longer count when they are rejected', async () => {
    const { person } = await enter();
    await person.upload('/taken', 'x');
    const request = await PausedUpload.start(person, pausedRequest('form', 'taken'));
    assert.equal(await request.finish(), 409);
    assert.deepEqual(await listReservations(), []);
  });

  it('leave room for small files', async () => {
    const { person } = await enter();
    const request = await PausedUpload.start(person, pausedRequest('form'));
    await waitUntil('bytes are reserved', async () => (await listReservations()).length === 1);
    assert.equal((await upload(person, 'small', new Uint8Array(200_000))).status, 200);
    assert.equal(await request.finish(), 200);
  });

  it('are reserved in the database, even if small, once one owner sends very many', async () => {
    const { person } = await enter();
    const bytes = new Uint8Array(400_000);
    const requests = await race([person], 30, (each, index) =>
      PausedUpload.start(each, { ...pausedRequest('form', `file-${index}`), bytes }),
    );
    // 8 MiB are free of reservations: 20 uploads. The others must fit the quota together.
    await waitUntil(
      'the others have reserved their bytes',
      async () => (await listReservations()).length >= 10,
    );
    for (const request of requests) await request.cut();
    await untilNothingReserved();
  });
});

describe('of many large uploads at the same time', () => {
  it('exactly as many succeed as fit', async () => {
    const { person, doors } = await enter();
    const bytes = new Uint8Array(1_000_000);
    const answers = await race(doors, 20, (each, index) => upload(each, `file-${index}`, bytes));
    assert.deepEqual(countStatuses(answers), { 200: 5, 413: 15 });
    assert.equal(await person.usedBytes(), QUOTA);
    assert.deepEqual(await listReservations(), []);
  });
});

describe('an announced upload', () => {
  it('counts for other uploads until it ends', async () => {
    const { person } = await enter();
    const { calls } = await openSession(person, { filename: 'announced', size: 1_000_000 });
    assert.equal((await upload(person, 'plain', LARGE)).status, 413);
    ok(await calls.cancel());
    const tus = await TusUpload.create(person, 'announced', 1_000_000);
    assert.equal((await upload(person, 'plain', LARGE)).status, 413);
    assert.equal((await tus.end()).status, 204);
    assert.equal((await upload(person, 'plain', LARGE)).status, 200);
  });

  it('is rejected while another upload has taken the room', async () => {
    const { person } = await enter();
    const request = await PausedUpload.start(person, pausedRequest('form'));
    await waitUntil('bytes are reserved', async () => (await listReservations()).length === 1);
    await person.refused(413, 2413, 'POST', SESSIONS, { body: { filename: 'a', size: 1_000_000 } });
    assert.equal(await request.finish(), 200);
  });

  it('never has old and new content on the disk at the same time if the quota has no room for both', async () => {
    const { person } = await enter();
    const before = await measureStoredBytes();
    const { calls, session } = await openSession(person, { filename: 'twice', size: 3_000_000 });
    ok(await calls.send(new Uint8Array(3_000_000)));
    const line = `POST ${SESSIONS}/${session.sessionId}/content`;
    const bytes = Buffer.alloc(3_000_000, 'b');
    const request = await PausedUpload.start(person, { line, name: 'a', bytes, encoding: 'form' });
    await waitUntil(
      'the old content is removed',
      async () => (await measureStoredBytes()) - before < 3_000_000,
    );
    assert.equal(await request.finish(), 200);
    const { fileId } = ok(await calls.complete());
    assert.ok((await person.download({ id: fileId ?? 0 })).equals(bytes));
  });

  it('keeps its content until new content has arrived, if there is room for both', async () => {
    const { person } = await enter();
    const { calls, session } = await openSession(person, { filename: 'twice', size: 2_000_000 });
    const bytes = Buffer.alloc(2_000_000, 'a');
    ok(await calls.send(bytes));
    const line = `POST ${SESSIONS}/${session.sessionId}/content`;
    const request = await PausedUpload.start(person, { line, name: 'a', bytes, encoding: 'form' });
    await waitUntil('the new bytes are reserved', async () => (await listReservations()).length === 1);
    assert.equal((await upload(person, 'other', new Uint8Array(1_500_000))).status, 413);
    await request.cut();
    await untilNothingReserved();
    const { fileId } = ok(await calls.complete());
    assert.ok((await person.download({ id: fileId ?? 0 })).equals(bytes));
  });

  it('loses its pieces when the whole content is sent', async () => {
    const { person } = await enter();
    const before = await measureStoredBytes();
    const { calls, session } = await openSession(person, { filename: 'whole', size: 3_000_000 });
    const pieces = new TusUpload(person, `/api/v2/files/tus/${session.sessionId}`);
    assert.equal((await pieces.patch(0, Buffer.alloc(2_900_000))).status, 204);
    ok(await calls.send(new Uint8Array(3_000_000)));
    assert.equal((await measureStoredBytes()) - before, 3_000_000);
    assert.ok(ok(await calls.complete()).fileId);
  });
});

describe('the files of an OFFLINE transfer', () => {
  it('count against the quota of their sender while they arrive, and not after that', async () => {
    const { person, doors } = await enter();
    const files = Array.from({ length: UPLOADS }, (_, index) => ({ name: `${index}`, size: LARGE.length }));
    const session = await person.ask<PeerSession>('POST', TRANSFERS, { body: { mode: 'OFFLINE', files } });
    const before = await measureStoredBytes();
    const left = await startAllButOneRefused((index) => {
      const line = `POST ${TRANSFERS}/${session.sessionId}/files/${session.files[index]?.id}/content`;
      const door = doors[index % doors.length] ?? person;
      return PausedUpload.start(door, { line, name: 'a', bytes: LARGE, encoding: 'raw' });
    });
    assert.ok((await measureStoredBytes()) - before <= QUOTA);
    assert.equal(await left.finish(), 200);
    assert.equal(await person.usedBytes(), 0);
    assert.equal((await upload(person, 'own', LARGE)).status, 200);
  });
});

describe('a reservation', () => {
  it('of an instance that crashed expires after a minute, and is deleted', async () => {
    const { person } = await enter();
    const driveId = person.driveId;
    await database.transact((tx) =>
      tx
        .insertInto('upload_reservation')
        .values({
          id: 'of a killed process',
          drive_id: driveId,
          transfer_id: null,
          bytes: QUOTA,
          expires_at: holdall.clock.now() + MINUTE,
        })
        .execute(),
    );
    assert.equal((await upload(person, 'file', LARGE)).status, 413);
    holdall.clock.advance(MINUTE + SECOND);
    assert.equal((await upload(person, 'file', LARGE)).status, 200);
    await holdall.app.cleanUp();
    assert.deepEqual(await listReservations(), []);
  });

  it('is extended while its upload runs', async (context: TestContext) => {
    context.mock.timers.enable({ apis: ['setInterval'] });
    const { person } = await enter();
    const request = await PausedUpload.start(person, pausedRequest('form'));
    await waitUntil('bytes are reserved', async () => (await listReservations()).length === 1);
    holdall.clock.advance(DAY);
    await waitUntil('the reservation is extended', async () => {
      context.mock.timers.tick(15 * SECOND);
      const [reservation] = await listReservations();
      return reservation !== undefined && reservation.expires_at > holdall.clock.now();
    });
    context.mock.timers.reset();
    await request.cut();
    await untilNothingReserved();
  });

  it('ends when its upload is rejected, so the last of several that each fit alone succeeds', async () => {
    const { person } = await enter();
    const driveId = person.driveId;
    const reservations = new UploadReservations({
      ...{ database, clock: holdall.clock, ids: systemIds },
      sumAnnouncedBytes: async () => ({ bytes: 0, bytesOfUsers: 0 }),
      withDriveLock: (_driveId, work) => database.transact(work),
    });
    const size = { minBytes: 0, maxBytes: undefined };
    const refused = Promise.withResolvers<void>();
    const open = new Set<number>();
    let turn = Promise.resolve();
    // The uploads take turns. Rejected ones do not end before the last one has all its bytes.
    const uploads = Array.from({ length: UPLOADS }, (_, index) =>
      reservations.reserveDuring({ user: { driveId, accountId: person.id }, size }, async (reservation) => {
        open.add(index);
        const next = reservation.limit(chunksOf(LARGE))[Symbol.asyncIterator]();
        const step = async () => {
          const { done } = await next.next();
          return done === true;
        };
        try {
          for (let isDone = false; !isDone; ) {
            const mine = turn.then(step);
            turn = mine.then(
              () => undefined,
              () => undefined,
            );
            isDone = await mine;
          }
          refused.resolve();
          return 'stored';
        } catch (error) {
          open.delete(index);
          if (open.size > 0) await refused.promise;
          else refused.resolve();
          throw error;
        }
      }),
    );
    const ends = await Promise.allSettled(uploads);
    assert.deepEqual(
      ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : [])),
      ['stored'],
    );
    assert.deepEqual(await listReservations(), []);
  });
});

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 250_000) yield bytes.subarray(at, at + 250_000);
}
