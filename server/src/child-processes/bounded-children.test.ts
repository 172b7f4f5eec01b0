// tier: default
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inFull } from '../../../tools/testing/tiers.ts';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import { makeUnrulyChildren, processFile } from '../../test/support/child-processes/unruly-children.ts';
import { type BoundedChildren, ChildCrashed, ChildInterrupted, ChildMisbehaved } from './bounded-children.ts';

function start(limits: { readonly workMs?: number } = {}): BoundedChildren<string> {
  const children = makeUnrulyChildren(limits);
  after(() => children.close());
  return children;
}

function isCrash(isDoubtful: boolean): (error: unknown) => boolean {
  return (error) => error instanceof ChildCrashed && error.isDoubtful === isDoubtful;
}

describe('a child process', () => {
  test('that crashes over its first file is replaced', async () => {
    const children = start();
    await assert.rejects(processFile(children, 'crash'), isCrash(false));
    assert.deepEqual(children.processIds, []);
    assert.equal(await processFile(children, 'a'), 'a');
  });

  test('may have crashed for another reason if it had other files or lacked memory', async () => {
    const children = start();
    await processFile(children, 'a');
    await assert.rejects(processFile(children, 'crash'), isCrash(true));
    await assert.rejects(processFile(children, 'abort'), isCrash(true));
  });

  test('that sends an invalid answer is replaced', async () => {
    const children = start();
    await assert.rejects(processFile(children, 'lie'), ChildMisbehaved);
    assert.deepEqual(children.processIds, []);
    assert.equal(await processFile(children, 'a'), 'a');
  });

  test('that sends bytes without a request is killed', async () => {
    const children = start();
    // The bytes may arrive together with the answer.
    await processFile(children, 'talk').catch((error) => assert.ok(error instanceof ChildMisbehaved));
    await waitUntil('the process has ended', () => children.processCount === 0);
    assert.equal(await processFile(children, 'a'), 'a');
  });

  test('that takes too long is killed', async () => {
    const children = start({ workMs: 1 });
    await assert.rejects(processFile(children, 'wait'), ChildInterrupted);
    assert.deepEqual(children.processIds, []);
  });

  test('that takes too much processor time answers with what it has, and ends', async () => {
    const children = start();
    assert.equal(await processFile(children, 'compute'), 'gave up');
    assert.deepEqual(children.processIds, []);
  });

  test('that takes too much memory answers with what it has, and ends', inFull, async () => {
    const children = start();
    assert.equal(await processFile(children, 'fill'), 'gave up');
    assert.deepEqual(children.processIds, []);
  });

  test('fails its file with "unavailable" when the service stops', async () => {
    const children = makeUnrulyChildren();
    const processing = processFile(children, 'wait');
    const failed = assert.rejects(processing, { kind: 'unavailable' });
    await children.close();
    await failed;
    await assert.rejects(processFile(children, 'a'), { kind: 'unavailable' });
  });

  test('ends when the service has died', async () => {
    const script = fileURLToPath(
      new URL('../../test/support/child-processes/dying-service.ts', import.meta.url),
    );
    const service = spawn(process.execPath, ['--no-warnings', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(service.stdout, 'data');
    const id = Number(String(line));
    assert.ok(isRunning(id));
    service.kill('SIGKILL');
    await waitUntil('the process has ended', () => !isRunning(id));
  });
});

/** An orphan can remain as a zombie. */
function isRunning(id: number): boolean {
  try {
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${id}/status`, 'utf8'));
  } catch {
    return false;
  }
}
