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

/** The devices of the bases after a sync that has found these files. */
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

test('files count as the same if only the device number of their disk has changed', () => {
  assert.deepEqual(adopt({ a: {} }, { a: {} }), { a: 'new' });
});

test('the new device number also applies to a file that was moved since the last sync', () => {
  assert.deepEqual(adopt({ a: {}, gone: {} }, { a: {} }), { a: 'new', gone: 'new' });
});

test('a file does not count as the same if its inode, times or size differ', () => {
  const base = { a: {}, b: {}, c: {} };
  const local = { a: { inode: '8' }, b: { ctimeMs: 2_001.5 }, c: { size: 2 } };
  assert.deepEqual(adopt(base, local), { a: 'old', b: 'old', c: 'old' });
});

test('a file does not count as the same if its times are whole seconds', () => {
  const times = { mtimeMs: 1_000, ctimeMs: 2_000 };
  assert.deepEqual(adopt({ a: times }, { a: times }), { a: 'old' });
});
