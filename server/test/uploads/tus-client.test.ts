// tier: default
// runs on: sqlite
// runs on, with --full: s3
// The real tus-js-client, over connections that break.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, afterEach, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { inFull } from '../../../tools/testing/tiers.ts';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { type LoginState, Person } from '../support/app/person.ts';
import { ServiceProcess } from '../support/app/service-process.ts';
import { checkBooks } from '../support/checks/books.ts';
import { atEveryInstance } from '../support/checks/race.ts';
import { openTestDatabase } from '../support/database/open-database.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { createDrive, inDrive } from '../support/drives/shared-drives.ts';
import { FlakyProxy } from '../support/network/flaky-proxy.ts';
import { createTestStorage, isS3 } from '../support/storage/test-storage.ts';
import { waitFor } from '../support/tasks/tasks.ts';
import { countLeft, TusUpload } from '../support/uploads/tus.ts';
import { uploadByClient } from '../support/uploads/tus-client.ts';
import { ok, SessionCalls } from '../support/uploads/upload-session.ts';

const MB = 1_000_000;
/** Bytes become durable after each part of 8 MiB on S3, and after 64 MiB on the local disk. */
const KILLED_BYTES = (isS3 ? 24 : 72) * MB;
const holdall = await startHoldall();
const proxies: FlakyProxy[] = [];

afterEach(async () => {
  // Closes connections that are still half-open.
  await Promise.all(proxies.splice(0).map((proxy) => proxy.close()));
  await checkBooks(holdall);
});

/** The person, connected to these servers through a flaky proxy. */
async function connectByFlakyProxy(person: Person, urls: readonly string[]) {
  const proxy = new FlakyProxy(urls);
  proxies.push(proxy);
  const url = await proxy.open();
  return { proxy, person: atEveryInstance(person, [url])[0] as Person };
}

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function assertArrived(person: Person, name: string, bytes: Buffer): Promise<void> {
  const file = (await person.list('/')).items.find(({ filename }) => filename === name);
  assert.ok(file, `${name} is not there`);
  assert.equal(file.contentType, 'application/x-test');
  assert.equal(hashOf(await person.download(file)), hashOf(bytes));
}

function assertNothingLeft({ partial, open }: { partial: number; open: number }): void {
  assert.deepEqual({ partial, open }, { partial: 0, open: 0 });
}

describe('tus-js-client', () => {
  let alice: Person;
  before(async () => {
    alice = await holdall.register('alice');
  });

  test('uploads in one request, in several, and with its creation', async () => {
    const bytes = randomBytes(3 * MB + 7);
    await uploadByClient(alice, { name: 'one', bytes });
    await uploadByClient(alice, { name: 'several', bytes }, { chunkSize: MB });
    await uploadByClient(alice, { name: 'at once', bytes }, { uploadDataDuringCreation: true });
    await uploadByClient(alice, { name: 'none', bytes: Buffer.alloc(0) });
    for (const name of ['one', 'several', 'at once']) await assertArrived(alice, name, bytes);
    await assertArrived(alice, 'none', Buffer.alloc(0));
    assertNothingLeft(await countLeft(holdall));
  });

  test(
    'uploads several files concurrently over connections that break, with and without notice to the server',
    inFull,
    async () => {
      const { proxy, person } = await connectByFlakyProxy(alice, [holdall.url]);
      const files = [9, 10, 12].map((size) => ({ name: `bad ${size}`, bytes: randomBytes(size * MB + 1) }));
      const [first, ...others] = files.map((file, index) =>
        uploadByClient(person, file, index === 1 ? { chunkSize: 5 * MB } : {}),
      );
      await Promise.all([first, ...others]);
      assert.ok(proxy.silentBreaks >= 3 && proxy.breaks > proxy.silentBreaks, `${proxy.breaks} breaks`);
      for (const { name, bytes } of files) await assertArrived(alice, name, bytes);
      assertNothingLeft(await countLeft(holdall));
    },
  );

  test('uploads to a shared drive that only the creation names, over connections that break', async () => {
    const { id: drive } = await createDrive(alice);
    const there = inDrive(alice, drive);
    const { proxy, person } = await connectByFlakyProxy(alice, [holdall.url]);
    // More than one connection carries.
    const bytes = randomBytes(4 * MB);
    await uploadByClient(person, { name: 'by header', bytes }, { drive });
    await uploadByClient(
      person,
      { name: 'by parameter', bytes },
      { query: `?drive=${drive}`, chunkSize: MB },
    );
    assert.ok(proxy.breaks >= 2, `${proxy.breaks} breaks`);
    const metadata = { filetype: 'application/x-test' };
    const begun = await TusUpload.create(there, 'by another client', bytes.length, metadata);
    assert.equal((await begun.patch(0, bytes.subarray(0, MB))).status, 204);
    const uploadUrl = new URL(begun.path, person.url).href;
    await uploadByClient(person, { name: 'by another client', bytes }, { uploadUrl });
    for (const name of ['by header', 'by parameter', 'by another client']) {
      await assertArrived(there, name, bytes);
    }
    assertNothingLeft(await countLeft(holdall));
  });

  if (isPostgres) {
    test('resumes at another instance while the dead request is still open at the first', async () => {
      const beside = await startHoldall({ beside: holdall });
      const { proxy, person } = await connectByFlakyProxy(alice, [holdall.url, beside.url]);
      const bytes = randomBytes(10 * MB + 1);
      await uploadByClient(person, { name: 'by turns', bytes });
      assert.ok(proxy.silentBreaks >= 1, `${proxy.breaks} breaks`);
      await assertArrived(alice, 'by turns', bytes);
      assertNothingLeft(await countLeft(holdall));
    });
  }
});

