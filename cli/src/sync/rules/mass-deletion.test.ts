// tier: default
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DeletionGuard, MassDeletion } from './mass-deletion.ts';

const NAMES = Array.from({ length: 200 }, (_, index) => `${index}.txt`);
const mapOf = (names: readonly string[]) => new Map(names.map((name) => [name, true]));

describe('the guard against mass deletions', () => {
  test('adds up what vanishes within a minute', () => {
    const guard = new DeletionGuard();
    const part = (from: number, nowMs: number) => {
      const base = mapOf(NAMES.slice(from));
      const present = mapOf(NAMES.slice(from + 40));
      guard.check('/photos', { paths: new Set(NAMES.slice(from, from + 40)), base, present }, nowMs);
    };
    part(0, 0);
    part(40, 1_000);
    assert.throws(() => part(80, 2_000), MassDeletion);
    // Deletions of long ago no longer count.
    part(80, 120_000);
  });

  test('counts a repeated attempt only once', () => {
    const guard = new DeletionGuard();
    const [base, present] = [mapOf(NAMES), mapOf(NAMES.slice(60))];
    for (let nowMs = 0; nowMs < 5_000; nowMs += 1_000) {
      guard.check('/photos', { paths: new Set(NAMES.slice(0, 60)), base, present }, nowMs);
    }
  });

  test('allows deleting the last path only if something from the last sync is left', () => {
    const guard = new DeletionGuard();
    const paths = new Set(['a']);
    guard.check('/photos', { paths, base: mapOf(['a', 'b']), present: mapOf(['b']) }, 0);
    const check = (present: readonly string[]) =>
      guard.check('/photos', { paths, base: mapOf(['a']), present: mapOf(present) }, 0);
    assert.throws(() => check(['lost+found']), /Nothing that was synced is in \/photos any more/);
    assert.throws(() => check([]), /\/photos is empty/);
  });
});
