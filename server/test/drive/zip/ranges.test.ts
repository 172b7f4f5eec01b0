// tier: default
// runs on: sqlite
// runs on, with --full: s3
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { fc } from '../../../../tools/testing/fast-check.ts';
import { isFull } from '../../../../tools/testing/tiers.ts';
import type { EntryRecord } from '../../../src/drive/contract.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { readBack } from '../../support/zip/zip-reading.ts';

const holdall = await startHoldall({ env: { HOLDALL_RATE_LIMITS: 'off' } });
const alice = await holdall.register('alice');

const fetchZip = (directory: EntryRecord, headers: Record<string, string> = {}, method = 'GET') =>
  alice.fetch(method, `/api/files/download/${directory.id}`, { headers });

async function bytesOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer());
}

async function wholeOf(directory: EntryRecord): Promise<{ bytes: Buffer; etag: string }> {
  const response = await fetchZip(directory);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('accept-ranges'), 'bytes');
  const etag = response.headers.get('etag') ?? '';
  assert.match(etag, /^"[\w-]+"$/);
  const bytes = await bytesOf(response);
  assert.equal(response.headers.get('content-length'), String(bytes.byteLength));
  return { bytes, etag };
}

let trees = 0;

/** Creates a directory with a small tree. */
async function createTree(): Promise<EntryRecord> {
  trees += 1;
  const directory = await alice.mkdir(`/tree ${trees}`);
  await alice.upload(`/tree ${trees}/a.txt`, 'first');
  await alice.upload(`/tree ${trees}/below/large`, randomBytes(200_000));
  await alice.upload(`/tree ${trees}/below/z`, 'last');
  return directory;
}

test('any range of any archive equals the same part of the whole archive', async () => {
  const name = fc.constantFrom('a', 'b', 'ü', '日本 👍', 'c/d', 'c/e', 'c/f/g');
  const size = fc.oneof(fc.constantFrom(0, 1), fc.nat(300), fc.nat(150_000));
  const files = fc.uniqueArray(fc.record({ name, size }), { maxLength: 6, selector: (file) => file.name });
  const fraction = fc.double({ min: 0, max: 1, noNaN: true });
  const ranges = fc.array(fc.tuple(fraction, fraction), { minLength: 12, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(files, ranges, async (content, fractions) => {
      trees += 1;
      const directory = await alice.mkdir(`/tree ${trees}`);
      for (const file of content) await alice.upload(`/tree ${trees}/${file.name}`, randomBytes(file.size));
      const { bytes } = await wholeOf(directory);
      assert.ok((await readBack(bytes)).length > content.length);
      for (const [first, length] of fractions) {
        const start = Math.floor(first * (bytes.byteLength - 1));
        const end = start + Math.floor(length * (bytes.byteLength - 1 - start));
        const response = await fetchZip(directory, { range: `bytes=${start}-${end}` });
        assert.equal(response.status, 206);
        assert.equal(response.headers.get('content-range'), `bytes ${start}-${end}/${bytes.byteLength}`);
        assert.ok((await bytesOf(response)).equals(bytes.subarray(start, end + 1)), `${start} to ${end}`);
      }
    }),
    { numRuns: isFull ? 6 : 2 },
  );
});

test('an interrupted download is resumed with If-Range', async () => {
  const directory = await createTree();
  const { bytes, etag } = await wholeOf(directory);
  const rest = await fetchZip(directory, { range: 'bytes=100000-', 'if-range': etag });
  assert.equal(rest.status, 206);
  const whole = Buffer.concat([bytes.subarray(0, 100_000), await bytesOf(rest)]);
  assert.ok(whole.equals(bytes));
  assert.equal((await readBack(whole)).length, 5);
});

test('a resumed download starts over if the directory has changed', async () => {
  const directory = await createTree();
  const { etag } = await wholeOf(directory);
  await alice.upload(`${pathOf(directory)}/new`, 'new');
  const again = await fetchZip(directory, { range: 'bytes=100000-', 'if-range': etag });
  assert.equal(again.status, 200);
  assert.equal((await readBack(await bytesOf(again))).length, 6);
  assert.equal((await fetchZip(directory, { range: 'bytes=100000-', 'if-match': etag })).status, 412);
});

test('the etag changes with every change of the directory, and with nothing else', async () => {
  const directory = await createTree();
  const path = pathOf(directory);
  const file = await alice.upload(`${path}/b.txt`, 'of 6 b');
  const changes: Readonly<Record<string, () => Promise<unknown>>> = {
    'another name': () => alice.rename(file, 'c.txt'),
    'another place': () => alice.move(file, `${path}/below`),
    'an entry less': () => alice.recycle(file),
    'an empty directory': () => alice.mkdir(`${path}/empty`),
    'other bytes of the same length': async () => {
      await alice.upload(`${path}/b.txt`, 'another'.slice(0, 6));
    },
    'another name of the directory': () => alice.rename(directory, `renamed ${trees}`),
  };
  const seen = new Set<string>();
  const look = async () => (await fetchZip(directory, {}, 'HEAD')).headers.get('etag') ?? '';
  seen.add(await look());
  await alice.upload(`/elsewhere ${trees}`, 'x');
  assert.ok(seen.has(await look()), 'a change elsewhere');
  for (const [what, change] of Object.entries(changes)) {
    await change();
    const etag = await look();
    assert.ok(!seen.has(etag), what);
    seen.add(etag);
    const known = await fetchZip(directory, { 'if-none-match': etag });
    assert.equal(known.status, 304);
  }
});

test('a range of last bytes is sent, an impossible range is rejected, and several ranges get all bytes', async () => {
  const directory = await createTree();
  const { bytes } = await wholeOf(directory);
  const end = await fetchZip(directory, { range: 'bytes=-22' });
  assert.ok((await bytesOf(end)).equals(bytes.subarray(-22)));
  const beyond = await fetchZip(directory, { range: `bytes=${bytes.byteLength}-` });
  assert.equal(beyond.status, 416);
  assert.equal(beyond.headers.get('content-range'), `bytes */${bytes.byteLength}`);
  const several = await fetchZip(directory, { range: 'bytes=0-1,5-6' });
  assert.equal(several.status, 200);
  assert.ok((await bytesOf(several)).equals(bytes));
});

test('while the checksum of a file is not known, the archive has neither ranges nor an etag', async () => {
  const directory = await createTree();
  await holdall.app.database.transact((tx) =>
    tx.updateTable('blob').set({ sha256: null, crc32: null }).where('size', '=', 200_000).execute(),
  );
  const response = await fetchZip(directory, { range: 'bytes=5-9' });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('accept-ranges'), 'none');
  assert.equal(response.headers.get('etag'), null);
  assert.equal((await readBack(await bytesOf(response))).length, 5);
});

function pathOf(directory: EntryRecord): string {
  return `/${directory.filename}`;
}
