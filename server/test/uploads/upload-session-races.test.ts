// tier: default
// runs on: s3
// runs on, with --full: sqlite
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { inFull } from '../../../tools/testing/tiers.ts';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import type { SessionRecord } from '../../src/uploads/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { atEveryInstance, countStatuses, race } from '../support/checks/race.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { listStoredFiles, untilStored } from '../support/drive/stored-files.ts';
import { rawRequest, sendAndDisconnect } from '../support/network/raw-request.ts';
import { withoutDirect } from '../support/storage/change-policy.ts';
import { waitFor } from '../support/tasks/tasks.ts';
import { assertTus, TusUpload } from '../support/uploads/tus.ts';
import { ok, openSession, SESSIONS } from '../support/uploads/upload-session.ts';

const QUOTA = 100_000;
const env = { HOLDALL_DEFAULT_QUOTA_BYTES: `${QUOTA}` };
const holdall = await startHoldall({ env });
await withoutDirect(holdall);
const urls = [holdall.url, ...(isPostgres ? [(await startHoldall({ env, beside: holdall })).url] : [])];

/** Which request has the lock of a session; null if none has. */
async function findWriter(id: string): Promise<string | null> {
  const { db } = holdall.app.database;
  const found = db.selectFrom('upload_session').select('writer').where('id', '=', id);
  return (await found.executeTakeFirstOrThrow()).writer;
}

async function enter(): Promise<{ person: Person; doors: readonly Person[] }> {
  const person = await holdall.register();
  return { person, doors: atEveryInstance(person, urls) };
}

afterEach(() => checkBooks(holdall));

describe('of many concurrent announcements', () => {
  it('as many succeed as fit the quota together', async () => {
    const { doors } = await enter();
    const answers = await race(doors, 30, (door, index) =>
      door.call('POST', SESSIONS, { body: { filename: `f-${index}`, size: 9_000 } }),
    );
    assert.deepEqual(countStatuses(answers), { 200: 11, 413: 19 });
  });
});

describe('one session under concurrent requests', () => {
  it('becomes one file, and every completion gets the same answer', async () => {
    const { person, doors } = await enter();
    const { calls } = await openSession(person, { path: '/new', filename: 'one', size: 4 });
    ok(await calls.send('four'));
    const answers = await race(doors, 12, (door) => calls.by(door).complete());
    assert.deepEqual(countStatuses(answers), { 200: 12 });
    assert.equal(new Set(answers.map(({ data }) => (data as SessionRecord).fileId)).size, 1);
    assert.deepEqual(await person.names('/new'), ['one']);
    assert.equal(await person.usedBytes(), 4);
  });

  it('has the bytes of one request when many send and complete', async () => {
    const { person, doors } = await enter();
    for (let round = 0; round < 4; round += 1) {
      const { calls } = await openSession(person, { path: '/sent', filename: `${round}`, size: 8 });
      ok(await calls.send('sender -'));
      const answers = await race(doors, 9, (door, index) =>
        index % 3 === 2 ? calls.by(door).complete() : calls.by(door).send(`sender ${index}`),
      );
      for (const { status, msg } of answers) assert.ok(status === 200 || status === 400, msg);
      const { fileId } = ok(await calls.complete());
      assert.match(String(await person.download({ id: fileId ?? 0 })), /^sender [\d-]$/);
    }
  });

  it('has one outcome when many complete, cancel and send', async () => {
    const { person, doors } = await enter();
    for (let round = 0; round < 6; round += 1) {
      const { calls } = await openSession(person, { path: '/ends', filename: `${round}`, size: 4 });
      ok(await calls.send('four'));
      const answers = await race(doors, 9, (door, index) => {
        const by = calls.by(door);
        return [() => by.complete(), () => by.cancel(), () => by.send('more')][index % 3]?.() ?? by.get();
      });
      for (const { status, msg } of answers) assert.ok(status === 200 || status === 400, msg);
      const { status } = ok(await calls.get());
      assert.ok(['COMPLETED', 'CANCELLED'].includes(status), status);
      const names = (await person.names()).includes('ends') ? await person.names('/ends') : [];
      assert.equal(names.includes(`${round}`), status === 'COMPLETED');
    }
  });

  it('leaves no bytes of the requests that lost', async () => {
    holdall.clock.advance(26 * 3_600_000);
    await holdall.app.cleanUp();
    const stored = await listStoredFiles(holdall);
    const blobs = await holdall.app.database.db.selectFrom('blob').select('id').execute();
    // Besides the blobs there is the object that identifies the store.
    assert.equal(stored.length, blobs.length + 1);
  });

  it('is not affected by an interrupted request, whose bytes are removed', async () => {
    const { person } = await enter();
    const { calls } = await openSession(person, { filename: 'broken', size: 90_000 });
    const before = await listStoredFiles(holdall);
    const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n';
    const request = Buffer.concat([
      rawRequest(person, `POST ${SESSIONS}/${calls.id}/content`, {
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': head.length + 90_000 + 9,
      }),
      Buffer.from(head),
      Buffer.alloc(90_000),
    ]);
    for (const end of [request.length - 89_000, request.length - 1_000, request.length])
      await sendAndDisconnect(person, request.subarray(0, end));
    await untilStored(holdall, before.length);
    let answer = await calls.send(new Uint8Array(90_000));
    // An interrupted request that the service begins to read only now counts as newer.
    while (answer.msg === 'A newer request sends this upload now.') {
      answer = await calls.send(new Uint8Array(90_000));
    }
    ok(answer);
    ok(await calls.complete());
  });

  it('accepts the bytes of a newer request while an older one still sends', async () => {
    const { person, doors } = await enter();
    const { calls } = await openSession(person, { filename: 'slow', size: 8 });
    const slow = Promise.withResolvers<void>();
    const source = async function* () {
      yield Buffer.from('--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nslow');
      await slow.promise;
      yield Buffer.from('slow\r\n--x--\r\n');
    };
    const sending = person
      .call('POST', `${SESSIONS}/${calls.id}/content`, {
        body: ReadableStream.from(source()),
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
      })
      .catch(() => undefined);
    // The status shows that a request is sending, so the next request is newer.
    await waitUntil('the request sends', async () => ok(await calls.get()).status !== 'CREATED');
    const last = doors.at(-1);
    assert.ok(last);
    ok(await calls.by(last).send('new ones'));
    slow.resolve();
    const answer = await sending;
    assert.ok(answer === undefined || answer.status === 400, `${answer?.status}`);
    const { fileId } = ok(await calls.complete());
    assert.equal(String(await person.download({ id: fileId ?? 0 })), 'new ones');
  });
});