describe('a request that hangs', () => {
  const PIECE = 65_536;

  /**
   * Starts a request that sends bytes and then hangs. When 8 MB are `sent`, the service has read some of
   * them: the system buffers less than that.
   */
  function startSilent(upload: TusUpload, bytes: Buffer, headers: Readonly<Record<string, string>> = {}) {
    const sent = Promise.withResolvers<void>();
    let at = 0;
    const body = new ReadableStream(
      {
        pull: async (controller) => {
          if (at >= bytes.length) {
            sent.resolve();
            await new Promise(() => {});
          }
          controller.enqueue(new Uint8Array(bytes.subarray(at, at + PIECE)));
          at += PIECE;
        },
      },
      { highWaterMark: 0 },
    );
    const end = new AbortController();
    const answer = upload.patch(0, body, headers, end.signal).catch(() => undefined);
    return { answer, sent: sent.promise, end: () => end.abort() };
  }

  test('does not block the request that resumes, and its bytes count', async () => {
    const bob = await holdall.register('bob');
    const bytes = randomBytes(9 * MB);
    const upload = await TusUpload.create(bob, 'silent', bytes.length);
    const silent = startSilent(upload, bytes.subarray(0, 8 * MB));
    const calls = new SessionCalls(bob, upload.id);
    await silent.sent;
    const offset = await upload.offset();
    assert.ok(offset > 0 && offset <= 8 * MB, `${offset}`);
    assert.equal((await upload.patch(offset, bytes.subarray(offset))).status, 204);
    const old = await silent.answer;
    // tus-js-client asks for the offset after 423, and gives up after another status below 500 (but 409).
    if (old !== undefined) assert.equal(old.status, 423);
    silent.end();
    const { fileId } = ok(await calls.get());
    assert.equal(hashOf(await bob.download({ id: fileId ?? 0 })), hashOf(bytes));
  });

  test('keeps nothing when it has a checksum', async () => {
    const bob = await holdall.register('bob');
    const bytes = randomBytes(9 * MB);
    const upload = await TusUpload.create(bob, 'checked', bytes.length);
    const checked = { 'upload-checksum': `sha1 ${createHash('sha1').update(bytes).digest('base64')}` };
    const silent = startSilent(upload, bytes.subarray(0, 8 * MB), checked);
    await silent.sent;
    assert.equal(await upload.offset(), 0);
    await silent.answer;
    silent.end();
    assert.equal((await upload.patch(0, bytes, checked)).status, 204);
  });

  test('ends when its client disconnects, and its bytes are kept', async () => {
    const bob = await holdall.register('bob');
    const bytes = randomBytes(9 * MB);
    const upload = await TusUpload.create(bob, 'left', bytes.length);
    const silent = startSilent(upload, bytes.subarray(0, 8 * MB));
    await silent.sent;
    silent.end();
    const { db } = holdall.app.database;
    const find = () =>
      db
        .selectFrom('upload_session')
        .select(['received_bytes', 'writer'])
        .where('id', '=', upload.id)
        .executeTakeFirstOrThrow();
    // No other request touches the upload, so the server itself must have ended this one.
    await waitUntil('the request ends', async () => (await find()).writer === null);
    const { received_bytes: received } = await find();
    assert.ok(received > 0, `${received} bytes`);
    assert.equal((await upload.patch(received, bytes.subarray(received))).status, 204);
  });

  test('continues although another transaction runs for longer than its lease', inFull, async () => {
    const bob = await holdall.register('bob');
    const upload = await TusUpload.create(bob, 'patient', 2 * PIECE);
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
    const body = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        controller.enqueue(randomBytes(PIECE));
        await isOver;
        controller.enqueue(randomBytes(PIECE));
        controller.close();
      },
    });
    const answer = upload.patch(0, body);
    const { database } = holdall.app;
    const findWriter = () =>
      database.db
        .selectFrom('upload_session')
        .select('writer')
        .where('id', '=', upload.id)
        .executeTakeFirstOrThrow();
    await waitFor(findWriter, ({ writer }) => writer !== null, 'the request');
    // The lease lasts three seconds.
    await database.transact(() => sleep(4_500));
    end();
    assert.equal((await answer).status, 204);
  });

  if (isPostgres) {
    test('is replaced by a request to another instance, and its bytes count', async () => {
      const beside = await startHoldall({ beside: holdall });
      const bob = await holdall.register('bob');
      const bytes = randomBytes(9 * MB);
      const upload = await TusUpload.create(bob, 'elsewhere', bytes.length);
      const silent = startSilent(upload, bytes.subarray(0, 8 * MB));
      await silent.sent;
      const there = upload.by(atEveryInstance(bob, [beside.url])[0] as Person);
      const offset = await there.offset();
      assert.ok(offset > 0, 'the bytes of the interrupted request are lost');
      assert.equal((await there.patch(offset, bytes.subarray(offset))).status, 204);
      await silent.answer;
      silent.end();
      const { fileId } = ok(await new SessionCalls(bob, upload.id).get());
      assert.equal(hashOf(await bob.download({ id: fileId ?? 0 })), hashOf(bytes));
    });

    test('makes two clients wait, and answers 423 to the HEAD that came first', async () => {
      const beside = await startHoldall({ beside: holdall });
      const bob = await holdall.register('bob');
      const bytes = randomBytes(9 * MB);
      const upload = await TusUpload.create(bob, 'overtaken', bytes.length);
      const silent = startSilent(upload, bytes.subarray(0, 8 * MB));
      await silent.sent;
      const there = upload.by(atEveryInstance(bob, [beside.url])[0] as Person);
      const heads = await Promise.all([there.head(), there.head()]);
      assert.deepEqual(heads.map(({ status }) => status).sort(), [200, 423]);
      await silent.answer;
      silent.end();
      const offset = await there.offset();
      assert.equal((await there.patch(offset, bytes.subarray(offset))).status, 204);
    });
  }
});

