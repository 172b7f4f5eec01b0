// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BaseEntry, LocalEntry } from '../rules/entries.ts';
import { PathMap } from '../rules/path-map.ts';
import { adoptDevices } from './adopt-devices.ts';
import type { SyncParts } from './round.ts';

const FILE = {
  ...{ isDirectory: false, size: 1, mtimeMs: 1_000.5, ctimeMs: 2_000.5, isMountPoint: false },
  ...{ device: 'old', inode: '7' },
};
const RECORD = { id: 1, modifiedAt: '', updatedAt: '', sha256: null };

/** The devices of the bases after a sync that finds these files. */
function adopt(
  base: Readonly<Record<string, Partial<BaseEntry>>>,
  local: Readonly<Record<string, Partial<LocalEntry>>>,
): Record<string, string> {
  const bases = new PathMap<BaseEntry>();
  for (const [path, entry] of Object.entries(base)) bases.set(path, { ...FILE, ...RECORD, ...entry });
  const entries = new PathMap<LocalEntry>();
  for (const [path, entry] of Object.entries(local)) {
    entries.set(path, { ...FILE, device: 'new', localPath: path, ...entry });
  }
  const state = {
    base: bases,
    transact: (work: () => void) => work(),
    setBase: (path: string, entry: BaseEntry) => bases.set(path, entry),
  };
  adoptDevices({ state, local: { entries } } as unknown as SyncParts);
  return Object.fromEntries([...bases].map(([path, { device }]) => [path, device]));
}

test('files whose disk has got another number count as the same', () => {
  assert.deepEqual(adopt({ a: {} }, { a: {} }), { a: 'new' });
});

test('a file that was moved since is on the same disk, too', () => {
  assert.deepEqual(adopt({ a: {}, gone: {} }, { a: {} }), { a: 'new', gone: 'new' });
});

test('a file with another inode or other times does not count as the same', () => {
  const base = { a: {}, b: {}, c: {} };
  const local = { a: { inode: '8' }, b: { ctimeMs: 2_001.5 }, c: { size: 2 } };
  assert.deepEqual(adopt(base, local), { a: 'old', b: 'old', c: 'old' });
});

test('a file whose times are whole seconds does not count as the same', () => {
  const times = { mtimeMs: 1_000, ctimeMs: 2_000 };
  assert.deepEqual(adopt({ a: times }, { a: times }), { a: 'old' });
});
