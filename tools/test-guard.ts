// Loaded into every test file's process, before the file. The runner believes a process that ends by itself, and
// waits for ever for one that does not; this closes both gaps.
import { after } from 'node:test';
import { isMainThread } from 'node:worker_threads';

/** Long enough for the file's own `after` hooks. */
const GRACE_MS = 30_000;

// Workers and forked programs inherit the option that loads this file; they hold no tests.
if (isMainThread && process.argv[1]?.endsWith('.test.ts')) watch();

function watch(): void {
  let isOver = false;
  after(() => {
    isOver = true;
    setTimeout(complain, GRACE_MS).unref();
  });
  process.on('exit', () => {
    if (isOver || process.exitCode) return;
    process.stderr.write('The process ended before its tests had.\n');
    process.exitCode = 1;
  });
}

function complain(): void {
  const open = process.getActiveResourcesInfo().join(', ');
  process.stderr.write(`The tests are over, but the process goes on because of: ${open}.\n`);
  process.exit(1);
}
