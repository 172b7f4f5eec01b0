import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { ObjectStore } from '../../../../src/storage/object-store.ts';
import { NOTHING_WRITTEN, type ResumePoint } from '../../../../src/storage/resumable-writes.ts';
import { send } from '../byte-sources.ts';
import { listAll, readAll } from '../store-assertions.ts';

/** A resumable write of random bytes. Records the resume point and checks each new one. */
export class PiecewiseWrite {
  readonly key: string;
  readonly bytes: Buffer;
  /** The instance used for the next call. */
  store: ObjectStore;
  /** The id that the store returned. */
  id = '';
  /** The last recorded point. */
  point: ResumePoint = NOTHING_WRITTEN;
  /** Called before a point is recorded; a test lets it reject. */
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

  /** The next `count` bytes after the point, or all of them. */
  next(count = this.size): Buffer {
    return this.bytes.subarray(this.point.size, this.point.size + count);
  }

  /** Appends the next `count` bytes as one complete piece. */
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

  /** Finishes the write, checks that the object has all bytes and no tail is left, and removes the object. */
  async finishAndCheck(): Promise<void> {
    await this.finish();
    await this.checkFinished();
  }

  async checkFinished(): Promise<void> {
    assert.equal((await this.store.find(this.key))?.size, this.size);
    assert.ok((await readAll(this.store, this.key)).equals(this.bytes), 'the bytes differ');
    assert.deepEqual(await this.listTails(), []);
    await this.store.remove([this.key]);
  }

  /** Lists the tails, except those that were never recorded: a store may leave those to the sweeper. */
  async listTails(): Promise<readonly string[]> {
    const keys = (await listAll(this.store, this.#tails)).map((object) => object.key);
    return keys.filter((key) => !this.#unrecordedTails.has(key));
  }

  async #onPoint(point: ResumePoint): Promise<void> {
    assert.equal(this.#isRecording, false, 'two points were reported at the same time');
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
