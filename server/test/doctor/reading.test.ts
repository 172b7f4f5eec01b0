// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { Failure } from '../../src/base/failure.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { diagnose } from '../support/checks/diagnose.ts';

const holdall = await startHoldall();
const { app } = holdall;
const { database, store } = app;
const ann = await holdall.register('ann');
for (const name of ['one', 'two', 'three']) await ann.upload(`/${name}.txt`, name);

test('the doctor reports an unreadable object and continues', async (context) => {
  const { id, object_key: broken } = await database.db
    .selectFrom('blob')
    .select(['id', 'object_key'])
    .where('size', '>', 0)
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow();
  const open = store.open.bind(store);
  context.mock.method(store, 'open', async (key: string) => {
    if (key === broken) throw new Failure('unavailable', 'The storage does not answer.');
    return open(key);
  });
  const { faults, report } = await diagnose(app, { isDeep: true });
  assert.deepEqual(
    faults.map(({ rule, sentence }) => [rule, sentence]),
    [['unreadable', `The object ${broken} of blob ${id} cannot be read: The storage does not answer.`]],
  );
  assert.equal(report.checked.objects, report.checked.blobs);
});

test('the doctor stops while it reads an object when its signal aborts', async (context) => {
  const end = new AbortController();
  const opened = context.mock.method(store, 'open', async () => {
    setImmediate(() => end.abort());
    return new Readable({ read() {} });
  });
  await assert.rejects(diagnose(app, { isDeep: true, signal: end.signal }), { name: 'AbortError' });
  const [call] = opened.mock.calls;
  assert.equal((await (call?.result ?? assert.fail())).destroyed, true);
});
