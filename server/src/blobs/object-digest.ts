import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ByteCounter, type ByteDigest, ReusingStream } from '../base/bytes/byte-streams.ts';

/** The length of an object differs from its record. */
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
 * Reads an object to its end and returns its checksums.
 * @param onBytes called for each chunk with its number of bytes
 * @throws LengthMismatch; the reason of the signal; the error of the stream
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
      // Lets the event loop serve requests between two chunks.
      else setImmediate(done);
    },
  });
  await pipeline(bytes, counting, { signal });
  if (counter.size < recorded.size) throw new LengthMismatch(recorded, `only ${counter.size}`);
  return counter.digest();
}
