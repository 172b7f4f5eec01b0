import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { after, test } from 'node:test';
import { limitProcessorTime } from './processor-time.ts';

/** A process that runs the script until the test file ends. */
function run(script: string): ChildProcess {
  const child = spawn(process.execPath, ['--eval', script], { stdio: 'ignore' });
  after(() => child.kill('SIGKILL'));
  return child;
}

/** How the watch of a process ends. */
function endOf({ pid }: ChildProcess, limitMs: number): Promise<string> {
  return new Promise((resolve) => limitProcessorTime(pid, limitMs, resolve));
}

test('a process that works exceeds its processor time', async () => {
  assert.equal(await endOf(run('for (;;);'), 500), 'exceeded');
});

test('a process that does not get the processor is starved, however long it takes', async () => {
  const stopped = run('for (;;);');
  stopped.kill('SIGSTOP');
  const start = performance.now();
  assert.equal(await endOf(stopped, 500), 'starved');
  assert.ok(performance.now() - start >= 3_000);
});

test('where the processor time cannot be read, the time that passes counts', async () => {
  const limited = new Promise((resolve) => limitProcessorTime(undefined, 10, resolve));
  assert.equal(await limited, 'exceeded');
});

test('a watch that is ended calls nobody', async () => {
  const working = run('for (;;);');
  const end = limitProcessorTime(working.pid, 50, () => assert.fail('called'));
  end();
  assert.equal(await endOf(working, 200), 'exceeded');
});
