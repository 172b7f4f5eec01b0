import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it } from 'node:test';
import { send } from '../byte-sources.ts';
import { assertMissing, failureOf, type GetStore, MIB, readAll } from '../store-assertions.ts';

export function testCopies(getStore: GetStore): void {
  for (const size of [0, 1, 5 * MIB + 1]) {
    it(`copies ${size} bytes and leaves the source unchanged`, async () => {
      const [source, target] = [`test/copy/from/${size}`, `test/copy/to/${size}`];
      const bytes = randomBytes(size);
      await getStore().write(source, send(bytes));
      await getStore().copy(source, target);
      for (const key of [source, target]) assert.ok((await readAll(getStore(), key)).equals(bytes));
      await getStore().remove([source]);
      assert.ok((await readAll(getStore(), target)).equals(bytes));
    });
  }

  it('replaces an existing object', async () => {
    await getStore().write('test/copy/newer', send(Buffer.from('newer')));
    await getStore().write('test/copy/older', send(Buffer.from('the older and longer one')));
    await getStore().copy('test/copy/newer', 'test/copy/older');
    assert.equal((await readAll(getStore(), 'test/copy/older')).toString(), 'newer');
  });

  it('fails with not-found for a missing source, and leaves the target unchanged', async () => {
    await getStore().write('test/copy/kept', send(Buffer.from('kept')));
    for (const missing of ['test/copy/nothing', 'test/copy', 'test/copy/kept/below']) {
      assert.equal((await failureOf(getStore().copy(missing, 'test/copy/kept'))).kind, 'not-found');
      assert.equal((await failureOf(getStore().copy(missing, 'test/copy/never'))).kind, 'not-found');
    }
    assert.equal((await readAll(getStore(), 'test/copy/kept')).toString(), 'kept');
    await assertMissing(getStore(), 'test/copy/never');
  });
}
