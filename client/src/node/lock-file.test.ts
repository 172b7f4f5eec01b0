import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { lockFile } from './lock-file.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'holdall-lock-file-'));
const lock = path.join(folder, 'lock');

after(() => rmSync(folder, { recursive: true, force: true }));

beforeEach(() => {
  for (const name of readdirSync(folder)) rmSync(path.join(folder, name));
});

/** The number of a process that has ended. */
function endedProcess(): number {
  const { pid } = spawnSync(process.execPath, ['--version']);
  return pid;
}

test('one at a time has the lock', async () => {
  const unlock = await lockFile(lock);
  assert.ok(unlock);
  assert.equal(await lockFile(lock), undefined);
  await unlock();
  assert.deepEqual(readdirSync(folder), []);
  const again = await lockFile(lock);
  assert.ok(again);
  await again();
});

test('a process that is killed at any moment leaves nothing but the lock', async () => {
  let isRunning = true;
  const found = new Set<string>();
  const locks = (async () => {
    for (let round = 0; round < 300; round += 1) await (await lockFile(lock))?.();
    isRunning = false;
  })();
  while (isRunning) {
    for (const name of readdirSync(folder)) found.add(name);
    await new Promise(setImmediate);
  }
  await locks;
  assert.deepEqual([...found], ['lock']);
});

for (const [kind, leave] of [
  ['a symbolic link', (text: string) => symlinkSync(text, lock)],
  ['a file', (text: string) => writeFileSync(lock, text)],
] as const) {
  test(`the lock of a killed process does not count, if it is ${kind}`, async () => {
    leave(`${endedProcess()} token`);
    // Left by a process that was killed while it removed the lock of another one.
    writeFileSync(`${lock}.left`, 'text');
    const unlock = await lockFile(lock);
    assert.ok(unlock);
    await unlock();
    assert.deepEqual(readdirSync(folder), []);
  });

  test(`the lock of a running process counts, if it is ${kind}`, async () => {
    leave(`${process.ppid} token`);
    assert.equal(await lockFile(lock), undefined);
    assert.deepEqual(readdirSync(folder), ['lock']);
  });
}

test('what another lock has left is removed, also without a lock beside it', async () => {
  writeFileSync(`${lock}.left`, 'text');
  await (await lockFile(lock))?.();
  assert.deepEqual(readdirSync(folder), []);
});
