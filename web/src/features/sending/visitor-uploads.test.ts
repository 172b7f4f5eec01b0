import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { ApiError } from '../../api/api-error.ts';
import { type SentFile, UnreadableFile, UploadRemoved, VisitorUploads } from './visitor-uploads.ts';

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
  });
  return { uploads, calls, idle: () => idle, statuses: () => uploads.view().map(({ status }) => status) };
}

const pick = (name: string, folders: readonly string[] = []) => ({ file: new File(['abc'], name), folders });
const settle = () => new Promise((resolve) => setImmediate(resolve));
const idOf = (uploads: VisitorUploads, name: string) =>
  uploads.view().find((file: SentFile) => file.name === name)?.id ?? '';

test('three files are sent at a time, in their order, and the end is reported once', async () => {
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

test('the folders of a file follow the present directory, where the link takes directories', () => {
  const { uploads, calls } = start();
  uploads.add('/', [pick('a', ['x', 'y']), { file: undefined, folders: ['empty'] }]);
  uploads.add('/in', [pick('b', ['x'])]);
  uploads.add(undefined, [pick('c', ['x'])]);
  assert.deepEqual(
    calls.map(({ path }) => path),
    ['/x/y', '/in/x', undefined],
  );
});

test('a refusal ends a file, which can be sent again', async () => {
  const { uploads, calls, statuses } = start();
  uploads.add(undefined, [pick('a')]);
  calls[0]?.reject(new ApiError(413, 'The link takes no more files.'));
  await settle();
  assert.deepEqual(statuses(), ['failed']);
  uploads.retry(idOf(uploads, 'a'));
  assert.deepEqual(statuses(), ['sending']);
  assert.equal(calls.length, 2);
});

test('a broken connection is retried as often as needed, and at once when the connection is back', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  const { uploads, calls, statuses } = start();
  uploads.add(undefined, [pick('a')]);
  for (let round = 0; round < 10; round += 1) {
    calls.at(-1)?.reject(new ApiError(0, 'The service cannot be reached.'));
    await settle();
    assert.deepEqual(statuses(), ['delayed']);
    mock.timers.tick(30_000);
    assert.equal(calls.length, round + 2);
  }
  calls.at(-1)?.reject(new ApiError(0, 'The service cannot be reached.'));
  await settle();
  uploads.goOn();
  assert.deepEqual(statuses(), ['sending']);
});

test('a failing service is given up after five attempts', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  const { uploads, calls, statuses } = start();
  uploads.add(undefined, [pick('a')]);
  for (let round = 0; round < 5; round += 1) {
    calls.at(-1)?.reject(new ApiError(500, 'Internal error.'));
    await settle();
    mock.timers.tick(60_000);
  }
  assert.equal(calls.length, 5);
  assert.deepEqual(statuses(), ['failed']);
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
  assert.deepEqual(uploads.view(), []);
});

test('a file that can no longer be read fails at once, and all failed files are sent again together', async () => {
  const { uploads, calls, statuses } = start();
  const gone = new File(['abc'], 'gone');
  gone.slice = () => {
    throw new DOMException('The file has changed.', 'NotReadableError');
  };
  uploads.add(undefined, [{ file: gone, folders: [] }, pick('refused')]);
  calls[0]?.reject(new ApiError(0, 'The service cannot be reached.'));
  calls[1]?.reject(new ApiError(413, 'Too large.'));
  await settle();
  assert.deepEqual(statuses(), ['failed', 'failed']);
  assert.ok(uploads.view()[0]?.error instanceof UnreadableFile);
  uploads.retryAll();
  assert.deepEqual(statuses(), ['sending', 'sending']);
});

test('only a removed file is deleted at the service, not one that is left with the page', () => {
  const { uploads, calls } = start();
  uploads.add(undefined, [pick('a'), pick('b')]);
  uploads.remove(idOf(uploads, 'a'));
  uploads.stop();
  assert.ok(calls[0]?.signal.reason instanceof UploadRemoved);
  assert.ok(calls[1]?.signal.aborted && !(calls[1].signal.reason instanceof UploadRemoved));
});
