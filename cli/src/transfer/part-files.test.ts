// tier: default
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { ConflictError, type FileSink } from '../../../client/src/client.ts';
import { openPartFiles } from './part-files.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'holdall-part-files-'));
const target = path.join(folder, 'film.mov');
const saved: string[] = [];

after(() => rmSync(folder, { recursive: true, force: true }));

beforeEach(() => {
  for (const name of readdirSync(folder)) rmSync(path.join(folder, name));
  saved.length = 0;
});

async function begin(mayReplace = false): Promise<FileSink> {
  const targets = [{ index: 0, size: 4, path: target, mayReplace }];
  return await openPartFiles(targets, ({ path: file }) => saved.push(file)).begin(0);
}

function partOf(): string {
  const name = readdirSync(folder).find((each) => each.endsWith('.part'));
  assert.ok(name);
  return path.join(folder, name);
}

test('a file appears only when it is complete', async () => {
  const file = await begin();
  await file.write(Uint8Array.from(Buffer.from('film')));
  assert.deepEqual(
    readdirSync(folder)
      .map((name) => path.extname(name))
      .sort(),
    ['.lock', '.part'],
  );
  await file.close();
  assert.equal(readFileSync(target, 'utf8'), 'film');
  assert.deepEqual(readdirSync(folder), ['film.mov']);
  assert.deepEqual(saved, [target]);
});

test('the end of a transfer waits for a file that is being completed', async () => {
  const file = await begin();
  await file.write(Uint8Array.from(Buffer.from('film')));
  const closing = file.close();
  await file.abort();
  assert.deepEqual(readdirSync(folder), ['film.mov']);
  await closing;
  await file.abort();
  assert.deepEqual(readdirSync(folder), ['film.mov']);
});

test('a discarded file leaves nothing behind', async () => {
  const file = await begin();
  await file.write(Uint8Array.from(Buffer.from('fi')));
  await file.abort();
  await file.abort();
  assert.deepEqual(readdirSync(folder), []);
  assert.deepEqual(saved, []);
});

test('completing a file whose name was taken meanwhile leaves the existing file alone', async () => {
  const file = await begin();
  writeFileSync(target, 'another film');
  await assert.rejects(file.close(), ConflictError);
  await file.abort();
  assert.deepEqual(readdirSync(folder), ['film.mov']);
  assert.equal(readFileSync(target, 'utf8'), 'another film');
});

for (const end of ['close', 'abort'] as const) {
  test(`a part file that another computer has replaced is not touched by ${end}`, async () => {
    const file = await begin(true);
    await file.write(Uint8Array.from(Buffer.from('film')));
    const part = partOf();
    rmSync(part);
    writeFileSync(part, 'of the other computer');
    if (end === 'close') await assert.rejects(file.close(), /Another command has replaced/);
    await file.abort();
    assert.deepEqual(readdirSync(folder), [path.basename(part)]);
    assert.equal(readFileSync(part, 'utf8'), 'of the other computer');
    assert.deepEqual(saved, []);
  });
}
