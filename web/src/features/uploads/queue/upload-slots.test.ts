// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SMALL_BYTES } from './request/send-file.ts';
import { type Job, newJob } from './upload-job.ts';
import { UploadSlots } from './upload-slots.ts';

const PHOTO_BYTES = 3 * SMALL_BYTES;

function jobOf(name: string, size: number): Job {
  return newJob({
    upload: {
      ...{ id: name, batchId: 'b', kind: 'file', directoryPath: '/', name, size },
      ...{ sentBytes: 0, status: 'waiting' },
    },
    ...{ fileName: name, folders: [], lastModified: 0, rootId: undefined, open: undefined },
  });
}

/** The names of the uploads that get a slot. */
function start(slots: UploadSlots, maxRequestBytes: number): readonly string[] {
  const started: string[] = [];
  slots.startWaiting({
    isStillWaiting: () => true,
    start: ({ upload }) => started.push(upload.name),
    maxRequestBytes,
  });
  return started;
}

test('three large files are sent at a time, or five if each takes a single request', () => {
  const slots = new UploadSlots();
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) slots.enqueue(jobOf(name, PHOTO_BYTES));
  assert.deepEqual(start(slots, SMALL_BYTES), ['a', 'b', 'c']);
  assert.deepEqual(start(slots, PHOTO_BYTES), ['d', 'e']);
});

test('a file that needs a session starts only while fewer than three large files run', () => {
  const slots = new UploadSlots();
  const photos = ['a', 'b', 'c', 'd'].map((name) => jobOf(name, PHOTO_BYTES));
  for (const photo of photos) slots.enqueue(photo);
  slots.enqueue(jobOf('film', 100 * SMALL_BYTES));
  assert.deepEqual(start(slots, PHOTO_BYTES), ['a', 'b', 'c', 'd']);
  const [first, second] = photos;
  if (first !== undefined) slots.release(first);
  assert.deepEqual(start(slots, PHOTO_BYTES), []);
  if (second !== undefined) slots.release(second);
  assert.deepEqual(start(slots, PHOTO_BYTES), ['film']);
});

test('small files get the slots that large files leave free', () => {
  const slots = new UploadSlots();
  for (const name of ['a', 'b', 'c']) slots.enqueue(jobOf(name, PHOTO_BYTES));
  for (const name of ['d', 'e', 'f']) slots.enqueue(jobOf(name, 1));
  assert.deepEqual(start(slots, PHOTO_BYTES), ['a', 'd', 'e', 'f', 'b']);
});
