import assert from 'node:assert/strict';
import type { EntryRecord } from '../../../server/src/drive/contract.ts';
import type { UploadTarget } from '../../../server/src/http/fields.ts';
import { formOf, type Person } from '../../../server/test/support/app/person.ts';
import { readBack } from '../../../server/test/support/zip/zip-reading.ts';
import { refuse } from '../refusals.ts';
import { uniqueName } from '../scene.ts';
import type { Section } from '../suite.ts';
import { fetchFile } from './fetch-file.ts';
import { sendTo } from './send-to.ts';

const UPLOAD = '/api/files/upload';

export const drive: Section = {
  title: 'Drive',
  checks: {
    'a directory is made with its missing parents': async (scene) => {
      const alice = await scene.person();
      const path = await scene.directory(alice);
      const record = await alice.mkdir(`${path}/a/b/c`);
      assert.deepEqual(
        [record.path, record.parentPath, record.filename, record.directory, record.size],
        [`${path}/a/b/c`, `${path}/a/b`, 'c', true, 0],
      );
      assert.deepEqual(await alice.names(`${path}/a`), ['b']);
    },
    'the root cannot be made': async ({ person }) => {
      await refuse('rejected', await person(), 'POST', '/api/files/mkdir', { body: { path: '/' } });
    },
    'invalid paths and names are refused': async (scene) => {
      const alice = await scene.person();
      const path = await scene.directory(alice);
      for (const name of ['..', '.', 'a\\b', 'a\u0000b', 'x'.repeat(256)]) {
        const options = { body: { path: `${path}/${name}` } };
        await refuse('invalid', alice, 'POST', '/api/files/mkdir', options);
      }
      const directory = await alice.mkdir(`${path}/fine`);
      for (const filename of ['..', 'a/b', ' ', '', 'é'.repeat(128)]) {
        await refuse('invalid', alice, 'PATCH', `/api/files/${directory.id}/rename`, { body: { filename } });
      }
      assert.deepEqual(await alice.names(path), ['fine']);
    },
    'names are stored in NFC and keep their case': async (scene) => {
      const alice = await scene.person();
      const path = await scene.directory(alice);
      await alice.mkdir(`${path}/${'é'.normalize('NFD')}`);
      await alice.mkdir(`${path}/Ab`);
      await alice.mkdir(`${path}/ab`);
      assert.ok((await alice.names(path)).includes('é'.normalize('NFC')));
      await refuseTaken(alice, 'POST', '/api/files/mkdir', { path: `${path}/${'é'.normalize('NFC')}` });
    },
    'an uploaded file is downloaded as it was': async (scene) => {
      const alice = await scene.person();
      const record = await alice.upload(`${await scene.directory(alice)}/a.txt`, 'hello', 'text/plain');
      assert.deepEqual([record.filename, record.size, record.directory], ['a.txt', 5, false]);
      assert.equal((await alice.download(record)).toString(), 'hello');
    },
    'the path may follow the file in the form': async (scene) => {
      const alice = await scene.person();
      const path = await scene.directory(alice);
      const form = new FormData();
      form.set('file', new Blob(['late']), 'late.txt');
      form.set('path', path);
      const record = await alice.ask<EntryRecord>('POST', UPLOAD, { body: form });
      assert.equal(record.path, `${path}/late.txt`);
    },
    'an announced upload is completed with its storage name, once and by its user only': async (scene) => {
      const alice = await scene.person();
      const path = await scene.directory(alice);
      const target = await alice.ask<UploadTarget>('POST', `${UPLOAD}/initiate`, {
        body: { path, filename: 'b.bin', size: 3, contentType: 'application/octet-stream' },
      });
      await sendTo(alice, target, new Uint8Array([1, 2, 3]));
      const body = { path, filename: 'b.bin', storageName: target.storageName };
      const foreign = await (await scene.person('bob')).call('POST', `${UPLOAD}/complete`, { body });
      assert.notEqual(foreign.code, 0);
      const record = await alice.ask<EntryRecord>('POST', `${UPLOAD}/complete`, { body });
      assert.deepEqual(await alice.download(record), Buffer.from([1, 2, 3]));
      const again = { ...body, filename: 'again.bin' };
      assert.notEqual((await alice.call('POST', `${UPLOAD}/complete`, { body: again })).code, 0);
    },
    'a taken name is refused for every write': async (scene) => {
      const alice = await scene.person();
      const path = await scene.directory(alice);
      const taken = await alice.upload(`${path}/taken`, 'a');
      const other = await alice.upload(`${path}/other`, 'b');
      const deeper = await alice.upload(`${path}/deeper/taken`, 'c');
      await refuseTaken(alice, 'POST', '/api/files/mkdir', { path: taken.path });
      await refuse('conflict', alice, 'POST', UPLOAD, { body: formOf(taken.path, 'd') });
      await refuseTaken(alice, 'PATCH', `/api/files/${other.id}/rename`, { filename: 'taken' });
      await refuseTaken(alice, 'PATCH', `/api/files/${deeper.id}/move`, { path });
      await refuseTaken(alice, 'POST', `/api/files/${deeper.id}/copy`, { path });
      await refuseTaken(alice, 'POST', `/api/files/${taken.id}/copy`, { path });
      assert.equal((await alice.download(taken)).toString(), 'a');
    },
    'a directory cannot be moved or copied into itself': async (scene) => {
      const alice = await scene.person();
      const path = await scene.directory(alice);
      const outer = await alice.mkdir(`${path}/outer`);
      const inner = await alice.mkdir(`${path}/outer/inner`);
      for (const target of [outer, inner]) {
        const options = { body: { path: target.path } };
        await refuse('rejected', alice, 'PATCH', `/api/files/${outer.id}/move`, options);
        await refuse('rejected', alice, 'POST', `/api/files/${outer.id}/copy`, options);
      }
    },
    'a renamed and moved directory takes its content along': async (scene) => {
      const alice = await scene.person();
      const path = await scene.directory(alice);
      const directory = await alice.mkdir(`${path}/old`);
      const file = await alice.upload(`${path}/old/a.txt`, 'a');
      const target = await alice.mkdir(`${path}/target`);
      await alice.rename(directory, 'new');
      await alice.move(directory, target.path);
      assert.equal((await alice.details(file)).path, `${path}/target/new/a.txt`);
    },
    'a copy of a tree is independent of the original': async (scene) => {
      const alice = await scene.person();
      const path = await scene.directory(alice);
      const directory = await alice.mkdir(`${path}/a`);
      const file = await alice.upload(`${path}/a/b/c.txt`, 'c');
      const target = await alice.mkdir(`${path}/target`);
      await alice.copy(directory, target.path);
      await alice.recycle(directory);
      const [copy] = (await alice.list(`${path}/target/a/b`)).items;
      assert.ok(copy !== undefined && copy.id !== file.id);
      assert.equal((await alice.download(copy)).toString(), 'c');
    },
    'the target of a move or copy must exist': async (scene) => {
      const alice = await scene.person();
      const file = await alice.upload(`${await scene.directory(alice)}/a`, 'a');
      const options = { body: { path: `/${uniqueName('missing')}` } };
      await refuse('not-found', alice, 'PATCH', `/api/files/${file.id}/move`, options);
      await refuse('not-found', alice, 'POST', `/api/files/${file.id}/copy`, options);
    },
    'of many uploads with one name one succeeds': async (scene) => {
      const alice = await scene.person();
      const path = await scene.directory(alice);
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          alice.call('POST', UPLOAD, { body: formOf(`${path}/race`, String(n)) }),
        ),
      );
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(7).fill(409)]);
    },
    'directories made at once below a missing parent all succeed': async (scene) => {
      const alice = await scene.person();
      const path = await scene.directory(alice);
      await Promise.all(Array.from({ length: 8 }, (_, n) => alice.mkdir(`${path}/parent/${n}`)));
      assert.equal((await alice.names(`${path}/parent`)).length, 8);
    },
    'the files of others are not found': async (scene) => {
      const alice = await scene.person();
      const bob = await scene.person('bob');
      const file = await alice.upload(`${await scene.directory(alice)}/private`, 'a');
      await refuse('not-found', bob, 'GET', `/api/files/download/${file.id}`);
      await refuse('not-found', bob, 'GET', `/api/files/download/${file.id}/url`);
      await refuse('not-found', bob, 'PATCH', `/api/files/${file.id}/rename`, { body: { filename: 'b' } });
      await refuse('not-found', bob, 'PATCH', `/api/files/${file.id}/move`, { body: { path: '/' } });
      await refuse('not-found', bob, 'POST', `/api/files/${file.id}/copy`, { body: { path: '/' } });
      await refuse('not-found', bob, 'DELETE', `/api/files/${file.id}`);
      await refuse('not-found', bob, 'GET', `/api/files/list?path=${encodeURIComponent(file.parentPath)}`);
    },
    'a list is sorted as asked, by default directories first': async (scene) => {
      const alice = await scene.person();
      const path = await scene.directory(alice);
      await alice.upload(`${path}/b`, '1');
      await alice.upload(`${path}/A`, '333');
      await alice.mkdir(`${path}/z`);
      assert.deepEqual(await alice.names(path), ['z', 'A', 'b']);
      const bySize = await alice.list(path, { sort: 'size', order: 'desc' });
      assert.equal(bySize.items[0]?.filename, 'A');
      await refuse('invalid', alice, 'GET', '/api/files/list?sort=colour');
    },
    'recent files are the newest, without directories': async (scene) => {
      const alice = await scene.person();
      const path = await scene.directory(alice);
      const file = await alice.upload(`${path}/newest`, 'a');
      const recent = await alice.recent();
      assert.equal(recent[0]?.id, file.id);
      assert.ok(recent.every(({ directory }) => !directory));
    },
    'a write beyond the quota is refused and leaves nothing': async (scene) => {
      const person = await scene.newcomer();
      const admin = await scene.admin();
      await admin.ask('PATCH', `/api/admin/users/${person.id}/storage-quota`, {
        body: { storageQuotaBytes: 10 },
      });
      const file = await person.upload('/six', '123456');
      const before = await person.state();
      await refuse('over-limit', person, 'POST', UPLOAD, { body: formOf('/five', '12345') });
      const options = { body: { path: '/Documents' } };
      await refuse('over-limit', person, 'POST', `/api/files/${file.id}/copy`, options);
      assert.deepEqual(await person.state(), before);
      await person.upload('/empty', '');
    },
    'a file above the maximum size is refused': async (scene) => {
      const person = await scene.newcomer();
      const admin = await scene.admin();
      await admin.ask('PATCH', `/api/admin/users/${person.id}/max-upload-size`, {
        body: { maxUploadSizeBytes: 4 },
      });
      await refuse('over-limit', person, 'POST', UPLOAD, { body: formOf('/five', '12345') });
      await person.upload('/four', '1234');
    },
  },
};

