import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ByteCounter, type ByteDigest, ReusingStream } from '../base/bytes/byte-streams.ts';

/** An object and its record do not agree on its length. */
export class LengthMismatch extends Error {
  constructor({ objectKey, size }: RecordedLength, found: string) {
    super(`The object ${objectKey} has ${found} bytes, and its record says ${size}.`);
    this.name = 'WrongLength';
  }
}

interface RecordedLength {
  readonly objectKey: string;
  /** Bytes. */
  readonly size: number;
}

/**
 * Reads an object to its end.
 * @param onBytes hears how many came, at every chunk
 * @throws WrongLength; the reason of the signal; what the stream fails with
 */
export async function digestObject(
  recorded: RecordedLength,
  bytes: Readable,
  { signal, onBytes }: { readonly signal: AbortSignal; readonly onBytes?: (count: number) => void },
): Promise<ByteDigest> {
  const counter = new ByteCounter();
  const counting = new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      counter.add(chunk);
      onBytes?.(chunk.byteLength);
      if (bytes instanceof ReusingStream) bytes.release(chunk);
      if (counter.size > recorded.size) done(new LengthMismatch(recorded, 'more'));
      // Whoever asks for something meanwhile waits for one chunk, not for the object.
      else setImmediate(done);
    },
  });
  await pipeline(bytes, counting, { signal });
  if (counter.size < recorded.size) throw new LengthMismatch(recorded, `only ${counter.size}`);
  return counter.digest();
}
