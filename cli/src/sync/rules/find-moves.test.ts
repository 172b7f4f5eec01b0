// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DiskIdentity } from './disk-identity.ts';
import type { BaseEntry, LocalEntry } from './entries.ts';
import { findLocalMoves } from './find-moves.ts';
import { PathMap } from './path-map.ts';

const TIMES = { isDirectory: false, size: 1, mtimeMs: 1, ctimeMs: 1, isMountPoint: false };
const RECORD = { id: 1, modifiedAt: '', updatedAt: '', sha256: null };

/**
 * Finds where a file has moved if its identity was `before`, and a file with the identity `now` has appeared;
 * undefined if it is not the same file.
 */
function findTarget(before: DiskIdentity, now: DiskIdentity): string | undefined {
  const base = new PathMap<BaseEntry>([['from', { ...TIMES, ...RECORD, ...before }]]);
  const local = new PathMap<LocalEntry>([['to', { ...TIMES, ...now, localPath: 'to' }]]);
  return findLocalMoves(base, local, { missing: ['from'], created: ['to'] })[0]?.to;
}

test('a file with the same inode on the same device was moved', () => {
  assert.equal(findTarget({ device: '1', inode: '7' }, { device: '1', inode: '7' }), 'to');
});

test('a file with the same inode on another device is a different file', () => {
  assert.equal(findTarget({ device: '1', inode: '7' }, { device: '2', inode: '7' }), undefined);
});

test('inodes are compared with all of their 64 bits', () => {
  const before = { device: '1', inode: '9223372036854775808' };
  assert.equal(findTarget(before, { device: '1', inode: '9223372036854775809' }), undefined);
});
