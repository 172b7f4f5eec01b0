// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EntryRecord } from '../../../../../../client/src/client.ts';
import { MAX_FILES } from './chosen-files.ts';
import { findFiles, MAX_FOLDERS, TooManyFolders } from './find-files.ts';

const toEntry = (path: string, directory: boolean, driveId = 1) =>
  ({ filename: path.slice(path.lastIndexOf('/') + 1), path, directory, driveId, size: 1 }) as EntryRecord;

test('files are found in folders at any depth, with paths that start at the chosen folder', async () => {
  const content: Readonly<Record<string, readonly EntryRecord[]>> = {
    '/top/a': [toEntry('/top/a/b', true), toEntry('/top/a/one', false)],
    '/top/a/b': [toEntry('/top/a/b/two', false)],
  };
  const found = await findFiles(
    [toEntry('/top/a', true), toEntry('/top/three', false)],
    async ({ path }) => ({
      items: content[path] ?? [],
      total: content[path]?.length ?? 0,
    }),
  );
  assert.deepEqual(
    found.map(({ relativePath }) => relativePath),
    ['a/b/two', 'a/one', null],
  );
});

test('folders of the same path in two drives are each read from their own drive', async () => {
  const chosen = [toEntry('/a', true, 1), toEntry('/a', true, 2)];
  const found = await findFiles(chosen, async ({ path, driveId }) => ({
    items: [toEntry(`${path}/of ${driveId}`, false, driveId)],
    total: 1,
  }));
  assert.deepEqual(
    found.map(({ relativePath, entry }) => [relativePath, entry.driveId]),
    [
      ['a/of 1', 1],
      ['a/of 2', 2],
    ],
  );
});

test('reading stops at the maximum number of files or folders', async () => {
  for (const isFolder of [true, false]) {
    let requests = 0;
    const list = async ({ path }: EntryRecord, page: number) => {
      requests += 1;
      const items = Array.from({ length: 200 }, (_, at) => toEntry(`${path}/${page * 200 + at}`, isFolder));
      return { items, total: 1_000_000 };
    };
    const work = findFiles([toEntry('/a', true)], list);
    if (isFolder) await assert.rejects(work, TooManyFolders);
    else assert.equal((await work).length, MAX_FILES + 1);
    assert.equal(requests, isFolder ? MAX_FOLDERS : MAX_FILES / 200 + 1);
  }
});
