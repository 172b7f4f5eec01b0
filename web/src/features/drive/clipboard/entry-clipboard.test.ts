// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EntryRecord, LoginState } from '../../../../../client/src/client.ts';

// Stands in for the browser's global.
Object.assign(globalThis, { window: { addEventListener: () => {} } });
const { endSession, startSession } = await import('../../../api/session.ts');
const clipboard = await import('./entry-clipboard.ts');

function logIn(id: number): void {
  // The code under test reads no other members.
  startSession({ accessToken: '', refreshToken: '', expiresIn: 900, user: { id } } as unknown as LoginState);
}

test('cut entries are leaving until they are pasted, cancelled or replaced by a copy', () => {
  logIn(1);
  let changes = 0;
  const end = clipboard.onCutChange(() => {
    changes += 1;
  });
  const entry = { id: 7, filename: 'a.txt' } as unknown as EntryRecord;
  const isLeaving = () => [clipboard.findCut()(7), clipboard.findCut()(8)];
  assert.deepEqual([isLeaving(), clipboard.cancelCut()], [[false, false], false]);
  clipboard.putIntoClipboard('cut', [entry], 'a.txt');
  assert.deepEqual(isLeaving(), [true, false]);
  assert.equal(clipboard.findCut(), clipboard.findCut(), 'the same until something changes');
  assert.equal(clipboard.cancelCut(), true);
  assert.deepEqual([isLeaving(), clipboard.hasCopiedEntries()], [[false, false], false]);
  clipboard.putIntoClipboard('cut', [entry], 'a.txt');
  clipboard.takeFromClipboard();
  assert.deepEqual(isLeaving(), [false, false]);
  clipboard.putIntoClipboard('cut', [entry], 'a.txt');
  clipboard.putIntoClipboard('copy', [entry], 'a.txt');
  assert.deepEqual([isLeaving(), clipboard.cancelCut()], [[false, false], false]);
  assert.equal(clipboard.hasCopiedEntries(), true, 'what was copied stays');
  assert.equal(changes, 6);
  end();
});

test('entries that one user has cut are not pasted by the next user of the same page', () => {
  logIn(1);
  const entry = { id: 5, filename: 'diary.txt' } as unknown as EntryRecord;
  clipboard.putIntoClipboard('cut', [entry], 'diary.txt');
  assert.equal(clipboard.hasCopiedEntries(), true);
  endSession();
  assert.equal(clipboard.hasCopiedEntries(), false);
  logIn(2);
  assert.equal(clipboard.isCopiedText('diary.txt'), false);
  assert.equal(clipboard.takeFromClipboard(), undefined);
  logIn(1);
  assert.equal(clipboard.takeFromClipboard()?.chosen.only, entry);
  assert.equal(clipboard.hasCopiedEntries(), false, 'it is pasted once');
});