export const downloads: Section = {
  title: 'Downloads',
  checks: {
    'a download is an attachment with an ETag and ranges': async (scene) => {
      const alice = await scene.person();
      const file = await alice.upload(
        `${await scene.directory(alice)}/naïve.txt`,
        '0123456789',
        'text/plain',
      );
      const response = await alice.fetch('GET', `/api/files/download/${file.id}`);
      await response.arrayBuffer();
      const { headers } = response;
      assert.match(
        headers.get('content-disposition') ?? '',
        /^attachment;.*filename\*=UTF-8''na%C3%AFve\.txt/,
      );
      assert.equal(headers.get('accept-ranges'), 'bytes');
      assert.equal(headers.get('content-length'), '10');
      assert.match(headers.get('etag') ?? '', /^"/);
    },
    'a range is answered with that part': async (scene) => {
      const alice = await scene.person();
      const file = await alice.upload(`${await scene.directory(alice)}/a`, '0123456789');
      for (const [range, status, content] of [
        ['bytes=2-4', 206, '234'],
        ['bytes=-3', 206, '789'],
        ['bytes=8-', 206, '89'],
      ] as const) {
        const response = await fetchFile(alice, `/api/files/download/${file.id}`, { headers: { range } });
        assert.deepEqual([response.status, await response.text()], [status, content]);
      }
      const beyond = { headers: { range: 'bytes=10-' } };
      const response = await alice.fetch('GET', `/api/files/download/${file.id}`, beyond);
      await response.arrayBuffer();
      assert.deepEqual([response.status, response.headers.get('content-range')], [416, 'bytes */10']);
    },
    'an unchanged file is not sent again, and HEAD sends no bytes': async (scene) => {
      const alice = await scene.person();
      const url = `/api/files/download/${(await alice.upload(`${await scene.directory(alice)}/a`, 'abc')).id}`;
      const head = await alice.fetch('HEAD', url);
      assert.deepEqual([head.status, await head.text()], [200, '']);
      const etag = head.headers.get('etag') ?? '';
      const response = await alice.fetch('GET', url, { headers: { 'if-none-match': etag } });
      assert.deepEqual([response.status, await response.text()], [304, '']);
    },
    'a directory is downloaded as a ZIP': async (scene) => {
      const alice = await scene.person();
      const path = await scene.directory(alice);
      const directory = await alice.mkdir(`${path}/Träume`);
      await alice.upload(`${path}/Träume/a.txt`, 'aaa');
      await alice.mkdir(`${path}/Träume/empty`);
      const entries = await readBack(await alice.download(directory));
      assert.deepEqual(
        entries.map(({ entry, bytes }) => [entry.fileName, bytes.toString()]).sort(),
        [
          ['Träume/', ''],
          ['Träume/a.txt', 'aaa'],
          ['Träume/empty/', ''],
        ].filter(([name]) => name !== 'Träume/' || entries.some(({ entry }) => entry.fileName === name)),
      );
    },
    'a download address works without a token': async (scene) => {
      const alice = await scene.person();
      const file = await alice.upload(`${await scene.directory(alice)}/a.txt`, 'linked');
      const { url, expiresAt } = await alice.ask<{ url: string; expiresAt: string }>(
        'GET',
        `/api/files/download/${file.id}/url`,
      );
      assert.ok(Date.parse(expiresAt) > Date.now());
      const response = await scene.anonymous.fetch('GET', url);
      assert.deepEqual([response.status, await response.text()], [200, 'linked']);
    },
    'the address of a mobile package is signed, and a changed one is refused': async (scene) => {
      const alice = await scene.person();
      const file = await alice.upload(`${await scene.directory(alice)}/app.apk`, 'package');
      const { url } = await alice.ask<{ url: string }>('GET', `/api/files/download/${file.id}/url`);
      const address = new URL(url, scene.url);
      assert.ok(address.pathname.startsWith('/_dl/'));
      const expires = Number(address.searchParams.get('expires'));
      assert.ok(expires > Date.now() / 1_000 && expires <= Date.now() / 1_000 + 301);
      const changed = new URL(address);
      changed.searchParams.set('expires', String(expires + 1));
      assert.equal((await scene.anonymous.fetch('GET', changed.href)).status, 403);
    },
    'a directory has no download address': async (scene) => {
      const alice = await scene.person();
      const directory = await alice.mkdir(await scene.directory(alice).then((path) => `${path}/a`));
      const answer = await alice.call('GET', `/api/files/download/${directory.id}/url`);
      assert.equal(answer.status, 400);
    },
  },
};

function refuseTaken(person: Person, method: string, path: string, body: object): Promise<void> {
  return refuse('conflict', person, method, path, { body });
}
