// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ForbiddenError } from '../../../../client/src/client.ts';
import { LoweredRole } from '../remote/pair-drive.ts';
import type { LocalEntry } from '../rules/entries.ts';
import { IgnoreRules } from '../rules/ignore-rules.ts';
import { Round, type SyncParts } from './round.ts';

const NOW = 1_700_000_010_000;

/** Whether a file with times of this age is trusted. */
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

test('a file is trusted once its next change will certainly get another time', () => {
  assert.ok(!isTrusted('toTrusted', { mtimeAge: 10, ctimeAge: 10 }));
  assert.ok(isTrusted('toTrusted', { mtimeAge: 30, ctimeAge: 30 }));
  // The ctime decides, because programs cannot set it.
  assert.ok(!isTrusted('toTrusted', { mtimeAge: 5_000, ctimeAge: 10 }));
});

test('a file whose times are whole seconds is trusted after two seconds', () => {
  assert.ok(!isTrusted('toTrusted', { mtimeAge: 1_000, ctimeAge: 1_000 }));
  assert.ok(isTrusted('toTrusted', { mtimeAge: 2_000, ctimeAge: 2_000 }));
  // Only the mtime is in whole seconds, because a program has set it. The disk has finer times.
  assert.ok(isTrusted('toTrusted', { mtimeAge: 1_000, ctimeAge: 1_001 }));
});

test('a download is trusted unless its modification time in the drive is the current time', () => {
  assert.ok(isTrusted('toTrustedDownload', { mtimeAge: 5_000, ctimeAge: 0 }));
  assert.ok(!isTrusted('toTrustedDownload', { mtimeAge: 1_000, ctimeAge: 0 }));
  assert.ok(!isTrusted('toTrustedDownload', { mtimeAge: 10, ctimeAge: 1 }));
});

test('a role that is lowered after an earlier refusal ends the round', async () => {
  let refreshes = 0;
  const drive = {
    isReadOnly: false,
    describeRole: () => 'Your role is VIEWER',
    refresh: async () => {
      refreshes += 1;
      // The first refusal has another reason.
      drive.isReadOnly = refreshes === 2;
    },
  };
  const report = { failed: () => undefined };
  const { signal } = new AbortController();
  const parts = { drive, report, signal, state: { base: new Map() } } as unknown as SyncParts;
  const round = new Round(parts, IgnoreRules.parse(undefined));
  const refuse = () => Promise.reject(new ForbiddenError('refused'));
  await round.attempt('a.txt', refuse);
  await assert.rejects(round.attempt('b.txt', refuse), LoweredRole);
});
