import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { ObjectStore } from '../../../src/storage/object-store.ts';
import { NOTHING_WRITTEN, type ResumePoint } from '../../../src/storage/resumable-writes.ts';
import { send } from './byte-sources.ts';
import { listAll, readAll } from './store-answers.ts';

/** An object of random bytes that is written in pieces, by an owner who keeps the point and watches how it moves. */
export class PiecewiseWrite {
  readonly key: string;
  readonly bytes: Buffer;
  /** Through which instance it goes on. */
  store: ObjectStore;
  /** As the store gave it. */
  id = '';
  /** The last one that was recorded. */
  point: ResumePoint = NOTHING_WRITTEN;
  /** Rejects where the record cannot be written. */
  record: (point: ResumePoint) => Promise<void> = async () => {};
  readonly #tails: string;
  readonly #unrecordedTails = new Set<string>();
  #tailCount = 0;
  #isRecording = false;

  private constructor(store: ObjectStore, name: string, size: number) {
    this.store = store;
    this.key = `test/pieces/${name}`;
    this.#tails = `test/tails/${name}`;
    this.bytes = randomBytes(size);
  }

  static async begin(store: ObjectStore, name: string, size: number): Promise<PiecewiseWrite> {
    const write = new PiecewiseWrite(store, name, size);
    write.id = await store.resumable.begin(write.key);
    return write;
  }

  get size(): number {
    return this.bytes.length;
  }

  /** So many of the bytes behind the point, or all of them. */
  next(count = this.size): Buffer {
    return this.bytes.subarray(this.point.size, this.point.size + count);
  }

  /** Writes so many bytes behind the point, as one piece that ends well. */
  async append(count?: number): Promise<void> {
    const expected = this.point.size + this.next(count).length;
    await this.appendFrom(send(this.next(count)));
    assert.equal(this.point.size, expected);
  }

  async appendFrom(
    source: AsyncIterable<Uint8Array>,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<void> {
    await this.store.resumable.append(this, this.point, source, {
      signal,
      newKey: () => {
        this.#tailCount += 1;
        return `${this.#tails}/${this.#tailCount}`;
      },
      onPoint: (point) => this.#onPoint(point),
    });
  }

  async finish(): Promise<void> {
    await this.store.resumable.finish(this, this.point);
  }

  async abort(): Promise<void> {
    await this.store.resumable.abort(this, this.point);
  }

  /** Finishes it; the object has all bytes then, and nothing else is left. Removes it. */
  async finishAndCheck(): Promise<void> {
    await this.finish();
    await this.checkFinished();
  }

  async checkFinished(): Promise<void> {
    assert.equal((await this.store.find(this.key))?.size, this.size);
    assert.ok((await readAll(this.store, this.key)).equals(this.bytes), 'other bytes');
    assert.deepEqual(await this.listTails(), []);
    await this.store.remove([this.key]);
  }

  /** But those that were never recorded: a store may leave them to the sweeper, as it cannot know what became of them. */
  async listTails(): Promise<readonly string[]> {
    const keys = (await listAll(this.store, this.#tails)).map((object) => object.key);
    return keys.filter((key) => !this.#unrecordedTails.has(key));
  }

  async #onPoint(point: ResumePoint): Promise<void> {
    assert.equal(this.#isRecording, false, 'two points at a time');
    assert.ok(this.point.size <= point.size && point.size <= this.size, `${point.size} of ${this.size}`);
    this.#isRecording = true;
    try {
      await this.record(point);
      this.point = point;
    } catch (error) {
      if (point.tailKey !== null) this.#unrecordedTails.add(point.tailKey);
      throw error;
    } finally {
      this.#isRecording = false;
    }
  }
}
