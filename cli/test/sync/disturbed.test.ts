// tier: full
// runs on: sqlite
import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { describe, test } from 'node:test';
import { startHoldall } from '../../../server/test/support/app/holdall.ts';
import { DisturbedPair, settle } from './disturbed-pair.ts';

const service = await startHoldall();

describe('a disturbed sync', () => {
  test('keeps a file that the user saves with the same size just after its download', async () => {
    const pair = await DisturbedPair.create(service);
    await pair.sync();
    await pair.person.upload('/pair/doc.txt', 'from the drive');
    let hasSaved = false;
    await pair.sync({
      change: (parts) => {
        const { local } = parts;
        const refresh = local.refresh.bind(local);
        local.refresh = (entryPath, localPath) => {
          if (entryPath === 'doc.txt' && !hasSaved) {
            pair.write('doc.txt', 'from this disk');
            hasSaved = true;
          }
          return refresh(entryPath, localPath);
        };
        return parts;
      },
    });
    assert.ok(hasSaved);
    assert.equal(await pair.readRemote('doc.txt'), 'from this disk');
    assert.equal(pair.read('doc.txt'), 'from this disk');
  });

  for (const [kind, size] of [
    ['small', 3],
    ['large', 2_000_000],
  ] as const) {
    test(`notices new content of a ${kind} file in the drive with the same size and time`, async () => {
      const pair = await DisturbedPair.create(service, { 'a.txt': 'a'.repeat(size) });
      await settle();
      await pair.sync();
      const { modifiedAt } = await pair.find('a.txt');
      await pair.edit('a.txt', 'b'.repeat(size), modifiedAt);
      await pair.sync();
      assert.equal(pair.read('a.txt').slice(0, 3), 'bbb');
    });
  }

  test('keeps both files if both sides get different content with equal size and time', async () => {
    const pair = await DisturbedPair.create(service);
    await pair.sync();
    pair.write('a.txt', 'from this disk');
    const modifiedAt = new Date('2026-01-01T00:00:00.000Z');
    utimesSync(pair.at('a.txt'), modifiedAt, modifiedAt);
    await pair.person.upload('/pair/a.txt', '');
    await pair.edit('a.txt', 'from the drive', modifiedAt.toISOString());
    await pair.sync();
    assert.deepEqual(
      pair
        .names()
        .map((name) => pair.read(name))
        .toSorted(),
      ['from the drive', 'from this disk'],
    );
  });

  test('keeps a new file that was moved and edited in the drive before its upload was confirmed', async () => {
    const pair = await DisturbedPair.create(service, { 'big.bin': 'x'.repeat(400_000) });
    await settle();
    // The last response of the upload is lost.
    await pair.sync({
      fetch: async (url, request) =>
        /upload-sessions\//.test(String(url))
          ? new Response('lost', { status: 418 })
          : await fetch(url, request),
    });
    const { id } = await pair.find('big.bin');
    await pair.person.mkdir('/other');
    await pair.person.ask('PATCH', `/api/files/${id}/move`, { body: { path: '/other' } });
    await pair.person.ask('PUT', `/api/v2/files/${id}/content`, {
      body: 'edited',
      headers: { 'content-type': 'application/octet-stream' },
    });
    await pair.sync();
    assert.equal(await pair.readRemote('big.bin', '/other'), 'edited');
    rmSync(pair.at('big.bin'));
    await pair.sync();
    assert.equal(await pair.readRemote('big.bin', '/other'), 'edited');
    await assert.rejects(pair.find('big.bin'), /is not in the drive/);
  });

  test('loses nothing if a move fails', async () => {
    const pair = await DisturbedPair.create(service, { 'from/deep/a.txt': 'a' });
    await settle();
    await pair.sync();
    renameSync(pair.at('from'), pair.at('to'));
    const notes = await pair.sync({
      fetch: async (url, request) =>
        /\/rename\b/.test(String(url)) ? new Response('', { status: 400 }) : await fetch(url, request),
    });
    assert.doesNotMatch(notes, /upload|delete/);
    assert.equal(await pair.readRemote('from/deep/a.txt'), 'a');
    assert.doesNotMatch(await pair.sync(), /upload|delete/);
    assert.equal(await pair.readRemote('to/deep/a.txt'), 'a');
  });

  test('moves a file although its name is cut within a character for the temporary name', async () => {
    const pair = await DisturbedPair.create(service, { 'd/a.txt': 'a' });
    await settle();
    await pair.sync();
    const moved = `e/${'x'.repeat(59)}\u{1f600}.txt`;
    mkdirSync(pair.at('e'));
    renameSync(pair.at('d/a.txt'), pair.at(moved));
    assert.doesNotMatch(await pair.sync(), /upload|delete/);
    assert.equal(await pair.readRemote(moved), 'a');
  });

  test('replaces nothing if the service sends no ETag', async () => {
    const pair = await DisturbedPair.create(service, { 'a.txt': 'a' });
    await settle();
    await pair.sync();
    pair.write('a.txt', 'changed');
    const notes = await pair.sync({
      fetch: async (url, request) => {
        const response = await fetch(url, request);
        if (request?.method !== 'HEAD') return response;
        const headers = new Headers(response.headers);
        headers.delete('etag');
        return new Response(null, { status: response.status, headers });
      },
    });
    assert.match(notes, /no ETag/);
    assert.equal(await pair.readRemote('a.txt'), 'a');
  });

  test('sends no bytes again if an uploaded file is renamed in the drive', async () => {
    const pair = await DisturbedPair.create(service, { 'a.txt': 'a', 'b.bin': 'b'.repeat(2_000_000) });
    await settle();
    await pair.sync();
    for (const file of ['a.txt', 'b.bin']) {
      const { id, sha256 } = await pair.findWithChecksum(file);
      assert.notEqual(sha256, null);
      await pair.person.ask('PATCH', `/api/files/${id}/rename`, { body: { filename: `new-${file}` } });
    }
    const notes = await pair.sync();
    assert.doesNotMatch(notes, /download|upload|conflict/);
    assert.deepEqual(pair.names(), ['new-a.txt', 'new-b.bin']);
  });
});
