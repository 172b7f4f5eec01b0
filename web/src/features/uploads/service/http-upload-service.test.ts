// tier: default
// needs: process
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { EntryRecord } from '../../../../../client/src/client.ts';

// Requests look for the session in the browser's storage.
Object.assign(globalThis, {
  window: new EventTarget(),
  location: new URL('https://drive.example.org/'),
  localStorage: { getItem: () => null },
});
const { httpUploadService } = await import('./http-upload-service.ts');
const entry = { id: 7, driveId: 1, path: '/letter.txt', size: 4 } as EntryRecord;
const watch = { signal: new AbortController().signal, onProgress: () => undefined };

test('after a conflict only a file with the same bytes counts as uploaded, with and without TLS', async (t) => {
  const sha256 = createHash('sha256').update('mine').digest('hex');
  t.mock.method(globalThis, 'fetch', async () =>
    Response.json({ code: 0, msg: 'success', data: { sha256, ...entry } }),
  );
  const isSame = async (content: string) =>
    (await httpUploadService.compare(entry, new File([content], 'letter.txt'), watch)) === 'same';
  for (const where of ['with TLS', 'without TLS']) {
    if (where === 'without TLS') t.mock.getter(globalThis.crypto, 'subtle', () => undefined);
    assert.equal(await isSame('mine'), true, where);
    assert.equal(await isSame('your'), false, where);
    assert.equal(await isSame('longer'), false, where);
  }
});

test('a file that leaves its place while the bytes are compared is gone', async (t) => {
  const sha256 = createHash('sha256').update('mine').digest('hex');
  let path = entry.path;
  t.mock.method(globalThis, 'fetch', async () =>
    Response.json({ code: 0, msg: 'success', data: { ...entry, sha256, path } }),
  );
  const file = new File(['mine'], 'letter.txt');
  const read = file.arrayBuffer.bind(file);
  t.mock.method(file, 'arrayBuffer', () => {
    path = '/moved/letter.txt';
    return read();
  });
  assert.equal(await httpUploadService.compare(entry, file, watch), 'gone');
});
