// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { EntryRecord } from '../../../src/drive/contract.ts';
import { readArchive } from '../../../src/formats/zip/reading/reader.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { fillDirectory } from '../../support/drive/large-directory.ts';
import { withoutDirect } from '../../support/storage/change-policy.ts';

const PAGES = /from entry left join blob on blob\.id = entry\.blob_id\s+where entry\.parent_id in/;

let pages = 0;
const holdall = await startHoldall({
  onQuery: ({ sql }) => {
    if (PAGES.test(sql)) pages += 1;
  },
});
await withoutDirect(holdall);
const alice = await holdall.register('alice');

const fetchZip = (directory: EntryRecord, method = 'GET') =>
  alice.fetch(method, `/api/files/download/${directory.id}`);

test('a directory is read in pages of a thousand entries', async () => {
  const like = await alice.upload('/like', 'x');
  const directory = await alice.mkdir('/large');
  await fillDirectory(holdall, directory, { count: 2_500, like });
  pages = 0;
  const response = await fetchZip(directory, 'HEAD');
  assert.equal(response.status, 200);
  assert.equal(pages, 3);
});

test('an archive contains what was in the directory when the download began', async () => {
  const directory = await alice.mkdir('/changing');
  const large = randomBytes(24_000_000);
  await alice.upload('/changing/a large file', large);
  const renamed = await alice.upload('/changing/renamed', 'renamed');
  const purged = await alice.upload('/changing/purged', 'purged');
  await alice.upload('/changing/below/file', 'below');
  // Until the body is read, only as much is sent as the buffers of the connection hold.
  const response = await fetchZip(directory);
  await alice.rename(renamed, 'renamed since, to a longer name');
  await alice.recycle(purged);
  await alice.purge(purged);
  await alice.upload('/changing/added', 'added');
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.equal(String(bytes.byteLength), response.headers.get('content-length'));
  assert.deepEqual(await namesIn(bytes), [
    'changing/',
    'changing/a large file',
    'changing/below/',
    'changing/below/file',
    'changing/purged',
    'changing/renamed',
  ]);
});

async function namesIn(bytes: Buffer): Promise<readonly string[]> {
  const archive = {
    size: bytes.byteLength,
    read: async ({ start, end }: { start: number; end: number }) => bytes.subarray(start, end + 1),
    open: async ({ start, end }: { start: number; end: number }) =>
      (async function* () {
        yield bytes.subarray(start, end + 1);
      })(),
  };
  const limits = { maxEntries: 100, maxRatio: 1_000 };
  const { entries } = await readArchive(archive, limits);
  return entries.map(({ name }) => name).sort();
}
