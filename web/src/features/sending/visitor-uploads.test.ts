// tier: default
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { errorOf } from '../../../../client/src/errors/read-error.ts';
import { inFull } from '../../../../tools/testing/tiers.ts';
import {
  PasswordMissing,
  type SentFile,
  UnreadableFile,
  UploadRemoved,
  VisitorUploads,
} from './visitor-uploads.ts';

interface Call {
  readonly name: string;
  readonly path: string | undefined;
  readonly signal: AbortSignal;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

function start() {
  const calls: Call[] = [];
  let idle = 0;
  let ids = 0;
  const uploads = new VisitorUploads({
    send: (file, { path }, { signal }) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      calls.push({ name: file.name, path, signal, resolve, reject });
      return promise;
    },
    onIdle: () => {
      idle += 1;
    },
    newId: () => String(++ids),
    showLater: (show) => show(),
  });
  return {
    uploads,
    calls,
    idle: () => idle,
    /** In the order in which the files were chosen. */
    statuses: () =>
      uploads
        .view()
        .files.toSorted((a, b) => Number(a.id) - Number(b.id))
        .map(({ status }) => status),
  };
}

const pick = (name: string, folders: readonly string[] = []) => ({ file: new File(['abc'], name), folders });
const settle = () => new Promise((resolve) => setImmediate(resolve));
const idOf = (uploads: VisitorUploads, name: string) =>
  uploads.view().files.find((file: SentFile) => file.name === name)?.id ?? '';

test('three files are sent at a time, in order, and the end is reported once', async () => {
  const { uploads, calls, idle, statuses } = start();
  uploads.add(
    undefined,
    ['a', 'b', 'c', 'd'].map((name) => pick(name)),
  );
  assert.deepEqual(statuses(), ['sending', 'sending', 'sending', 'waiting']);
  calls[1]?.resolve();
  await settle();
  assert.deepEqual(statuses(), ['sending', 'done', 'sending', 'sending']);
  for (const call of calls) call.resolve();
  await settle();
  assert.deepEqual(statuses(), ['done', 'done', 'done', 'done']);
  assert.equal(idle(), 1);
});

test("a file's folders go below the current directory if the link takes directories", () => {
  const { uploads, calls } = start();
  uploads.add('/', [pick('a', ['x', 'y']), { file: undefined, folders: ['empty'] }]);
  uploads.add('/in', [pick('b', ['x'])]);
  uploads.add(undefined, [pick('c', ['x'])]);
  assert.deepEqual(
    calls.map(({ path }) => path),
    ['/x/y', '/in/x', undefined],
  );
});

test('a rejected file fails and can be sent again', async () => {
  const { uploads, calls, statuses } = start();
  uploads.add(undefined, [pick('a')]);
  calls[0]?.reject(errorOf(413, 'The link takes no more files.'));
  await settle();
  assert.deepEqual(statuses(), ['failed']);
  uploads.retry(idOf(uploads, 'a'));
  assert.deepEqual(statuses(), ['sending']);
  assert.equal(calls.length, 2);
});

test('a broken connection is retried without limit, and immediately once online again', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  const { uploads, calls, statuses } = start();
  uploads.add(undefined, [pick('a')]);
  for (let round = 0; round < 10; round += 1) {
    calls.at(-1)?.reject(errorOf(0, 'The service cannot be reached.'));
    await settle();
    assert.deepEqual(statuses(), ['delayed']);
    mock.timers.tick(30_000);
    assert.equal(calls.length, round + 2);
  }
  calls.at(-1)?.reject(errorOf(0, 'The service cannot be reached.'));
  await settle();
  uploads.resumeDelayed();
  assert.deepEqual(statuses(), ['sending']);
});

test('an upload fails after five attempts on a failing service', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  const { uploads, calls, statuses } = start();
  uploads.add(undefined, [pick('a')]);
  for (let round = 0; round < 5; round += 1) {
    calls.at(-1)?.reject(errorOf(500, 'Internal error.'));
    await settle();
    mock.timers.tick(60_000);
  }
  assert.equal(calls.length, 5);
  assert.deepEqual(statuses(), ['failed']);
});

test('a file that is not accepted yet waits as long and as often as the service asks', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  const { uploads, calls, statuses } = start();
  uploads.add(undefined, [pick('a')]);
  for (let round = 0; round < 10; round += 1) {
    const refusal = errorOf(429, 'Too many right now.', { retryAfterSeconds: 60 });
    calls.at(-1)?.reject(refusal);
    await settle();
    assert.deepEqual([statuses(), uploads.view().files[0]?.error], [['delayed'], refusal]);
    mock.timers.tick(59_000);
    assert.equal(calls.length, round + 1);
    mock.timers.tick(1_000);
    assert.equal(calls.length, round + 2);
  }
});

test('a file for which the link had no room is retried as soon as another file has ended', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  const { uploads, calls, statuses } = start();
  uploads.add(
    undefined,
    ['a', 'b', 'c'].map((name) => pick(name)),
  );
  const refuse = () => calls.at(-1)?.reject(errorOf(429, 'Too many right now.', { retryAfterSeconds: 60 }));
  refuse();
  await settle();
  assert.deepEqual(statuses(), ['sending', 'sending', 'delayed']);
  calls[0]?.resolve();
  await settle();
  assert.deepEqual(statuses(), ['done', 'sending', 'sending']);
  refuse();
  await settle();
  assert.equal(calls.length, 4, 'its own refusal makes no room');
  uploads.remove(idOf(uploads, 'b'));
  calls[1]?.reject(new UploadRemoved());
  await settle();
  assert.deepEqual(statuses(), ['done', 'sending']);
  calls.at(-1)?.reject(errorOf(413, 'This link takes no more files.'));
  await settle();
  assert.deepEqual(statuses(), ['done', 'failed']);
});

