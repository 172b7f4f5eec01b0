// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RecentRecord } from '../../../../client/src/client.ts';
import { groupUploads } from './upload-groups.ts';

let id = 0;

/** @param minute when it was created @param changed how many minutes later it was changed */
function file(path: string, minute: number, changed = 0): RecentRecord {
  const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1) + minutes * 60_000).toISOString();
  const cut = path.lastIndexOf('/');
  return {
    ...{ id: ++id, driveId: 1, filename: path.slice(cut + 1), path, parentPath: path.slice(0, cut) || '/' },
    ...{
      size: 1,
      contentType: null,
      directory: false,
      starred: false,
      thumbnailVersion: null,
      receivedThrough: null,
    },
    ...{ createdAt: at(minute), modifiedAt: at(minute), updatedAt: at(minute + changed) },
  };
}

const pathsOf = (entries: readonly RecentRecord[]) =>
  groupUploads(entries).map(({ folder, entries: all }) => [folder, ...all.map(({ filename }) => filename)]);

test('files that were created within minutes of each other form one group', () => {
  const entries = [file('/P/c', 20), file('/P/b', 17), file('/P/a', 13), file('/P/old', 2)];
  assert.deepEqual(pathsOf(entries), [
    ['/P', 'c', 'b', 'a'],
    ['/P', 'old'],
  ]);
});

test('the folder of a group contains all of its files', () => {
  assert.deepEqual(pathsOf([file('/P/x/a', 3), file('/P/y/z/b', 2), file('/P/y/c', 1)])[0]?.[0], '/P');
  assert.deepEqual(pathsOf([file('/a', 2), file('/b', 1)])[0]?.[0], '/');
  assert.equal(pathsOf([file('/P/a', 2), file('/Photos/b', 1)]).length, 2);
});

test('a file that was changed later forms its own group', () => {
  assert.deepEqual(pathsOf([file('/P/a', 1, 30), file('/P/c', 30), file('/P/b', 29)]), [
    ['/P', 'a'],
    ['/P', 'c', 'b'],
  ]);
});

test('files from different visitors of a link form different groups', () => {
  const from = (sender: string | null, path: string, minute: number) => ({
    ...file(path, minute),
    receivedThrough: { title: 'Inbox', sender },
  });
  const groups = groupUploads([
    file('/P/own', 3),
    from('Tom', '/P/a', 2),
    from('Tom', '/P/b', 2),
    from(null, '/P/c', 1),
  ]);
  assert.deepEqual(
    groups.map(({ entries, receivedThrough }) => [entries.length, receivedThrough?.sender]),
    [
      [1, undefined],
      [2, 'Tom'],
      [1, null],
    ],
  );
});
