// tier: default
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { test } from 'node:test';

/** Every write to it fails with ENOSPC. Linux has it. */
const FULL = '/dev/full';

test('a log on a full disk does not end the process', () => {
  const script = `
    import { openLog } from ${JSON.stringify(new URL('./log.ts', import.meta.url).href)};
    const log = openLog('info');
    log.info('first');
    setImmediate(() => {
      log.info('second');
      setImmediate(() => process.stderr.write('alive'));
    });`;
  const full = openSync(FULL, 'w');
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', full, 'pipe'],
  });
  closeSync(full);
  assert.deepEqual([status, String(stderr)], [0, 'alive']);
});
