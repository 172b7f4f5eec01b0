// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { STORE_ID_KEY } from '../../src/blobs/object-key.ts';
import { type Holdall, startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { listStoredFiles, loseStoredFiles } from '../support/drive/stored-files.ts';
import { GIF, JPEG, makePng, SVG, WEBP } from '../support/media/pictures.ts';

const HOUR = 3_600_000;
const MIB = 1024 ** 2;

interface Target {
  readonly direct: boolean;
  readonly uploadUrl: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly storageName: string;
}

interface User {
  readonly avatarUrl: string | null;
}

type Bytes = Buffer<ArrayBuffer>;

const announce = (person: Person, contentType: string, size: number) =>
  person.ask<Target>('POST', '/api/user/avatar/upload/initiate', {
    body: { filename: 'me', contentType, size },
  });

const formOf = (bytes: Bytes, fields: Record<string, string> = {}, contentType = '') => {
  const form = new FormData();
  form.set('file', new Blob([bytes], { type: contentType }), 'me');
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
};

const complete = (person: Person, storageName: string) =>
  person.ask<User>('POST', '/api/user/avatar/upload/complete', { body: { storageName } });

/** Sets a picture with all the steps that a client takes. */
async function setAvatar(person: Person, bytes: Bytes, contentType: string): Promise<User> {
  const target = await announce(person, contentType, bytes.length);
  await person.ask(target.method, target.uploadUrl, { body: formOf(bytes), headers: target.headers });
  return complete(person, target.storageName);
}

async function content(person: Person, headers: Record<string, string> = {}) {
  const response = await person.fetch('GET', '/api/user/avatar/content', { headers });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

describe('a profile picture', async () => {
  const holdall = await startHoldall();

  test('is initiated, uploaded, completed and shown', async () => {
    const ann = await holdall.register('ann');
    await ann.refused(404, 1003, 'GET', '/api/user/avatar/content');
    const png = makePng(4, 3);
    const target = await announce(ann, 'image/png', png.length);
    assert.deepEqual(Object.keys(target).sort(), ['direct', 'headers', 'method', 'storageName', 'uploadUrl']);
    assert.deepEqual([target.direct, target.method, target.headers], [false, 'POST', {}]);
    assert.equal(new URL(target.uploadUrl).origin, holdall.url);

    const sent = await ann.ask('POST', target.uploadUrl, { body: formOf(png) });
    assert.deepEqual(sent, { storageName: target.storageName });
    const user = await complete(ann, target.storageName);
    assert.match(user.avatarUrl ?? '', /^\/api\/user\/avatar\/content\?v=\w+$/);
    assert.deepEqual(await ann.ask('GET', '/api/user/profile'), user);

    const shown = await ann.fetch('GET', user.avatarUrl ?? '');
    assert.equal(shown.status, 200);
    assert.equal(shown.headers.get('content-type'), 'image/png');
    assert.match(shown.headers.get('content-disposition') ?? '', /^attachment/);
    assert.equal(shown.headers.get('x-content-type-options'), 'nosniff');
    assert.match(shown.headers.get('content-security-policy') ?? '', /sandbox/);
    assert.deepEqual(Buffer.from(await shown.arrayBuffer()), png);
  });

  test('is not sent again to a client that has it', async () => {
    const ann = await holdall.register('ann');
    await setAvatar(ann, makePng(), 'image/png');
    const etag = (await content(ann)).response.headers.get('etag') ?? '';
    assert.match(etag, /^"[^"]+"$/);
    const again = await content(ann, { 'if-none-match': `"other", ${etag}` });
    assert.deepEqual([again.response.status, again.bytes.length], [304, 0]);
    await setAvatar(ann, makePng(3, 3), 'image/png');
    assert.equal((await content(ann, { 'if-none-match': etag })).response.status, 200);
  });

  test('may have any of the usual formats', async () => {
    const ann = await holdall.register('ann');
    const pictures: [Bytes, string, string][] = [
      [JPEG, 'image/jpeg', 'image/jpeg'],
      [JPEG, 'image/JPG', 'image/jpeg'],
      [GIF, 'image/gif', 'image/gif'],
      [WEBP, 'image/webp', 'image/webp'],
      [makePng(), 'image/png; x=y', 'image/png'],
    ];
    for (const [bytes, declared, served] of pictures) {
      await setAvatar(ann, bytes, declared);
      const shown = await content(ann);
      assert.equal(shown.response.headers.get('content-type'), served);
      assert.deepEqual(shown.bytes, bytes);
    }
  });

  test('belongs to the caller: others can neither see nor complete it', async () => {
    const ann = await holdall.register('ann');
    const bob = await holdall.register('bob');
    const target = await announce(ann, 'image/png', makePng().length);
    await bob.refused(404, 1003, 'POST', target.uploadUrl, { body: formOf(makePng()) });
    await ann.ask('POST', target.uploadUrl, { body: formOf(makePng()) });
    const body = { storageName: target.storageName };
    await bob.refused(404, 1003, 'POST', '/api/user/avatar/upload/complete', { body });
    await complete(ann, target.storageName);
    await bob.refused(404, 1003, 'GET', '/api/user/avatar/content');
    for (const call of ['upload/initiate', 'upload', 'upload/complete']) {
      await holdall.anonymous.refused(401, 1001, 'POST', `/api/user/avatar/${call}`, { body: {} });
    }
    await holdall.anonymous.refused(401, 1001, 'GET', '/api/user/avatar/content');
  });

  test('does not count against the quota of the drive', async () => {
    const ann = await holdall.register('ann');
    await setAvatar(ann, makePng(2, 2, 100_000), 'image/png');
    assert.equal(await ann.usedBytes(), 0);
  });
});

describe('an upload of a picture', async () => {
  const holdall = await startHoldall();

  test('may have its storage name in the form, after the file, or no storage name at all', async () => {
    const ann = await holdall.register('ann');
    const { storageName } = await announce(ann, 'image/png', makePng().length);
    const path = '/api/user/avatar/upload';
    assert.deepEqual(await ann.ask('POST', path, { body: formOf(makePng(), { storageName }) }), {
      storageName,
    });
    await complete(ann, storageName);

    for (const contentType of ['image/gif', 'application/octet-stream']) {
      const own = await ann.ask<Target>('POST', path, { body: formOf(GIF, {}, contentType) });
      await complete(ann, own.storageName);
      assert.equal((await content(ann)).response.headers.get('content-type'), 'image/gif');
    }
  });

  test('may be repeated only until it is completed', async () => {
    const ann = await holdall.register('ann');
    const small = makePng(1, 1);
    const target = await announce(ann, 'image/png', 1_000);
    await ann.ask('POST', target.uploadUrl, { body: formOf(makePng(9, 9)) });
    await ann.ask('POST', target.uploadUrl, { body: formOf(small) });
    await complete(ann, target.storageName);
    assert.deepEqual((await content(ann)).bytes, small);
    await ann.refused(404, 1003, 'POST', target.uploadUrl, { body: formOf(makePng(9, 9)) });
    const body = { storageName: target.storageName };
    await ann.refused(404, 1003, 'POST', '/api/user/avatar/upload/complete', { body });
    assert.deepEqual((await content(ann)).bytes, small);
  });

  test('is limited to 5 MiB, whether or not it was initiated', async () => {
    const ann = await holdall.register('ann');
    const base = makePng().length;
    const most = makePng(2, 2, 5 * MIB - base);
    assert.equal(most.length, 5 * MIB);
    await setAvatar(ann, most, 'image/png');
    assert.deepEqual((await content(ann)).bytes, most);

    const body = { filename: 'me', contentType: 'image/png', size: 5 * MIB + 1 };
    await ann.refused(413, 1003, 'POST', '/api/user/avatar/upload/initiate', { body });
    const tooLarge = formOf(makePng(2, 2, 5 * MIB - base + 1));
    await ann.refused(413, 1003, 'POST', '/api/user/avatar/upload', { body: tooLarge });
    const target = await announce(ann, 'image/png', 10);
    await ann.refused(413, 1003, 'POST', target.uploadUrl, { body: formOf(makePng()) });
  });

  test('is stopped during the transfer if it declares no length and is too large', async () => {
    const ann = await holdall.register('ann');
    let sent = 0;
    const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';
    const endless = new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.from(head)),
      pull: (controller) => {
        sent += 65_536;
        controller.enqueue(Buffer.alloc(65_536));
        if (sent > 100 * MIB) controller.error(new Error('the upload was not stopped'));
      },
    });
    const answer = await ann
      .call('POST', '/api/user/avatar/upload', {
        body: endless,
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
      })
      .catch((error: Error) => error);
    // fetch may report the answer or the closed connection.
    if (!(answer instanceof Error)) assert.equal(answer.status, 413);
    assert(sent < 100 * MIB, `${sent} bytes were sent`);
  });

  test('expires after a day', async () => {
    const ann = await holdall.register('ann');
    const target = await announce(ann, 'image/png', makePng().length);
    await ann.ask('POST', target.uploadUrl, { body: formOf(makePng()) });
    holdall.clock.advance(24 * HOUR);
    await ann.logIn();
    const body = { storageName: target.storageName };
    await ann.refused(404, 1003, 'POST', '/api/user/avatar/upload/complete', { body });
    await ann.refused(404, 1003, 'POST', target.uploadUrl, { body: formOf(makePng()) });
  });
});

