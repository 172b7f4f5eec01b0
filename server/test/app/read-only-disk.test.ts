// tier: default
// runs on: sqlite
// A data directory on a disk that has become read-only, as after a disk error.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { environmentOf } from '../support/app/command.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { at, EMBEDDED, startRestored } from '../support/checks/restored.ts';

const CLI = path.join(import.meta.dirname, '..', '..', '..', 'cli', 'src', 'main.mjs');
const NAMESPACE = process.getuid?.() === 0 ? '-m' : '-Urm';
const scratch = await mkdtemp(path.join(tmpdir(), 'holdall-read-only-'));
after(() => rm(scratch, { recursive: true }));

/** Runs a command in its own mount namespace, in which the directory is read-only. */
async function runReadOnly(directory: string, command: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const script = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec "$@"';
  const child = spawn('unshare', [NAMESPACE, 'sh', '-c', script, 'sh', directory, ...command], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [said, complained, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, said, complained };
}

const probe = path.join(scratch, 'probe');
await mkdir(probe);
const canMount = (await runReadOnly(probe, ['sh', '-c', '! touch "$0/file"', probe])).code === 0;
const skip = canMount ? false : 'mounting a directory read-only is not permitted here';

const holdall = await startHoldall({ env: { HOLDALL_ACCESS_TOKEN_TTL: '900d' } });
const env = Object.fromEntries(
  Object.entries(environmentOf(holdall)).filter(([, value]) => value !== undefined),
);
const runCli = (...words: readonly string[]) =>
  runReadOnly(holdall.dataDir, [process.execPath, CLI, ...words], { ...env, HOLDALL_PORT: '0' });

test('a backup saves everything on a read-only disk, including the newest changes', { skip }, async () => {
  const alice = await holdall.register('alice');
  const file = await alice.upload('/saved.txt', 'the only copy');
  const target = path.join(scratch, 'backup');
  const { code, complained } = await runCli('backup', target);
  assert.equal(code, 0, complained);
  const restored = await startRestored(holdall, target, EMBEDDED);
  assert.equal(String(await at(restored, alice).download(file)), 'the only copy');
  assert.deepEqual(
    (await readdir(tmpdir())).filter((name) => name.startsWith('holdall-rescue-')),
    [],
  );
});

test('the doctor examines a drive on a read-only disk', { skip }, async () => {
  const { code, said, complained } = await runCli('doctor', '--deep');
  assert.equal(code, 0, complained);
  assert.match(said, /^No faults\.$/m);
});

test('commands that must write say in one sentence that the disk is read-only', { skip }, async () => {
  const sentence = `The disk of ${holdall.dataDir} is read-only.`;
  const repair = await runCli('doctor', '--repair');
  assert.deepEqual([repair.code, repair.complained], [1, `${sentence}\n`]);
  const serve = await runCli('serve');
  assert.deepEqual([serve.code, serve.complained], [1, `Holdall could not start: ${sentence}\n`]);
});
