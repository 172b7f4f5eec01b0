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
const { signal } = new AbortController();

test('after a conflict only a file with the same bytes counts as uploaded, with and without TLS', async (t) => {
  const sha256 = createHash('sha256').update('mine').digest('hex');
  t.mock.method(globalThis, 'fetch', async () =>
    Response.json({ code: 0, msg: 'success', data: { sha256 } }),
  );
  const entry = { id: 7, size: 4 } as EntryRecord;
  const isSame = (content: string) =>
    httpUploadService.hasBytesOf(entry, new File([content], 'letter.txt'), signal);
  for (const where of ['with TLS', 'without TLS']) {
    if (where === 'without TLS') t.mock.getter(globalThis.crypto, 'subtle', () => undefined);
    assert.equal(await isSame('mine'), true, where);
    assert.equal(await isSame('your'), false, where);
    assert.equal(await isSame('longer'), false, where);
  }
});
