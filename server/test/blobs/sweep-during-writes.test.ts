// tier: default
// runs on: sqlite, s3
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MINUTE } from '../../src/base/clock.ts';
import type { EntryRecord } from '../../src/drive/contract.ts';
import type { ObjectStore } from '../../src/storage/object-store.ts';
import { type Holdall, startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { replaceMethod } from '../support/faults/replace-method.ts';
import { withoutDirect } from '../support/storage/change-policy.ts';
import { queueTask, waitForStatus } from '../support/tasks/tasks.ts';
import { ok, openSession } from '../support/uploads/upload-session.ts';

// The sweeper runs with the shortest grace time, after an object is stored but before its row is committed.

const holdall = await startHoldall({ env: { HOLDALL_SWEEP_GRACE: '1ms' } });

/** Sweeps once, after the next write and before its caller can refer to the object. */
let sweepAfterWrite: Holdall | undefined;
let sweeps = 0;

function sweepAfterWritesOf(store: ObjectStore): void {
  const write = store.write.bind(store);
  replaceMethod(store as ObjectStore & Record<string, unknown>, 'write', async (...call: never[]) => {
    const digest = await (write as (...call: never[]) => Promise<unknown>)(...call);
    const sweeping = sweepAfterWrite;
    if (sweeping === undefined) return digest;
    sweepAfterWrite = undefined;
    sweeping.clock.advance(MINUTE);
    await sweeping.app.sweeper.sweep(new AbortController().signal);
    sweeps += 1;
    return digest;
  });
}

// Even with S3, uploads go through the service.
await withoutDirect(holdall);
sweepAfterWritesOf(holdall.app.store);
const ann = await holdall.register('ann');
const BYTES = 'kept, whatever the sweeper does';

async function findFile(name: string): Promise<EntryRecord> {
  const file = (await ann.list('/')).items.find(({ filename }) => filename === name);
  return file ?? assert.fail(`${name} is missing`);
}

const WRITES: Readonly<Record<string, (person: Person) => Promise<EntryRecord>>> = {
  'an upload': (person) => person.upload('/upload.txt', BYTES),
  'new content': async (person) => {
    const { id } = await person.upload('/content.txt', 'old');
    return await person.ask('PUT', `/api/v2/files/${id}/content`, {
      body: BYTES,
      headers: { 'content-type': 'text/plain' },
    });
  },
  'an upload session': async (person) => {
    const { calls } = await openSession(person, { path: '/', filename: 'session.txt', size: BYTES.length });
    ok(await calls.send(BYTES));
    ok(await calls.complete());
    return findFile('session.txt');
  },
  'an archive': async (person) => {
    const task = await queueTask(person, await person.upload('/packed.txt', BYTES));
    await waitForStatus(person, task, 'COMPLETED');
    return findFile('packed.txt.zip');
  },
};

describe('a sweep with the shortest grace time', () => {
  for (const [title, write] of Object.entries(WRITES)) {
    test(`keeps the object of ${title} whose row is not written yet`, async () => {
      const before = sweeps;
      sweepAfterWrite = holdall;
      const file = await write(ann);
      assert.equal(sweeps, before + 1, 'the sweep ran in the gap');
      const bytes = await ann.download(file);
      if (!file.filename.endsWith('.zip')) assert.equal(String(bytes), BYTES);
    });
  }

  test('at another instance makes the upload fail, but never leaves a file without bytes', async () => {
    const other = await startHoldall({ env: { HOLDALL_SWEEP_GRACE: '1ms' }, beside: holdall });
    sweepAfterWrite = other;
    const body = new FormData();
    body.set('path', '/elsewhere.txt');
    body.set('file', new Blob([BYTES]), 'elsewhere.txt');
    const answer = await ann.call('POST', '/api/files/upload', { body });
    assert.equal(answer.status, 503, answer.msg);
    assert.ok(!(await ann.names('/')).includes('elsewhere.txt'));
    assert.equal(String(await ann.download(await ann.upload('/elsewhere.txt', BYTES))), BYTES);
  });

  test('loses no acknowledged file', () => checkBooks(holdall));
});
