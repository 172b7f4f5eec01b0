// tier: default
import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import type { Picked } from '../files/picked-files.ts';
import type { SavedUpload } from '../persistence/saved-upload.ts';
import { FakeService } from '../service/fake-service.ts';
import type { Upload } from '../upload.ts';
import { SMALL_BYTES } from './request/send-file.ts';
import { UploadQueue } from './upload-queue.ts';

let service: FakeService;
let saved: Map<string, SavedUpload>;
let queue: UploadQueue;

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout'] });
  service = new FakeService();
  saved = new Map();
  let ids = 0;
  queue = new UploadQueue({
    service,
    uploadStore: {
      put: (uploads) => {
        for (const upload of uploads) saved.set(upload.id, upload);
      },
      putRoot: () => undefined,
      remove: (gone) => {
        for (const id of gone) saved.delete(id);
      },
    },
    onAdded: () => undefined,
    newId: () => {
      ids += 1;
      return `u${ids}`;
    },
    maxUploadSizeBytes: () => 100 * SMALL_BYTES,
  });
});
afterEach(() => mock.timers.reset());

const pick = (name: string, size = 3): Picked => ({
  file: new File([new Uint8Array(size)], name, { lastModified: 5 }),
  folders: [],
});

/** Runs everything that is queued in the event loop. */
async function settle(ms = 200): Promise<void> {
  for (let round = 0; round < 20; round += 1) await new Promise((resolve) => setImmediate(resolve));
  mock.timers.tick(ms);
  for (let round = 0; round < 20; round += 1) await new Promise((resolve) => setImmediate(resolve));
}

const statuses = () => queue.view().uploads.map(({ status }: Upload) => status);

/** An upload of an earlier visit. */
const earlier: SavedUpload = {
  ...{
    id: 'e1',
    batchId: 'b',
    kind: 'file',
    directoryPath: '/docs',
    name: 'film (2).mp4',
    size: SMALL_BYTES + 1,
  },
  ...{ fileName: 'film.mp4', folders: [], lastModified: 5, rootId: undefined, sessionId: 's9', parts: [] },
  ...{ decision: undefined, isPaused: false },
};
const film = pick('film.mp4', SMALL_BYTES + 1);

test('a postponed upload stays hidden, also on later visits, and is neither cancelled nor lost', async () => {
  service.gate = new Promise(() => {});
  queue.restore(earlier, { open: undefined, isPermitted: false });
  queue.add('/', [pick('other.txt')], 'c', undefined);
  queue.postpone();
  await settle();
  assert.deepEqual([statuses(), queue.view().postponedCount], [['sending'], 1]);
  assert.equal(queue.view().totals.all, 1);
  queue.cancel();
  await settle();
  assert.deepEqual([statuses(), queue.view().postponedCount], [[], 1]);
  queue.stopAll();
  queue.restore(saved.get('e1') ?? earlier, { open: undefined, isPermitted: false });
  await settle();
  assert.deepEqual([statuses(), queue.view().postponedCount], [[], 1]);
  queue.showPostponed();
  await settle();
  assert.deepEqual([statuses(), queue.view().postponedCount], [['detached'], 0]);
});

test('a postponed upload continues with its file, and is shown if it is interrupted again', async () => {
  service.gate = new Promise(() => {});
  queue.restore({ ...earlier, isPostponed: true }, { open: undefined, isPermitted: false });
  await settle();
  assert.deepEqual(statuses(), []);
  queue.add('/docs', [film], 'c', undefined);
  await settle();
  assert.deepEqual([statuses(), queue.view().postponedCount], [['sending'], 0]);
  queue.stopAll();
  queue.restore(saved.get('e1') ?? earlier, { open: undefined, isPermitted: false });
  await settle();
  assert.deepEqual(statuses(), ['detached']);
});