describe('a completion that runs', () => {
  it('delays the next one by at most five seconds when its instance crashes', async (t) => {
    const { person } = await enter();
    const { resumable } = await holdall.app.policies.getStore(1);
    const finish = resumable.finish.bind(resumable);
    const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    t.mock.method(resumable, 'finish', async (...parameters: Parameters<typeof finish>) => {
      reached.resolve();
      await released.promise;
      await finish(...parameters);
    });
    const upload = await TusUpload.create(person, 'completes', 4);
    const sent = upload.patch(0, 'four');
    await reached.promise;
    const name = `complete ${upload.id}`;
    const { db } = holdall.app.database;
    const lease = await db.selectFrom('lease').selectAll().where('name', '=', name).executeTakeFirstOrThrow();
    assert.ok(lease.expires_at - holdall.clock.now() <= 5_000, `${lease.expires_at}`);
    released.resolve();
    assertTus(await sent, 204);
  });
});

describe('a request that stops sending but stays connected', () => {
  const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n';
  const stalls: readonly [string, string][] = [
    ['before the file', '--x\r\ncontent-disposition: form-data; name="path"\r\n\r\n/some'],
    ['in the middle of the file', `${head}fo`],
    ['behind the file', `${head}four\r\n--x`],
  ];
  for (const [where, sent] of stalls) {
    it(`${where} blocks neither the next request nor a cancellation`, inFull, async () => {
      const { person } = await enter();
      const { calls } = await openSession(person, { filename: 'stalled', size: 4 });
      const stall = async () => {
        const before = await findWriter(calls.id);
        const source = async function* () {
          yield Buffer.from(sent);
          await new Promise((resolve) => setTimeout(resolve, 60_000).unref());
        };
        const sending = person.call('POST', `${SESSIONS}/${calls.id}/content`, {
          body: ReadableStream.from(source()),
          headers: { 'content-type': 'multipart/form-data; boundary=x' },
        });
        sending.catch(() => undefined);
        await waitFor(
          () => findWriter(calls.id),
          (writer) => writer !== null && writer !== before,
          'the service to begin',
        );
        // The service already has the bytes, and reads them once it has taken the lock.
        await new Promise((resolve) => setTimeout(resolve, 100));
      };
      await stall();
      const begun = performance.now();
      ok(await calls.send('four'));
      await stall();
      ok(await calls.cancel());
      assert.ok(performance.now() - begun < 10_000, `${performance.now() - begun} ms`);
    });
  }
});
