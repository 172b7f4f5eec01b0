// tier: default
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { inFull } from '../../../tools/testing/tiers.ts';
import { isLocked, lockFile } from './lock-file.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'holdall-lock-file-'));
const lock = path.join(folder, 'lock');

after(() => rmSync(folder, { recursive: true, force: true }));

beforeEach(() => {
  for (const name of readdirSync(folder)) unlinkSync(path.join(folder, name));
});

/** The id of a process that has ended. */
const endedProcess = spawnSync(process.execPath, ['--version']).pid;

/** Makes calls fail as on a disk without links. */
function withoutLinks(names: readonly ('symlink' | 'link')[]): void {
  const originals = { symlink: fs.symlink, link: fs.link };
  beforeEach(() => {
    for (const name of names) {
      fs[name] = () => Promise.reject(Object.assign(new Error('no links'), { code: 'EPERM' }));
    }
    syncBuiltinESMExports();
  });
  after(() => {
    Object.assign(fs, originals);
    syncBuiltinESMExports();
  });
}

for (const [disk, missing] of [
  ['a disk with symbolic links', []],
  ['a disk with hard links only', ['symlink']],
  ['a disk without links', ['symlink', 'link']],
] as const) {
  describe(`on ${disk}`, () => {
    withoutLinks(missing);

    test('only one holder at a time has the lock', async () => {
      const unlock = await lockFile(lock);
      assert.ok(unlock);
      assert.equal(lstatSync(lock).isSymbolicLink(), missing.length === 0);
      assert.equal(await lockFile(lock), undefined);
      await unlock();
      assert.deepEqual(readdirSync(folder), []);
      const again = await lockFile(lock);
      assert.ok(again);
      await again();
    });

    test('one of many gets the lock of a killed process', async () => {
      writeFileSync(lock, `${endedProcess} token`);
      const unlocks = await Promise.all(Array.from({ length: 20 }, () => lockFile(lock)));
      const [unlock, ...more] = unlocks.filter((each) => each !== undefined);
      assert.ok(unlock);
      assert.equal(more.length, 0);
      await unlock();
      assert.deepEqual(readdirSync(folder), []);
    });

    for (const [kind, leave] of [
      ['a symbolic link', symlinkSync],
      ['a file', (text: string, file: string) => writeFileSync(file, text)],
    ] as const) {
      test(`locks of killed processes do not count, if they are ${kind}`, async () => {
        leave(`${endedProcess} token`, lock);
        leave(`${endedProcess} token`, `${lock}.left`);
        const unlock = await lockFile(lock);
        assert.ok(unlock);
        await unlock();
        assert.deepEqual(readdirSync(folder), []);
      });

      test(`the lock of a running process counts, if it is ${kind}`, async () => {
        leave(`${process.ppid} token`, lock);
        assert.equal(await lockFile(lock), undefined);
        assert.deepEqual(readdirSync(folder), ['lock']);
      });
    }

    test('the next process cleans up after one that was killed while it removed a lock', async () => {
      writeFileSync(`${lock}.left`, `${endedProcess} token`);
      await (await lockFile(lock))?.();
      assert.deepEqual(readdirSync(folder), []);
    });

    test('an empty lock counts only for as long as its text may still be written', async () => {
      writeFileSync(lock, '');
      assert.equal(await lockFile(lock), undefined);
      const before = Date.now() / 1_000 - 60;
      utimesSync(lock, before, before);
      const unlock = await lockFile(lock);
      assert.ok(unlock);
      await unlock();
    });
  });
}

test('a lock from before a restart of the computer does not count', async () => {
  const unlock = await lockFile(lock);
  const [, , ...boot] = readlinkSync(lock).split(' ');
  await unlock?.();
  const running = [process.ppid, 'token', ...boot].join(' ');
  symlinkSync(running, lock);
  assert.equal(await isLocked(lock), true);
  assert.equal(await lockFile(lock), undefined);
  unlinkSync(lock);
  symlinkSync(`${process.ppid} token of-an-earlier-start`, lock);
  assert.equal(await isLocked(lock), false);
  await (await lockFile(lock))?.();
  assert.deepEqual(readdirSync(folder), []);
});

test('if the start of the computer is unknown, only the process counts', () => {
  symlinkSync(`${process.pid} token some-start`, lock);
  const program = `
    import fs from 'node:fs/promises';
    import { syncBuiltinESMExports } from 'node:module';
    fs.readFile = () => Promise.reject(new Error('hidden'));
    syncBuiltinESMExports();
    const { isLocked, lockFile } = await import(${JSON.stringify(path.join(import.meta.dirname, 'lock-file.ts'))});
    const file = ${JSON.stringify(lock)};
    process.stdout.write(String([await isLocked(file), await lockFile(file)]));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  assert.equal(stdout, 'true,');
});

test('locking in a missing directory fails, and nothing is locked', async () => {
  await assert.rejects(lockFile(path.join(folder, 'missing', 'lock')), { code: 'ENOENT' });
  assert.equal(await isLocked(path.join(folder, 'missing', 'lock')), false);
});

test('processes that get killed never work at the same time, and leave only the lock', inFull, async () => {
  const program = `
    import { readFileSync, writeFileSync } from 'node:fs';
    import { setImmediate as turn } from 'node:timers/promises';
    import { lockFile } from ${JSON.stringify(path.join(import.meta.dirname, 'lock-file.ts'))};
    const isAlive = (pid) => { try { process.kill(pid, 0); return true; } catch { return false; } };
    for (;;) {
      const unlock = await lockFile(${JSON.stringify(lock)});
      if (unlock === undefined) { await turn(); continue; }
      const other = Number(readFileSync(${JSON.stringify(`${folder}/worker`)}, 'utf8'));
      if (other > 0 && isAlive(other)) process.exit(3);
      writeFileSync(${JSON.stringify(`${folder}/worker`)}, String(process.pid));
      await turn();
      writeFileSync(${JSON.stringify(`${folder}/worker`)}, '0');
      await unlock();
    }`;
  const worker = path.join(folder, 'worker');
  writeFileSync(worker, '0');
  const start = () =>
    spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'inherit' });
  const running = [start(), start(), start()];
  const signals: unknown[] = [];
  for (let round = 0; round < 8; round += 1) {
    await sleep(Math.random() * 120);
    const [oldest] = running.splice(0, 1, start());
    if (oldest === undefined) continue;
    const ended = once(oldest, 'exit');
    oldest.kill('SIGKILL');
    signals.push(await ended);
  }
  for (const child of running) {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    signals.push(await ended);
  }
  assert.deepEqual(
    signals,
    signals.map(() => [null, 'SIGKILL']),
  );
  unlinkSync(worker);
  await (await lockFile(lock))?.();
  assert.deepEqual(readdirSync(folder), []);
});
