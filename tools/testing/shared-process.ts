// Runs several test files one after the other in this process, so that the service is loaded only once. Each
// file becomes a test: Node waits for the tests that the file declares, and then runs its `after` hooks.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { reportCpuSeconds } from './cpu-time.ts';
import { endFile, startFile } from './file-end.ts';

/**
 * The largest timeout that Node accepts. Infinity would mean the default, which is meant for a single test.
 */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

// The test runner catches errors thrown outside the tests, and would let the file pass.
const uncaught: unknown[] = [];
process.on('uncaughtExceptionMonitor', (error) => uncaught.push(error));
after(failOnUncaught);

for (const file of process.argv.slice(process.argv.indexOf('--') + 1)) {
  test(file, { timeout: NO_TIMEOUT_MS }, async () => {
    // Ends the previous file, whose hooks have all run.
    endFile();
    startFile(file);
    after(failOnUncaught);
    after((context) => reportCpuSeconds(context, file));
    await import(pathToFileURL(file).href);
  });
}

async function failOnUncaught(): Promise<void> {
  await setImmediate();
  assert.deepEqual(uncaught.splice(0), []);
}
