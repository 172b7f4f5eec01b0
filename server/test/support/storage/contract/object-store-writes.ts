import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { it } from 'node:test';
import { fc } from '../../../../../tools/testing/fast-check.ts';
import { isFull } from '../../../../../tools/testing/tiers.ts';
import { cut, digestOf, send, WatchedSource } from '../byte-sources.ts';
import { assertMissing, failureOf, type GetStore, listAll, MIB, readAll } from '../store-assertions.ts';

export function testWrites(getStore: GetStore): void {
  it('stores the bytes and returns their digest', async () => {
    const bytes = randomBytes(4_096);
    assert.deepEqual(await getStore().write('test/write/small', send(bytes)), digestOf(bytes));
    assert.deepEqual(await readAll(getStore(), 'test/write/small'), bytes);
  });

  it('stores an empty object', async () => {
    assert.deepEqual(await getStore().write('test/write/empty', send()), digestOf());
    assert.equal((await readAll(getStore(), 'test/write/empty')).length, 0);
    assert.equal((await getStore().find('test/write/empty'))?.size, 0);
  });

  it('stores a large object that arrives in many chunks', async () => {
    const bytes = randomBytes(20 * MIB + 12_345);
    const chunks = cut(
      bytes,
      Array.from({ length: 320 }, (_, index) => index * 65_536),
    );
    assert.deepEqual(await getStore().write('test/write/large', send(...chunks)), digestOf(bytes));
    assert.ok((await readAll(getStore(), 'test/write/large')).equals(bytes));
  });

  it('accepts a stream as well as an iterable', async () => {
    const bytes = randomBytes(300_000);
    await getStore().write('test/write/stream', Readable.from(cut(bytes, [1, 100_000])));
    assert.ok((await readAll(getStore(), 'test/write/stream')).equals(bytes));
  });

  it('stores the same bytes and digest however they are split', async () => {
    const bytes = randomBytes(2 * MIB);
    const places = fc.array(fc.nat({ max: bytes.length }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: bytes.length }), places, async (size, found) => {
        const whole = bytes.subarray(0, size);
        const chunks = cut(
          whole,
          found.map((place) => Math.min(place, size)),
        );
        assert.deepEqual(await getStore().write('test/write/cut', send(...chunks)), digestOf(whole));
        assert.ok((await readAll(getStore(), 'test/write/cut')).equals(whole));
      }),
      { numRuns: isFull ? 25 : 5 },
    );
  });

  it('stores an object of thousands of tiny chunks', async () => {
    const bytes = randomBytes(5_000);
    const chunks = Array.from(bytes, (_, index) => bytes.subarray(index, index + 1));
    assert.deepEqual(await getStore().write('test/write/tiny', send(...chunks)), digestOf(bytes));
    assert.deepEqual(await readAll(getStore(), 'test/write/tiny'), bytes);
  });

  it('replaces an existing object', async () => {
    await getStore().write('test/write/again', send(Buffer.from('the older and longer one')));
    await getStore().write('test/write/again', send(Buffer.from('newer')));
    assert.equal((await readAll(getStore(), 'test/write/again')).toString(), 'newer');
  });

  it('shows nothing before all bytes have arrived', async () => {
    const wait = Promise.withResolvers<void>();
    const source = new WatchedSource([randomBytes(MIB)], () => wait.promise);
    const writing = getStore().write('test/write/late', source);
    await source.taken.promise;
    assert.equal(await getStore().find('test/write/late'), undefined);
    assert.deepEqual(await listAll(getStore(), 'test/write/late'), []);
    wait.resolve();
    await writing;
    assert.equal((await getStore().find('test/write/late'))?.size, MIB);
  });

  it('leaves the complete object of one writer when many write to the same key', async () => {
    const versions = Array.from({ length: 8 }, (_, index) => Buffer.alloc(100_000 + index, index));
    await Promise.all(versions.map((bytes) => getStore().write('test/write/contested', send(bytes))));
    const found = await readAll(getStore(), 'test/write/contested');
    assert.ok(versions.some((bytes) => bytes.equals(found)));
  });

  it('accepts exactly the allowed number of bytes', async () => {
    const written = await getStore().write('test/write/exact', send(Buffer.alloc(6), Buffer.alloc(4)), {
      maxBytes: 10,
    });
    assert.equal(written.size, 10);
  });
}