describe('a file that is not a picture', async () => {
  const holdall = await startHoldall();

  test('cannot be initiated', async () => {
    const ann = await holdall.register('ann');
    const assertRejected = (status: number, body: unknown) =>
      ann.refused(status, 1000, 'POST', '/api/user/avatar/upload/initiate', { body });
    const good = { filename: 'me.png', contentType: 'image/png', size: 5 };
    for (const contentType of ['text/html', 'image/svg+xml', 'image/', 'image/x-unknown', '', null]) {
      await assertRejected(400, { ...good, contentType });
    }
    for (const size of [0, -1, 1.5, '5', null]) await assertRejected(400, { ...good, size });
    await assertRejected(400, { ...good, filename: undefined });
  });

  test('cannot be completed, and the previous picture stays', async () => {
    const ann = await holdall.register('ann');
    await setAvatar(ann, GIF, 'image/gif');
    const wrong: [Bytes, string][] = [
      [Buffer.from('just some text'), 'image/png'],
      [JPEG, 'image/png'],
      [makePng(), 'image/jpeg'],
      [SVG, 'image/png'],
      [Buffer.from('<html><script>alert(1)</script></html>'), 'image/gif'],
      [makePng().subarray(0, 20), 'image/png'],
      [makePng(0, 5), 'image/png'],
      [Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 'image/jpeg'],
    ];
    for (const [bytes, contentType] of wrong) {
      const target = await announce(ann, contentType, Math.max(bytes.length, 1));
      await ann.ask('POST', target.uploadUrl, { body: formOf(bytes) });
      const body = { storageName: target.storageName };
      await ann.refused(400, 1003, 'POST', '/api/user/avatar/upload/complete', { body });
    }
    const own = await ann.ask<Target>('POST', '/api/user/avatar/upload', {
      body: formOf(SVG, {}, 'image/svg+xml'),
    });
    const body = { storageName: own.storageName };
    await ann.refused(400, 1003, 'POST', '/api/user/avatar/upload/complete', { body });
    assert.deepEqual((await content(ann)).bytes, GIF);
  });

  test('cannot be completed before it is uploaded, or if it is empty', async () => {
    const ann = await holdall.register('ann');
    const target = await announce(ann, 'image/png', 100);
    const body = { storageName: target.storageName };
    await ann.refused(400, 1003, 'POST', '/api/user/avatar/upload/complete', { body });
    await ann.ask('POST', target.uploadUrl, { body: formOf(Buffer.alloc(0)) });
    await ann.refused(400, 1003, 'POST', '/api/user/avatar/upload/complete', { body });
    await ann.ask('POST', target.uploadUrl, { body: formOf(makePng()) });
    await complete(ann, target.storageName);
  });

  test('an unknown storage name is not found', async () => {
    const ann = await holdall.register('ann');
    for (const storageName of ['x', '', '../../etc/passwd', "' or 1=1", 'x'.repeat(200)]) {
      const body = { storageName };
      await ann.refused(404, 1003, 'POST', '/api/user/avatar/upload/complete', { body });
      const path = `/api/user/avatar/upload?${new URLSearchParams({ storageName })}`;
      await ann.refused(404, 1003, 'POST', path, { body: formOf(makePng()) });
    }
    await ann.refused(400, 1000, 'POST', '/api/user/avatar/upload/complete', { body: {} });
    await ann.refused(400, 1000, 'POST', '/api/user/avatar/upload', { body: { file: 'x' } });
    const form = new FormData();
    form.set('picture', new Blob([makePng()]), 'me.png');
    await ann.refused(400, 1000, 'POST', '/api/user/avatar/upload', { body: form });
  });

  test('a file of the drive cannot be completed as a picture', async () => {
    const ann = await holdall.register('ann');
    const { storageName } = await ann.ask<Target>('POST', '/api/files/upload/initiate', {
      body: { path: '/', filename: 'me.png', size: 10 },
    });
    const body = { storageName };
    await ann.refused(404, 1003, 'POST', '/api/user/avatar/upload/complete', { body });
  });
});