describe('a service that is killed during an upload', inFull, async () => {
  const { directory, url, openSecondHandle } = await openTestDatabase({ migrated: false });
  const storage = createTestStorage();
  const env = {
    ...storage.env,
    HOLDALL_DATA_DIR: directory,
    HOLDALL_DEV_LOGIN: 'true',
    ...(url === undefined ? {} : { HOLDALL_DATABASE_URL: url }),
  };
  let service: ServiceProcess | undefined;
  after(async () => {
    await service?.kill();
    await storage.drop();
  });

  test('resumes after its restart from the last acknowledged byte', async () => {
    service = await ServiceProcess.start(env);
    const carol = new Person('carol', service.url);
    carol.login = await carol.ask<LoginState>('POST', '/api/auth/dev-login', { body: { username: 'carol' } });
    const bytes = randomBytes(KILLED_BYTES);
    const upload = await TusUpload.create(carol, 'killed', bytes.length);
    assert.equal((await upload.patch(0, bytes.subarray(0, MB))).status, 204);
    let sent = MB;
    const body = new ReadableStream({
      pull: async (controller) => {
        // Sends everything except the end.
        if (sent >= KILLED_BYTES - MB) await new Promise(() => {});
        controller.enqueue(new Uint8Array(bytes.subarray(sent, sent + MB)));
        sent += MB;
      },
    });
    const cut = upload.patch(MB, body).catch(() => undefined);
    const { db } = openSecondHandle();
    const find = async () =>
      (await db.selectFrom('upload_session').select('received_bytes').executeTakeFirstOrThrow())
        .received_bytes;
    await waitUntil('a point is reached', async () => (await find()) > MB);
    const durable = await find();
    await service.kill();
    await cut;
    service = await ServiceProcess.start(env);
    const again = upload.by(atEveryInstance(carol, [service.url])[0] as Person);
    const offset = await again.offset();
    assert.ok(offset >= durable, `${offset} of ${durable}`);
    assert.equal((await again.patch(offset, bytes.subarray(offset))).status, 204);
    const { fileId } = ok(await new SessionCalls(again.person, upload.id).get());
    assert.equal(hashOf(await again.person.download({ id: fileId ?? 0 })), hashOf(bytes));
  });
});
