// tier: default
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { LazyModule } from './lazy-module.ts';
import { noteReplacedVersion } from './replaced-version.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('loading a part is retried until a newer version is known to have replaced it', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  let attempts = 0;
  const later = new LazyModule<string>(async () => {
    attempts += 1;
    throw new Error('404');
  });
  const wait = async () => {
    await settle();
    mock.timers.tick(3_000);
    await settle();
  };
  void later.get();
  await wait();
  await wait();
  assert.equal(attempts, 3);
  void later.get();
  assert.equal(attempts, 3, 'who asks meanwhile waits for the same attempt');
  noteReplacedVersion();
  for (let round = 0; round < 5; round += 1) await wait();
  assert.equal(attempts, 3);
  void later.get();
  for (let round = 0; round < 5; round += 1) await wait();
  assert.equal(attempts, 4, 'one attempt for another use');
});

test('a part is loaded once', async () => {
  let attempts = 0;
  const later = new LazyModule(async () => ++attempts);
  assert.deepEqual([await later.get(), await later.get()], [1, 1]);
});
