// tier: default
import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { errorOf } from '../../../../../client/src/errors/read-error.ts';
import type { Picked } from '../files/picked-files.ts';
import { FakeService } from '../service/fake-service.ts';
import { SMALL_BYTES } from './request/send-file.ts';
import { UploadQueue } from './upload-queue.ts';

let service: FakeService;
let added: string[];
let queue: UploadQueue;

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout'] });
  service = new FakeService();
  service.isListed = true;
  added = [];
  let ids = 0;
  queue = new UploadQueue({
    service,
    uploadStore: { put: () => undefined, putRoot: () => undefined, remove: () => undefined },
    onAdded: (path) => added.push(path),
    newId: () => `u${++ids}`,
    maxUploadSizeBytes: () => 100 * SMALL_BYTES,
  });
});
afterEach(() => mock.timers.reset());

const pick = (name: string, size = 3): Picked => ({
  file: new File([new Uint8Array(size)], name, { lastModified: 5 }),
  folders: [],
});

async function upload(...picked: readonly Picked[]): Promise<void> {
  queue.add('/docs', picked, 'b', undefined);
  await settle();
}

async function settle(): Promise<void> {
  for (let round = 0; round < 20; round += 1) await new Promise((resolve) => setImmediate(resolve));
  mock.timers.tick(400);
}

const statuses = () => queue.view().uploads.map(({ status }) => status);

test('a file that the folder has with the same bytes is done without being sent', async () => {
  service.taken.set('/docs/a.txt', 'file');
  service.isSameBytes = true;
  await upload(pick('a.txt'), pick('b.txt'));
  assert.deepEqual(statuses(), ['done', 'done']);
  assert.equal(queue.view().totals.alreadyHere, 1);
  assert.deepEqual(service.calls, ['list /docs', 'compare', 'whole /docs/b.txt']);
  assert.deepEqual(added, ['/docs/b.txt']);
});

test('a file of another size is a conflict before anything is read or sent', async () => {
  service.taken.set('/docs/a.txt', 'file');
  service.isSameBytes = true;
  await upload(pick('a.txt', 4));
  assert.deepEqual(statuses(), ['taken']);
  assert.equal(queue.view().uploads[0]?.existing?.size, 3);
  assert.ok(!service.calls.includes('compare'));
});

test('a folder with the name of a file is a conflict', async () => {
  service.taken.set('/docs/a', 'directory');
  service.isSameBytes = true;
  await upload(pick('a'));
  assert.deepEqual(statuses(), ['taken']);
});

test('a file that appears after the folder was listed is compared as well', async () => {
  await upload(pick('a.txt'));
  service.taken.set('/docs/late.txt', 'file');
  service.isSameBytes = true;
  service.gate = new Promise(() => {});
  await upload(pick('busy.txt'));
  service.gate = Promise.resolve();
  service.calls.length = 0;
  await upload(pick('late.txt'));
  assert.equal(queue.view().uploads.find(({ name }) => name === 'late.txt')?.isAlreadyHere, true);
  assert.equal(service.calls.at(-1), 'compare');
});

test('a file that is gone when it is compared is sent', async () => {
  service.taken.set('/docs/a.txt', 'file');
  service.compare = async () => {
    service.taken.clear();
    return 'gone';
  };
  await upload(pick('a.txt'));
  assert.deepEqual([statuses(), queue.view().totals.alreadyHere], [['done'], 0]);
});

test('an outage while the folder is listed delays the upload', async () => {
  service.listDirectory = async () => {
    Reflect.deleteProperty(service, 'listDirectory');
    throw errorOf(0, 'gone');
  };
  await upload(pick('a.txt'));
  assert.deepEqual(statuses(), ['delayed']);
});

test('a different file is compared only once', async () => {
  service.taken.set('/docs/a.txt', 'file');
  await upload(pick('a.txt'));
  assert.deepEqual(statuses(), ['taken']);
  assert.deepEqual(service.calls, ['list /docs', 'compare']);
});

test('a decision for all that is made while a file is compared applies to it', async () => {
  service.taken.set('/docs/a.txt', 'file');
  service.taken.set('/docs/b.txt', 'file');
  const { promise: isCompared, resolve: endComparison } = Promise.withResolvers<void>();
  service.compare = async ({ filename }) => {
    if (filename === 'b.txt') await isCompared;
    return 'different';
  };
  service.isListed = false;
  await upload(pick('a.txt'), pick('b.txt'));
  assert.deepEqual(statuses(), ['taken', 'sending']);
  queue.decide(new Map([['u1', 'skip']]), 'skip');
  endComparison();
  await settle();
  assert.deepEqual(statuses(), ['skipped', 'skipped']);
});
