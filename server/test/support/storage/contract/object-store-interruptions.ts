import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { PassThrough } from 'node:stream';
import { it } from 'node:test';
import { fc } from '../../../../../tools/testing/fast-check.ts';
import { inFull, isLong } from '../../../../../tools/testing/tiers.ts';
import type { ObjectStore } from '../../../../src/storage/object-store.ts';
import { cut, send, WatchedSource } from '../byte-sources.ts';
import { failureOf, type GetStore, MIB } from '../store-assertions.ts';
import { PiecewiseWrite } from './piecewise-write.ts';

const FAULT = new Error('broken off');

/** The ways in which a piece can end early, and which bytes count then. */
const INTERRUPTIONS = { failed, stopped, unrecorded } as const;

/** @param reopen opens another instance of the same store, as after a restart */
export function testInterruptedPieces(getStore: GetStore, reopen: () => ObjectStore): void {
  for (const size of [0, 1, 100_000, 9 * MIB]) {
    for (const [end, interrupt] of [
      ['the source failed', failed],
      ['the signal came while it was silent', stopped],
    ] as const) {
      it(`keep ${size} bytes received before ${end}`, async () => {
        const write = await PiecewiseWrite.begin(getStore(), `${interrupt.name}-${size}`, size + 1_000);
        await interrupt(write, size);
        assert.equal(write.point.size, size);
        write.store = reopen();
        await write.append();
        await write.finishAndCheck();
      });
    }
  }

  for (const size of [1, 100_000, 13 * MIB]) {
    it(`do not count ${size} bytes whose point was not recorded`, async () => {
      const write = await PiecewiseWrite.begin(getStore(), `unrecorded-${size}`, size + 1_000);
      await write.append(1_000);
      const { point } = write;
      await unrecorded(write, size);
      assert.equal(write.point, point);
      write.store = reopen();
      await write.append(Math.floor(size / 3));
      await write.append();
      await write.finishAndCheck();
    });
  }

  it('end a piece with the first rejected point', async () => {
    const write = await PiecewiseWrite.begin(getStore(), 'refused', 10);
    let calls = 0;
    write.record = async () => {
      calls += 1;
      throw FAULT;
    };
    await assert.rejects(write.appendFrom(send(write.next())), (error) => error === FAULT);
    assert.equal(calls, 1);
  });

  it('always close the source', async () => {
    const write = await PiecewiseWrite.begin(getStore(), 'ended', 1_000);
    const abort = new AbortController();
    const source = new PassThrough();
    source.write(write.next(10));
    const writing = write.appendFrom(source, abort.signal);
    setImmediate(() => abort.abort());
    await assert.rejects(writing, { name: 'AbortError' });
    assert.equal(source.destroyed, true);
    const late = new PassThrough();
    await assert.rejects(write.appendFrom(late, AbortSignal.abort()), { name: 'AbortError' });
    assert.equal(late.destroyed, true);
  });

  it('leave no listener on the signal', async () => {
    const write = await PiecewiseWrite.begin(getStore(), 'listener', 10);
    const { signal } = new AbortController();
    await write.appendFrom(send(write.next(5)), signal);
    await failureOf(write.appendFrom(send(Buffer.alloc(6)), signal));
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });

  for (const size of [10, 10 * MIB]) {
    it(`reject bytes beyond ${size}, and drop the surplus`, async () => {
      const write = await PiecewiseWrite.begin(getStore(), `surplus-${size}`, size);
      await write.append(3);
      const surplus = Buffer.concat([write.bytes.subarray(-1), Buffer.alloc(1)]);
      const source = new WatchedSource([write.next(size - 4), surplus, Buffer.alloc(5)]);
      assert.equal((await failureOf(write.appendFrom(source))).kind, 'over-limit');
      assert.equal(source.isEnded, true);
      await write.append();
      assert.equal((await failureOf(write.appendFrom(send(Buffer.alloc(1))))).kind, 'over-limit');
      await write.finishAndCheck();
    });
  }

  it('create the right object, however the bytes arrive and are interrupted', inFull, async () => {
    const size = fc.oneof(
      fc.constantFrom(0, 1, 5 * MIB - 1, 5 * MIB, 8 * MIB, 8 * MIB + 1),
      fc.nat({ max: 100_000 }),
      fc.nat({ max: 6 * MIB }),
    );
    const end = fc.constantFrom('whole', 'whole', 'failed', 'stopped', 'unrecorded');
    const piece = fc.record({ size, end, isReopened: fc.boolean() });
    let number = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 6 }), size, async (pieces, rest) => {
        number += 1;
        const total = pieces.reduce((sum, each) => sum + each.size, rest);
        const write = await PiecewiseWrite.begin(getStore(), `random-${number}`, total);
        for (const { size, end, isReopened } of pieces) {
          if (isReopened) write.store = reopen();
          if (end === 'whole') await write.append(size);
          else await INTERRUPTIONS[end](write, size);
        }
        await write.append();
        await write.finishAndCheck();
      }),
      { numRuns: isLong ? 25 : 6 },
    );
  });
}

async function failed(write: PiecewiseWrite, size: number): Promise<void> {
  const source = new WatchedSource(cut(write.next(size), [size / 3]), () => Promise.reject(FAULT));
  await assert.rejects(write.appendFrom(source), (error) => error === FAULT);
}

async function stopped(write: PiecewiseWrite, size: number): Promise<void> {
  const abort = new AbortController();
  const source = new WatchedSource(cut(write.next(size), [size / 3]), () => new Promise(() => {}));
  const writing = write.appendFrom(source, abort.signal);
  writing.catch(() => {});
  // When the next chunk is requested, the previous ones have been passed on.
  await source.taken.promise;
  abort.abort(FAULT);
  await assert.rejects(writing, (error) => error === FAULT);
  assert.equal(getEventListeners(abort.signal, 'abort').length, 0);
}

/** Sends wrong bytes: the object would differ if they counted. */
async function unrecorded(write: PiecewiseWrite, size: number): Promise<void> {
  write.record = () => Promise.reject(FAULT);
  const source = new WatchedSource([randomBytes(size)], () => Promise.reject(FAULT));
  await assert.rejects(write.appendFrom(source), (error) => error === FAULT);
  write.record = async () => {};
}
