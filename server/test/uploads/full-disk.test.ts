// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { afterEach, describe, type TestContext, test } from 'node:test';
import { startHoldall } from '../support/app/holdall.ts';
import { formOf, Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { listStoredFiles } from '../support/drive/stored-files.ts';
import { type PeerSession, TRANSFERS } from '../support/transfer/transfer.ts';
import { askTus, assertTus, metadataOf, TUS, TusUpload } from '../support/uploads/tus.ts';
import { ok, openSession, SESSIONS } from '../support/uploads/upload-session.ts';

const MIB = 1024 ** 2;

const holdall = await startHoldall();
/** The same service with a limit of free space that no disk meets. */
const fullDisk = await startHoldall({
  beside: holdall,
  env: { HOLDALL_MIN_FREE_DISK_BYTES: String(2 ** 52) },
});
const alice = await holdall.register('alice');
const atFullDisk = new Person(alice.username, fullDisk.url).with(alice.login);

afterEach(() => checkBooks(holdall));

describe('while the disk is almost full', () => {
  test('every kind of upload is rejected, and stores nothing', async () => {
    const raw = { 'content-type': 'application/octet-stream' };
    const { session } = await openSession(alice, { filename: 'proxy', size: 3 });
    const tus = await TusUpload.create(alice, 'tus', 3);
    const made = await alice.ask<PeerSession>('POST', TRANSFERS, {
      body: { mode: 'OFFLINE', files: [{ name: 'a', size: 3 }] },
    });
    const target = await alice.ask<{ uploadUrl: string }>('POST', '/api/files/upload/initiate', {
      body: { filename: 'legacy', size: 3 },
    });
    const { pathname, search } = new URL(target.uploadUrl);
    const announced = { filename: 'new', size: 3 };
    const before = await listStoredFiles(holdall);
    const form = () => formOf('/form', 'abc');
    const answers = [
      await atFullDisk.call('POST', '/api/files/upload', { body: form() }),
      await atFullDisk.call('POST', SESSIONS, { body: announced }),
      await atFullDisk.call('POST', '/api/files/upload/initiate', { body: announced }),
      await atFullDisk.call('POST', `${SESSIONS}/${session.sessionId}/content`, { body: form() }),
      await atFullDisk.call('PUT', `${pathname}${search}`, { body: Buffer.from('abc'), headers: raw }),
      await atFullDisk.call('POST', `${TRANSFERS}/${made.sessionId}/files/${made.files[0]?.id}/content`, {
        body: 'abc',
        headers: raw,
      }),
      await askTus(atFullDisk, 'POST', TUS, {
        headers: { 'upload-length': '3', 'upload-metadata': metadataOf({ filename: 'b' }) },
      }),
      await new TusUpload(atFullDisk, tus.path).patch(0, 'abc'),
    ];
    for (const { status, code, msg } of answers) {
      assert.equal(status, 413);
      assert.ok(code === 1003 || code === 2413, `${code}`);
      assert.match(msg, /^The disk of this service is almost full/);
    }
    // The tus upload has an empty partial file from its first attempt.
    assert.deepEqual(
      (await listStoredFiles(holdall)).filter((name) => !name.includes('.partial')),
      before,
    );
    assert.equal(await tus.offset(), 0);
    assertTus(await tus.patch(0, 'abc'), 204);
  });

  test('files can be read, moved, deleted and purged, and received bytes become a file', async () => {
    const file = await alice.upload('/kept', 'x'.repeat(1_000));
    const { calls } = await openSession(alice, { filename: 'sent', size: 3 });
    ok(await calls.send('abc'));
    assert.ok(ok(await calls.by(atFullDisk).complete()).fileId);
    assert.equal((await atFullDisk.download(file)).length, 1_000);
    await atFullDisk.rename(file, 'renamed');
    await atFullDisk.recycle(file);
    await atFullDisk.purge(file);
    assert.equal(await atFullDisk.usedBytes(), await alice.usedBytes());
  });

  test('the administrator sees how much must stay free', async () => {
    const admin = await holdall.admin();
    const there = new Person('admin', fullDisk.url).with(admin.login);
    const { dataDirectory } = await there.ask<{ dataDirectory: Record<string, number> }>(
      'GET',
      '/api/admin/filesystem',
    );
    assert.equal(dataDirectory.minFreeBytes, 2 ** 52);
  });
});

describe('when the disk becomes full during an upload', () => {
  /** From the given number of written bytes on, every write fails. */
  function fillDisk({ mock }: TestContext, after: number): void {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    let writtenBytes = 0;
    const isFull = (size: number) => {
      writtenBytes += size;
      return writtenBytes > after;
    };
    const { write, writev } = fs;
    mock.method(fs, 'write', ((descriptor: number, bytes: Uint8Array, ...rest: unknown[]) => {
      if (isFull(bytes.byteLength)) return void (rest.at(-1) as (error: Error) => void)(full);
      return Reflect.apply(write, fs, [descriptor, bytes, ...rest]);
    }) as typeof fs.write);
    mock.method(fs, 'writev', ((descriptor: number, chunks: readonly Uint8Array[], ...rest: unknown[]) => {
      const size = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
      if (isFull(size)) return void (rest.at(-1) as (error: Error) => void)(full);
      return Reflect.apply(writev, fs, [descriptor, chunks, ...rest]);
    }) as typeof fs.writev);
  }

  test('a form is rejected, its bytes are removed, and the service keeps running', async (context) => {
    const before = await listStoredFiles(holdall);
    for (const after of [0, MIB]) {
      fillDisk(context, after);
      const body = formOf('/large', new Uint8Array(3 * MIB));
      const { msg } = await alice.refused(413, 1003, 'POST', '/api/files/upload', { body });
      assert.match(msg, /^The disk of this service is full/);
      context.mock.restoreAll();
      assert.deepEqual(await listStoredFiles(holdall), before);
    }
    await alice.upload('/large', new Uint8Array(3 * MIB));
  });

  test('a tus upload keeps the acknowledged bytes only, and continues when there is room', async (context) => {
    const upload = await TusUpload.create(alice, 'pieces', 6 * MIB);
    assertTus(await upload.patch(0, Buffer.alloc(2 * MIB, 'a')), 204);
    const [partial] = (await listStoredFiles(holdall)).filter((name) => name.includes('.partial'));
    assert.ok(partial);
    fillDisk(context, 2 * MIB);
    assertTus(await upload.patch(2 * MIB, Buffer.alloc(4 * MIB, 'b')), 413);
    context.mock.restoreAll();
    const offset = await upload.offset();
    assert.equal(fs.statSync(partial).size, offset);
    assertTus(await upload.patch(offset, Buffer.alloc(6 * MIB - offset, 'b')), 204);
  });
});
