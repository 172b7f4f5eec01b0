// tier: default
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { test } from 'node:test';
import { toReadableLine } from './log.ts';

/** A Linux device. Every write to it fails with ENOSPC. */
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

test('a readable line has the time, the level, the message and every other field', () => {
  const time = new Date(2026, 0, 2, 3, 4, 5).getTime();
  const record = {
    level: 40,
    time,
    pid: 7,
    hostname: 'here',
    route: '/a/:id',
    steps: ['1', '2'],
    msg: 'Slow.',
  };
  assert.equal(
    toReadableLine(`${JSON.stringify(record)}\n`),
    '03:04:05 WARN  Slow. route=/a/:id steps=["1","2"]\n',
  );
});

test('a readable line has the stack of an error below it', () => {
  const err = { type: 'Error', message: 'Lost.', stack: 'Error: Lost.\n    at here' };
  const line = toReadableLine(JSON.stringify({ level: 50, time: 0, err, msg: 'x' }));
  assert.match(line, /ERROR x\n {4}Error: Lost\.\n {4}at here\n$/);
});

test('no field of a readable line controls the terminal', () => {
  const evil = '\u001b[2J\u009b2J\u202e\r\n';
  const line = toReadableLine(
    JSON.stringify({ level: 30, time: 0, [evil]: evil, err: { stack: evil }, msg: evil }),
  );
  assert.doesNotMatch(line.replaceAll('\n', ''), /\p{Cc}|\p{Bidi_Control}/u);
  assert.equal(line.split('\n').length, 4);
});