describe('the bytes of pictures', async () => {
  const holdall = await startHoldall({ env: { HOLDALL_SWEEP_GRACE: '1s' } });
  const { clock, app } = holdall;

  test('are removed if replaced or never completed; those of the current picture stay', async () => {
    const ann = await holdall.register('ann');
    const before = await countObjects(holdall);
    await setAvatar(ann, makePng(1, 1), 'image/png');
    const last = makePng(5, 5);
    await setAvatar(ann, last, 'image/png');
    const target = await announce(ann, 'image/png', 1_000);
    await ann.ask('POST', target.uploadUrl, { body: formOf(makePng(7, 7)) });
    assert.equal(await countObjects(holdall), before + 3);
    clock.advance(25 * HOUR);
    await app.cleanUp();
    await ann.logIn();
    assert.deepEqual((await content(ann)).bytes, last);
    assert.equal(await countObjects(holdall), before + 1);
  });
});

describe('initiated uploads of pictures', async () => {
  const holdall = await startHoldall();
  const UPLOAD = '/api/user/avatar/upload';

  test('cannot fill the disk: only the ten newest of a user are kept', async () => {
    const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
    const bobs = await announce(bob, 'image/png', 1_000);
    const names: string[] = [];
    for (let index = 0; index < 13; index += 1) {
      const { storageName } = await ann.ask<Target>('POST', UPLOAD, {
        body: formOf(makePng(), {}, 'image/png'),
      });
      names.push(storageName);
      holdall.clock.advance(1);
    }
    assert.equal(await countObjects(holdall), 10);
    const [first, , , fourth] = names;
    await ann.refused(404, 1003, 'POST', `${UPLOAD}/complete`, { body: { storageName: first } });
    assert.ok(fourth);
    await complete(ann, fourth);
    await bob.ask('POST', bobs.uploadUrl, { body: formOf(makePng()) });
    await complete(bob, bobs.storageName);
  });

  test('replace their bytes immediately when they are sent again', async () => {
    const ann = await holdall.register('ann');
    const before = await countObjects(holdall);
    const target = await announce(ann, 'image/png', 1_000);
    for (let index = 1; index < 4; index += 1) {
      await ann.ask('POST', target.uploadUrl, { body: formOf(makePng(index, index)) });
      assert.equal(await countObjects(holdall), before + 1);
    }
    await complete(ann, target.storageName);
    assert.deepEqual((await content(ann)).bytes, makePng(3, 3));
  });

  test('leave no bytes behind if they are completed while being sent again', async () => {
    const ann = await holdall.register('ann');
    const { database, store } = holdall.app;
    const target = await announce(ann, 'image/png', 1_000);
    const before = await countObjects(holdall);
    const write = store.write.bind(store);
    store.write = async (...args) => {
      const digest = await write(...args);
      await database.transact((tx) =>
        tx.deleteFrom('upload_ticket').where('object_key', '=', target.storageName).execute(),
      );
      return digest;
    };
    try {
      await ann.refused(404, 1003, 'POST', target.uploadUrl, { body: formOf(makePng()) });
    } finally {
      store.write = write;
    }
    assert.equal(await countObjects(holdall), before);
  });

  test('and stored pictures cause a server error if their bytes are lost', async () => {
    const ann = await holdall.register('ann');
    await setAvatar(ann, makePng(), 'image/png');
    const target = await announce(ann, 'image/png', 1_000);
    await ann.ask('POST', target.uploadUrl, { body: formOf(makePng()) });
    await loseStoredFiles(holdall);
    const body = { storageName: target.storageName };
    const completed = await ann.call('POST', `${UPLOAD}/complete`, { body });
    assert.equal(completed.status, 500);
    assert.equal((await ann.fetch('GET', '/api/user/avatar/content')).status, 500);
  });
});

async function countObjects(holdall: Holdall): Promise<number> {
  return (await listStoredFiles(holdall)).filter((name) => !name.endsWith(STORE_ID_KEY)).length;
}
