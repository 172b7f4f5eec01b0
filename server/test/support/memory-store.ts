import { Readable } from 'node:stream';
import type { ByteRange } from '../../src/base/byte-range.ts';
import { ByteCounter, type ByteDigest } from '../../src/base/byte-streams.ts';
import { Failure } from '../../src/base/failure.ts';
import type { ObjectStore, StoredObject, WriteOptions } from '../../src/storage/object-store.ts';

interface MemoryObject {
  readonly bytes: Buffer;
  readonly modifiedAt: number;
}

/** A store whose objects are gone with the test; `objects` lets it look inside. */
export class MemoryStore implements ObjectStore {
  readonly objects = new Map<string, MemoryObject>();

  async write(
    key: string,
    source: AsyncIterable<Uint8Array>,
    options: WriteOptions = {},
  ): Promise<ByteDigest> {
    const counter = new ByteCounter();
    const chunks: Uint8Array[] = [];
    for await (const chunk of source) {
      options.signal?.throwIfAborted();
      counter.add(chunk);
      chunks.push(chunk);
      if (counter.size > (options.maxBytes ?? Number.POSITIVE_INFINITY)) {
        throw new Failure('over-limit', options.overLimitMessage ?? 'The object is too large.');
      }
    }
    this.objects.set(key, { bytes: Buffer.concat(chunks), modifiedAt: Date.now() });
    return counter.digest();
  }

  async open(key: string, range?: ByteRange): Promise<Readable> {
    return Readable.from([this.#slice(key, range)]);
  }

  async read(key: string, range: ByteRange): Promise<Buffer> {
    return this.#slice(key, range);
  }

  async find(key: string): Promise<StoredObject | undefined> {
    const object = this.objects.get(key);
    return object && { key, size: object.bytes.byteLength, modifiedAt: object.modifiedAt };
  }

  async remove(keys: readonly string[]): Promise<void> {
    for (const key of keys) this.objects.delete(key);
  }

  async *list(prefix: string): AsyncIterable<StoredObject> {
    for (const [key, object] of this.objects) {
      if (prefix !== '' && key !== prefix && !key.startsWith(`${prefix}/`)) continue;
      yield { key, size: object.bytes.byteLength, modifiedAt: object.modifiedAt };
    }
  }

  async removeAbandonedWrites(): Promise<number> {
    return 0;
  }

  async check(): Promise<void> {}

  #slice(key: string, range?: ByteRange): Buffer {
    const object = this.objects.get(key);
    if (object === undefined) throw new Failure('not-found', 'There is no such object.');
    return range === undefined ? object.bytes : object.bytes.subarray(range.start, range.end + 1);
  }
}
