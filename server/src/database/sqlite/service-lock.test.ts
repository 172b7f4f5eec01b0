// tier: default
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { acquireServiceLock } from './service-lock.ts';

const home = mkdtempSync(path.join(tmpdir(), 'holdall-service-lock-'));
after(() => rmSync(home, { recursive: true }));

test('a killed process leaves no lock behind', async () => {
  const file = path.join(home, 'killed', 'holdall.db');
  const script = `
    import { acquireServiceLock } from ${JSON.stringify(new URL('./service-lock.ts', import.meta.url).href)};
    globalThis.lock = acquireServiceLock(${JSON.stringify(file)});
    process.stdout.write(String(globalThis.lock.isTaken));
    process.stdin.resume();`;
  const other = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [output] = await once(other.stdout, 'data');
  assert.equal(String(output), 'false');
  assert.equal(acquireServiceLock(file).isTaken, true);
  assert.equal(statSync(`${file}-service`).mode & 0o777, 0o600);
  other.kill('SIGKILL');
  await once(other, 'exit');
  const lock = acquireServiceLock(file);
  assert.equal(lock.isTaken, false);
  lock.release();
});

test('a directory that cannot be created counts as not locked', () => {
  assert.equal(acquireServiceLock('/dev/null/holdall.db').isTaken, false);
});