test('a file can be retried while it waits for room, but not for the connection', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  const { uploads, calls, statuses } = start();
  uploads.add(undefined, [pick('a')]);
  calls[0]?.reject(errorOf(0, 'The service cannot be reached.'));
  await settle();
  uploads.retry(idOf(uploads, 'a'));
  assert.deepEqual(statuses(), ['delayed']);
  mock.timers.tick(30_000);
  calls[1]?.reject(errorOf(429, 'Too many right now.', { retryAfterSeconds: 60 }));
  await settle();
  uploads.retry(idOf(uploads, 'a'));
  assert.deepEqual(statuses(), ['sending']);
});

test('files wait for the password of the link, and continue once it is entered', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  const { uploads, calls, statuses } = start();
  uploads.add(undefined, [pick('a')]);
  for (let round = 0; round < 10; round += 1) {
    calls.at(-1)?.reject(new PasswordMissing());
    await settle();
    assert.deepEqual(statuses(), ['delayed']);
    mock.timers.tick(30_000);
  }
  calls.at(-1)?.reject(new PasswordMissing());
  await settle();
  uploads.resumeDelayed();
  assert.deepEqual(statuses(), ['sending']);
});

test('a removed file is stopped, and the next one starts', async () => {
  const { uploads, calls } = start();
  uploads.add(
    undefined,
    ['a', 'b', 'c', 'd'].map((name) => pick(name)),
  );
  uploads.remove(idOf(uploads, 'a'));
  assert.ok(calls[0]?.signal.aborted);
  assert.deepEqual(
    calls.map(({ name }) => name),
    ['a', 'b', 'c', 'd'],
  );
  uploads.stop();
  assert.deepEqual(uploads.view().files, []);
});

test('an unreadable file fails immediately, and all failed files can be retried together', async () => {
  const { uploads, calls, statuses } = start();
  const gone = new File(['abc'], 'gone');
  gone.slice = () => {
    throw new DOMException('The file has changed.', 'NotReadableError');
  };
  uploads.add(undefined, [{ file: gone, folders: [] }, pick('refused')]);
  calls[0]?.reject(errorOf(0, 'The service cannot be reached.'));
  calls[1]?.reject(errorOf(413, 'Too large.'));
  await settle();
  assert.deepEqual(statuses(), ['failed', 'failed']);
  assert.ok(uploads.view().files[0]?.error instanceof UnreadableFile);
  uploads.retryAll();
  assert.deepEqual(statuses(), ['sending', 'sending']);
});

test('a file is deleted at the service if it was removed, but not if the visitor left the page', () => {
  const { uploads, calls } = start();
  uploads.add(undefined, [pick('a'), pick('b')]);
  uploads.remove(idOf(uploads, 'a'));
  uploads.stop();
  assert.ok(calls[0]?.signal.reason instanceof UploadRemoved);
  assert.ok(calls[1]?.signal.aborted && !(calls[1].signal.reason instanceof UploadRemoved));
});

test('failed files are listed first, then the active ones, then the completed ones', async () => {
  const { uploads, calls } = start();
  uploads.add(
    undefined,
    ['a', 'b', 'c', 'd'].map((name) => pick(name)),
  );
  calls[0]?.resolve();
  calls[1]?.reject(errorOf(413, 'Too large.'));
  await settle();
  const { files, count, isBusy } = uploads.view();
  assert.equal(files.map(({ name }) => name).join(''), 'bcda');
  assert.deepEqual([count.failed, count.sending, count.done, isBusy], [1, 2, 1, true]);
});

test('ten thousand files are rendered only a few times, however much changes', inFull, async () => {
  const shows: (() => void)[] = [];
  let ids = 0;
  const uploads = new VisitorUploads({
    send: async (_file, _place, { onProgress }) => {
      for (let bytes = 0; bytes < 3; bytes += 1) onProgress(bytes);
    },
    onIdle: () => undefined,
    newId: () => String(++ids),
    showLater: (show) => shows.push(show),
  });
  const begun = performance.now();
  uploads.add(
    undefined,
    Array.from({ length: 10_000 }, (_, index) => pick(String(index))),
  );
  assert.deepEqual([shows.length, uploads.view().files.length], [1, 0]);
  shows[0]?.();
  assert.equal(uploads.view().files.length, 10_000);
  while (uploads.view().isBusy) {
    await settle();
    shows.at(-1)?.();
  }
  assert.equal(uploads.view().count.done, 10_000);
  assert.ok(shows.length < 5_000, `${shows.length} views`);
  // If each change went through all files, this would take minutes.
  assert.ok(performance.now() - begun < 20_000);
});

test('no further files start without a connection', async () => {
  const { uploads, calls, statuses } = start();
  uploads.add(
    undefined,
    ['a', 'b', 'c', 'd'].map((name) => pick(name)),
  );
  for (const call of calls) call.reject(errorOf(0, 'The service cannot be reached.'));
  await settle();
  assert.deepEqual(statuses(), ['delayed', 'delayed', 'delayed', 'waiting']);
  uploads.stop();
});

test('unreadable files are counted', () => {
  const { uploads } = start();
  uploads.noteUnreadable('trip/a');
  assert.deepEqual(uploads.view().unreadable, { count: 1, paths: ['trip/a'] });
});
