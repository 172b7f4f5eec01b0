// tier: default
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { inFull } from '../testing/tiers.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { CleanupProcess } from './cleanup-process.ts';

const newDirectory = () => mkdtemp(path.join(tmpdir(), 'holdall-cleanup-'));

test('a cleanup process ends its programs and removes its directory', async () => {
  const directory = await newDirectory();
  await writeFile(path.join(directory, 'file'), 'x');
  const cleanup = new CleanupProcess(directory);
  const program = startShell('exec sleep 1000');
  cleanup.add(program);
  const end = once(program, 'exit');
  await Promise.all([cleanup.run(), cleanup.run()]);
  assert.deepEqual(await end, [null, 'SIGKILL']);
  assert.equal(existsSync(directory), false);
  await cleanup.run();
});

test('a program gets the signal that was chosen for it', async () => {
  const cleanup = new CleanupProcess(await newDirectory());
  const program = startShell('trap "exit 7" TERM; echo ready; while :; do sleep 0.01; done');
  cleanup.add(program, 'TERM');
  await once(program.stdout, 'data');
  const end = once(program, 'exit');
  await cleanup.run();
  assert.deepEqual(await end, [7, null]);
});

test('a program that ignores the signal is killed', inFull, async () => {
  const cleanup = new CleanupProcess(await newDirectory());
  const program = startShell('trap "" TERM; echo ready; while :; do sleep 0.01; done');
  cleanup.add(program, 'TERM');
  await once(program.stdout, 'data');
  const end = once(program, 'exit');
  await cleanup.run();
  assert.deepEqual(await end, [null, 'SIGKILL']);
});

for (const [how, act, outcome] of [
  ['by SIGKILL', 'process.kill(process.pid, "SIGKILL")', 'SIGKILL'],
  ['by SIGTERM', 'process.kill(process.pid, "SIGTERM")', 'SIGTERM'],
  ['by SIGINT to all of its group', 'process.kill(-process.pid, "SIGINT")', 'SIGINT'],
  ['by an error', 'throw new Error("on purpose")', 1],
  ['by itself, without a word', '', 0],
] as const) {
  // To the waiting shell, all ways look the same, so one is enough in the default tier.
  const options = how === 'by SIGKILL' ? {} : inFull;
  test(`programs and directory are removed when the process ends ${how}`, options, async () => {
    const directory = await newDirectory();
    const script = `
      import { spawn } from 'node:child_process';
      import { CleanupProcess } from ${JSON.stringify(path.join(import.meta.dirname, 'cleanup-process.ts'))};
      const cleanup = new CleanupProcess(${JSON.stringify(directory)});
      const program = spawn('sleep', ['1000'], { stdio: 'ignore' });
      cleanup.add(program);
      process.stdout.write(String(program.pid), () => { ${act} });
    `;
    const owner = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [said, [code, signal]] = await Promise.all([text(owner.stdout), once(owner, 'close')]);
    assert.equal(signal ?? code, outcome);
    await waitUntil('the directory was removed', () => !existsSync(directory));
    assert.equal(isRunning(Number(said)), false);
  });
}

function startShell(script: string) {
  return spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
}

/** Whether the process is running. A zombie is not. */
function isRunning(pid: number): boolean {
  assert.ok(pid > 0);
  return existsSync(`/proc/${pid}`) && !isZombie(pid);
}

function isZombie(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return true;
  }
}
