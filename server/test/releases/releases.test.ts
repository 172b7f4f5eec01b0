// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { DAY } from '../../src/base/clock.ts';
import { Failure } from '../../src/base/failure.ts';
import { nameRelease, PACKAGE_TYPE } from '../../src/releases/releases.ts';
import { asAdmin } from '../support/app/admin.ts';
import { type Holdall, startHoldall } from '../support/app/holdall.ts';
import { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { send } from '../support/storage/byte-sources.ts';
import { packageOf } from '../support/zip/android-package.ts';
import { forgeZip } from '../support/zip/zip-forge.ts';

interface MobileRelease {
  readonly downloadUrl: string;
  readonly fileName: string;
  readonly versionName: string;
  readonly versionCode: number;
  readonly size: number;
  readonly sha256: string;
  readonly releasedAt: string;
}

const LATEST = '/api/app/android/latest';
const DOWNLOAD = '/api/app/android/download';

test('without a published release there is nothing to download', async () => {
  const { anonymous } = await startHoldall();
  for (const url of [LATEST, DOWNLOAD, `${DOWNLOAD}/holdall-1.apk`, `${DOWNLOAD}/..%2F..%2Fetc%2Fpasswd`]) {
    await anonymous.refused(404, 1003, 'GET', url);
  }
});

describe('a published package', async () => {
  const holdall = await startHoldall({ env: { HOLDALL_PUBLIC_URL: 'https://drive.example.org' } });
  const { anonymous } = holdall;
  const bytes = packageOf(300_000);
  const before = holdall.clock.now();
  await publish(holdall, '1.4.0', 14, bytes);

  test('is described with its version, size, SHA-256 and download URL', async () => {
    const { releasedAt, ...latest } = await anonymous.ask<MobileRelease>('GET', LATEST);
    assert.deepEqual(latest, {
      downloadUrl: 'https://drive.example.org/api/app/android/download/holdall-1.4.0.apk',
      fileName: 'holdall-1.4.0.apk',
      versionName: '1.4.0',
      versionCode: 14,
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    assert.ok(Date.parse(releasedAt) >= before);
  });

  test('can be downloaded without a login, whole or in ranges, under its file name', async () => {
    for (const url of [DOWNLOAD, `${DOWNLOAD}/holdall-1.4.0.apk`]) {
      const answer = await anonymous.fetch('GET', url);
      assert.equal(answer.status, 200);
      assert.deepEqual(Buffer.from(await answer.arrayBuffer()), bytes);
      assert.equal(answer.headers.get('content-type'), 'application/vnd.android.package-archive');
      assert.match(
        answer.headers.get('content-disposition') ?? '',
        /^attachment; filename="holdall-1\.4\.0\.apk"/,
      );
      const etag = answer.headers.get('etag') ?? assert.fail();
      const range = await anonymous.fetch('GET', url, {
        headers: { range: 'bytes=100-199', 'if-range': etag },
      });
      assert.equal(range.status, 206);
      assert.deepEqual(Buffer.from(await range.arrayBuffer()), bytes.subarray(100, 200));
      const known = await anonymous.fetch('GET', url, { headers: { 'if-none-match': etag } });
      assert.equal(known.status, 304);
      const head = await anonymous.fetch('HEAD', url);
      assert.deepEqual(
        [head.status, head.headers.get('content-length'), head.headers.get('etag')],
        [200, String(bytes.length), etag],
      );
    }
  });

  test('can be downloaded only under its exact file name', async () => {
    for (const name of ['holdall-1.4.0', 'HOLDALL-1.4.0.apk', 'holdall-1.4.1.apk', '%01', '..']) {
      const answer = await anonymous.fetch('GET', `${DOWNLOAD}/${name}`);
      assert.notEqual(answer.status, 200, name);
      await answer.arrayBuffer();
    }
  });

  test('is in no drive, and the consistency checks pass', async () => {
    const person = await holdall.register();
    assert.equal(await person.usedBytes(), 0);
    await checkBooks(holdall);
  });

  test('is listed to admins as an object of its release, and is never a risk', async () => {
    holdall.clock.advance(30 * DAY);
    const view = asAdmin(await holdall.admin());
    const { items } = await view.blobs({ entityType: 'FILE' });
    const shown = items.map(({ objectKey, sha256, storagePolicyId, id, createdAt, ...blob }) => blob);
    assert.deepEqual(shown, [
      {
        ...{ entityType: 'FILE', size: bytes.length, contentType: PACKAGE_TYPE, referenceCount: 1 },
        ...{
          linkedStoredFileCount: 0,
          linkedOwnerCount: 0,
          sampleOwnerUsername: null,
          sampleOwnerEmail: null,
          sampleDriveId: null,
          sampleDriveName: null,
        },
        ...{ createdByUserId: 0, createdByUsername: null },
        ...{ blobMissing: false, orphanRisk: false, referenceMismatch: false },
      },
    ]);
    assert.equal((await view.blobs({ userQuery: 'admin' })).total, 0);
  });
});

describe('publishing', async () => {
  const holdall = await startHoldall();
  const { app, anonymous } = holdall;

  test('the newest release is the one with the highest version code, not the last published one', async () => {
    await publish(holdall, '1.1', 2);
    await publish(holdall, '1.0.1', 1);
    assert.equal((await anonymous.ask<MobileRelease>('GET', LATEST)).versionCode, 2);
  });

  test('a version can be published only once', async () => {
    await rejects(publish(holdall, '1.9', 2), 'conflict', /version code 2 is published already/);
    await rejects(publish(holdall, '1.1', 3), 'conflict', /holdall-1\.1\.apk is published already/);
    await checkBooks(holdall);
  });

  test('a file that is not a package is rejected', async () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from('PK'), Buffer.from('#!/bin/sh')]) {
      await rejects(publish(holdall, '7', 7, bytes), 'rejected', /not an Android package/);
    }
    await checkBooks(holdall);
  });

  test('a part of a package, a bundle for a store and any other archive are rejected', async () => {
    const before = await holdall.app.releases.list();
    const whole = packageOf(100_000);
    const manifest = { name: 'base/manifest/AndroidManifest.xml', content: 'manifest' };
    for (const bytes of [
      whole.subarray(0, 4),
      whole.subarray(0, 65_536),
      whole.subarray(0, -1),
      forgeZip([manifest]),
      forgeZip([{ name: 'AndroidManifest.xml', content: '' }]),
    ]) {
      await rejects(publish(holdall, '7', 7, bytes), 'rejected', /not an Android package/);
    }
    assert.deepEqual(await holdall.app.releases.list(), before);
    await checkBooks(holdall);
  });

  test('one of many concurrent publications of the same version succeeds', async () => {
    const ends = await Promise.allSettled(
      Array.from({ length: 6 }, (_, index) => publish(holdall, `2.${index}`, 20)),
    );
    assert.equal(ends.filter(({ status }) => status === 'fulfilled').length, 1);
    await checkBooks(holdall);
  });

  test('the five newest releases are kept, and the maintenance jobs remove the bytes of the others', async () => {
    const codes = [30, 31, 32, 33, 34, 35, 36];
    const ends = await Promise.allSettled(codes.map((code) => publish(holdall, `3.${code}`, code)));
    // The two oldest may fail, if five newer ones are already published by then.
    for (const end of ends.slice(2)) assert.equal(end.status, 'fulfilled');
    const kept = (await app.releases.list()).map(({ versionCode }) => versionCode);
    assert.deepEqual(kept, [36, 35, 34, 33, 32]);
    for (const code of kept) {
      const answer = await anonymous.fetch('GET', `${DOWNLOAD}/holdall-3.${code}.apk`);
      assert.equal((await answer.arrayBuffer()).byteLength, 1_000 + code);
    }
    await anonymous.refused(404, 1003, 'GET', `${DOWNLOAD}/holdall-1.1.apk`);
    await rejects(publish(holdall, '1.0', 1), 'rejected', /higher version codes/);
    holdall.clock.advance(DAY);
    await app.cleanUp();
    const left = await app.database.db.selectFrom('blob').select('id').execute();
    assert.equal(left.length, 5);
    await checkBooks(holdall);
  });

  test('a withdrawn release is gone immediately, and the previous one becomes the newest', async () => {
    assert.equal((await app.releases.remove(36, async () => {})).fileName, 'holdall-3.36.apk');
    assert.equal((await anonymous.ask<MobileRelease>('GET', LATEST)).versionCode, 35);
    await rejects(
      app.releases.remove(36, async () => {}),
      'not-found',
      /no such release/,
    );
    await checkBooks(holdall);
  });

  test('the publication fails when the additional work of the caller fails', async () => {
    const failing = app.releases.publish(nameRelease('holdall', '9', 90), send(packageOf(9)), {
      alsoDo: async () => {
        throw new Failure('rejected', 'on purpose');
      },
    });
    await rejects(failing, 'rejected', /on purpose/);
    assert.equal((await app.releases.getNewest()).versionCode, 35);
    await checkBooks(holdall);
  });
});

test('without a public URL the download URL has the origin at which the service listens', async () => {
  const holdall = await startHoldall();
  await publish(holdall, '1', 1);
  const { downloadUrl } = await holdall.anonymous.ask<MobileRelease>('GET', LATEST);
  const answer = await new Person('phone', holdall.url).fetch('GET', downloadUrl);
  assert.equal((await answer.arrayBuffer()).byteLength, 1_001);
});

function publish({ app }: Holdall, versionName: string, code: number, bytes = packageOf(1_000 + code)) {
  const source = (async function* () {
    for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
  })();
  return app.releases.publish(nameRelease('holdall', versionName, code), source, { alsoDo: async () => {} });
}

async function rejects(act: Promise<unknown>, kind: string, message: RegExp): Promise<void> {
  await assert.rejects(act, (error) => {
    assert.ok(error instanceof Failure, String(error));
    assert.equal(error.kind, kind);
    assert.match(error.message, message);
    return true;
  });
}
