import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Holdall } from '../app/holdall.ts';

/** The names of all files in the store, including partial files and unfinished uploads. */
export function listStoredFiles(holdall: Holdall): Promise<readonly string[]> {
  return holdall.storage.list(holdall.dataDir);
}

/** Removes the stored bytes without Holdall's knowledge. */
export function loseStoredFiles(holdall: Holdall): Promise<void> {
  return holdall.storage.loseObjects(holdall.dataDir);
}

/**
 * Waits until the store has that many files: the bytes of an interrupted upload are removed with a short
 * delay.
 */
export async function untilStored(holdall: Holdall, count: number): Promise<void> {
  for (let turn = 0; turn < 3_000; turn += 1) {
    if ((await listStoredFiles(holdall)).length === count) return;
    await sleep(10);
  }
  assert.equal((await listStoredFiles(holdall)).length, count, 'files in the store');
}
