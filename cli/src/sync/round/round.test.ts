// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LocalEntry } from '../rules/entries.ts';
import { IgnoreRules } from '../rules/ignore-rules.ts';
import { Round, type SyncParts } from './round.ts';

const NOW = 1_700_000_010_000;

/** Whether a file is trusted whose times are that old. */
function isTrusted(
  how: 'toTrusted' | 'toTrustedDownload',
  { mtimeAge, ctimeAge }: { readonly mtimeAge: number; readonly ctimeAge: number },
): boolean {
  const parts = { now: () => new Date(NOW), state: { base: new Map() } } as unknown as SyncParts;
  const round = new Round(parts, IgnoreRules.parse(undefined));
  const local: LocalEntry = {
    ...{ localPath: 'a', isDirectory: false, size: 1, device: '1', inode: '1', isMountPoint: false },
    ...{ mtimeMs: NOW - mtimeAge, ctimeMs: NOW - ctimeAge },
  };
  return round[how](local).mtimeMs !== -1;
}

test('a file is trusted when the next change of it will have another time', () => {
  assert.ok(!isTrusted('toTrusted', { mtimeAge: 10, ctimeAge: 10 }));
  assert.ok(isTrusted('toTrusted', { mtimeAge: 30, ctimeAge: 30 }));
  // Only the time of the inode cannot be set.
  assert.ok(!isTrusted('toTrusted', { mtimeAge: 5_000, ctimeAge: 10 }));
});

test('where times are whole seconds, that takes two of them', () => {
  assert.ok(!isTrusted('toTrusted', { mtimeAge: 1_000, ctimeAge: 1_000 }));
  assert.ok(isTrusted('toTrusted', { mtimeAge: 2_000, ctimeAge: 2_000 }));
  // A program has set the time of modification; the disk has finer ones.
  assert.ok(isTrusted('toTrusted', { mtimeAge: 1_000, ctimeAge: 1_001 }));
});

test('a download is trusted unless the time that it has in the drive is that of now', () => {
  assert.ok(isTrusted('toTrustedDownload', { mtimeAge: 5_000, ctimeAge: 0 }));
  assert.ok(!isTrusted('toTrustedDownload', { mtimeAge: 1_000, ctimeAge: 0 }));
  assert.ok(!isTrusted('toTrustedDownload', { mtimeAge: 10, ctimeAge: 1 }));
});
