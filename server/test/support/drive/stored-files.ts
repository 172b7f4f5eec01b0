import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Holdall } from '../app/holdall.ts';

/** The name of everything that the store holds now, half-written files and unfinished uploads included. */
export function listStoredFiles(holdall: Holdall): Promise<readonly string[]> {
  return holdall.storage.list(holdall.dataDir);
}

/** Takes the bytes away behind Holdall's back. */
export function loseStoredFiles(holdall: Holdall): Promise<void> {
  return holdall.storage.lose(holdall.dataDir);
}

/** Waits until the store holds that many files: what a client broke off is cleaned up a moment later. */
export async function untilStored(holdall: Holdall, count: number): Promise<void> {
  for (let turn = 0; turn < 400; turn += 1) {
    if ((await listStoredFiles(holdall)).length === count) return;
    await sleep(10);
  }
  assert.equal((await listStoredFiles(holdall)).length, count, 'files in the store');
}