export function testFailedWrites(getStore: GetStore): void {
  const tooMany = { maxBytes: 10, overLimitMessage: 'Ten is enough.' };

  it('stop at the first byte beyond the limit, and close the source', async () => {
    const source = new WatchedSource([Buffer.alloc(6), Buffer.alloc(5), Buffer.alloc(1)]);
    const failure = await failureOf(getStore().write('test/fail/long', source, tooMany));
    assert.deepEqual([failure.kind, failure.message], ['over-limit', 'Ten is enough.']);
    assert.equal(source.isEnded, true);
    await assertMissing(getStore(), 'test/fail/long');
  });

  it('stop at the first byte beyond the limit of a large object', async () => {
    const source = new WatchedSource(Array(100).fill(Buffer.alloc(65_536)));
    const writing = getStore().write('test/fail/large', source, { ...tooMany, maxBytes: 5 * MIB });
    assert.equal((await failureOf(writing)).kind, 'over-limit');
    assert.equal(source.isEnded, true);
    await assertMissing(getStore(), 'test/fail/large');
  });

  it('keep the existing object', async () => {
    await getStore().write('test/fail/kept', send(Buffer.from('kept')));
    await failureOf(getStore().write('test/fail/kept', send(Buffer.alloc(11)), tooMany));
    assert.equal((await readAll(getStore(), 'test/fail/kept')).toString(), 'kept');
  });

  for (const size of [0, 10, 3 * MIB]) {
    it(`reject with the error that the source throws after ${size} bytes`, async () => {
      const fault = new Error('the client is gone');
      const source = new WatchedSource([Buffer.alloc(size)], () => Promise.reject(fault));
      await assert.rejects(getStore().write('test/fail/thrown', source), (error) => error === fault);
      await assertMissing(getStore(), 'test/fail/thrown');
    });

    it(`end when the signal aborts while the source is silent after ${size} bytes`, async () => {
      const abort = new AbortController();
      const source = new WatchedSource([Buffer.alloc(size)], () => new Promise(() => {}));
      const writing = getStore().write('test/fail/silent', source, { signal: abort.signal });
      await source.taken.promise;
      const reason = new Error('enough');
      abort.abort(reason);
      await assert.rejects(writing, (error) => error === reason);
      await assertMissing(getStore(), 'test/fail/silent');
    });
  }

  it('do not begin when the signal is aborted already', async () => {
    const source = new PassThrough();
    const writing = getStore().write('test/fail/before', source, { signal: AbortSignal.abort() });
    await assert.rejects(writing, { name: 'AbortError' });
    assert.equal(source.destroyed, true);
    await assertMissing(getStore(), 'test/fail/before');
  });

  it('destroy a silent stream when the signal aborts', async () => {
    const abort = new AbortController();
    const source = new PassThrough();
    source.write(Buffer.alloc(10));
    const writing = getStore().write('test/fail/stream', source, { signal: abort.signal });
    setImmediate(() => abort.abort());
    await assert.rejects(writing, { name: 'AbortError' });
    assert.equal(source.destroyed, true);
    await assertMissing(getStore(), 'test/fail/stream');
  });

  it('reject when the stream is interrupted', async () => {
    const source = new PassThrough();
    source.write(randomBytes(1_000));
    const writing = getStore().write('test/fail/broken', source);
    setImmediate(() => source.destroy());
    await assert.rejects(writing, { code: 'ERR_STREAM_PREMATURE_CLOSE' });
    await assertMissing(getStore(), 'test/fail/broken');
  });

  it('leave no listener on the signal', async () => {
    const { signal } = new AbortController();
    await getStore().write('test/fail/listener', send(Buffer.alloc(10)), { signal });
    assert.equal(getEventListeners(signal, 'abort').length, 0);
    await failureOf(getStore().write('test/fail/listener', send(Buffer.alloc(11)), { ...tooMany, signal }));
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });
}
