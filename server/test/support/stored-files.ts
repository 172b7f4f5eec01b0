import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Holdall } from './holdall.ts';

/** All files that the store on local disk holds now, half-written ones included. */
export async function listStoredFiles(holdall: Holdall): Promise<readonly string[]> {
  const root = path.join(holdall.dataDir, 'objects');
  const found = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  return found.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}

/** Waits until the store holds that many files: what a client broke off is cleaned up a moment later. */
export async function untilStored(holdall: Holdall, count: number): Promise<void> {
  for (let turn = 0; turn < 400; turn += 1) {
    if ((await listStoredFiles(holdall)).length === count) return;
    await sleep(10);
  }
  assert.equal((await listStoredFiles(holdall)).length, count, 'files in the store');
}
