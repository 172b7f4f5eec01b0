// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BlobReader, TextWriter, ZipReader } from '@zip.js/zip.js/lib/zip-core-native.js';
import { packFiles, toArchiveName } from './pack-files.ts';

test('several files become one archive with their folders, and the progress reaches all bytes', async () => {
  const paths = Array.from({ length: 300 }, (_, index) => ['Photos', `${index % 3}`, `图 ${index}.txt`]);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const target = new WritableStream<Uint8Array<ArrayBuffer>>({ write: (part) => void parts.push(part) });
  let packed = 0;
  const find = async (index: number) => new File([`text ${index}`], 'x', { lastModified: 1_700_000_000_000 });
  await packFiles({ paths, find }, target, (bytes) => {
    packed = bytes;
  });

  const entries = await new ZipReader(new BlobReader(new Blob(parts))).getEntries();
  assert.deepEqual(
    entries.map(({ filename }) => filename),
    paths.map((path) => path.join('/')),
  );
  const last = entries.at(-1);
  assert.ok(last !== undefined && !last.directory);
  assert.equal(await last.getData(new TextWriter()), 'text 299');
  assert.equal(last.lastModDate.getTime(), 1_700_000_000_000);
  assert.equal(
    packed,
    entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0),
  );
});

test('no archive is made if a file is missing', async () => {
  const find = async (index: number) => (index === 0 ? new File(['text'], 'a') : undefined);
  const packing = packFiles({ paths: [['a'], ['b']], find }, new WritableStream(), () => undefined);
  await assert.rejects(packing, /There is no file 1/);
});

test('the archive is named after the folder that all files share', () => {
  assert.equal(
    toArchiveName([
      ['Photos', 'a'],
      ['Photos', 'b', 'c'],
    ]),
    'Photos.zip',
  );
  assert.equal(toArchiveName([['Photos', 'a'], ['b']]), 'Transfer.zip');
  assert.equal(toArchiveName([['a'], ['b']]), 'Transfer.zip');
});
