import type { Download, DownloadOptions } from '../../downloads/download.ts';
import { DamagedError, PreconditionError } from '../../errors/errors.ts';
import { TransferFault } from '../connection/line.ts';
import { toBase64url } from '../encryption/base64url.ts';
import { CannotOpen, openRecords, RECORD_BYTES, sealedSizeOf } from '../encryption/records.ts';
import type { OpenedTransfer } from '../session/opened-transfer.ts';
import type { TransferCalls } from './transfer-calls.ts';

/** The number of records that are decrypted together. */
const RUN_RECORDS = 16;

/**
 * Begins the download of a file of an OFFLINE transfer, which is decrypted while it is read. Positions and
 * sizes refer to the decrypted content. The ETag also depends on the secret, so bytes that the service sends
 * under an old ETag cannot be joined with those of another transfer.
 * @throws HoldallError; reading throws `TransferFault` `altered` for bytes that do not decrypt
 */
export async function openContent(
  calls: Pick<TransferCalls, 'open'>,
  { session, encryption }: OpenedTransfer,
  index: number,
  options: Pick<DownloadOptions, 'start' | 'etag' | 'signal'> = {},
): Promise<Download> {
  const file = session.files[index];
  if (file === undefined) throw new RangeError(`There is no file ${index}.`);
  if (encryption === undefined) {
    const download = await calls.open(session.sessionId, file.id, options);
    if ((download.fullSize ?? file.size) === file.size) return download;
    await download.cancel();
    throw new DamagedError('The file does not have the size that was announced.');
  }
  const { start = 0, etag } = options;
  const owner = `${await identify(await encryption.keys.ofPeer(), file.id, index)} `;
  if (etag?.startsWith(owner) === false) throw new PreconditionError('The transfer is another one.');
  const key = await encryption.keyOf(file.id);
  const first = Math.floor(start / RECORD_BYTES);
  const sealedStart = first === 0 ? 0 : sealedSizeOf(first * RECORD_BYTES);
  const serviceTag = etag?.slice(owner.length) || undefined;
  const ending = new AbortController();
  const signal = AbortSignal.any(
    options.signal === undefined ? [ending.signal] : [options.signal, ending.signal],
  );
  const call = { start: sealedStart, etag: serviceTag, signal };
  const opened = await calls.open(session.sessionId, file.id, call);
  const sealedBytes = sealedSizeOf(file.size) - sealedStart;
  const records = openStream(opened.stream, key, { first, sealedBytes });
  const stream = toStream(skip(records, start - first * RECORD_BYTES), ending);
  return {
    size: file.size - start,
    fullSize: file.size,
    contentType: file.contentType,
    etag: opened.etag === undefined ? undefined : owner + opened.etag,
    filename: file.name,
    stream,
    bytes: async () => new Uint8Array(await new Response(stream).arrayBuffer()),
    text: () => new Response(stream).text(),
    cancel: () => stream.cancel(),
  };
}

/**
 * Identifies a file of this transfer to those who have the secret. The input differs from that of a proof.
 */
async function identify(key: CryptoKey, fileId: string, index: number): Promise<string> {
  const name = new TextEncoder().encode(`part\n${fileId}\n${index}`);
  return toBase64url(new Uint8Array(await crypto.subtle.sign('HMAC', key, name)));
}

/** Decrypts whole records, however the bytes arrive. */
async function* openStream(
  sealed: ReadableStream<Uint8Array<ArrayBuffer>>,
  key: CryptoKey,
  { first, sealedBytes }: { readonly first: number; readonly sealedBytes: number },
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const runBytes = sealedSizeOf(RUN_RECORDS * RECORD_BYTES);
  let record = first;
  let left = sealedBytes;
  let run = new Uint8Array(Math.min(runBytes, left));
  let filled = 0;
  for await (const chunk of readChunks(sealed)) {
    for (let at = 0; at < chunk.length; ) {
      if (left === 0) throw new DamagedError('More bytes arrived than were announced.');
      const part = chunk.subarray(at, at + run.length - filled);
      run.set(part, filled);
      filled += part.length;
      at += part.length;
      if (filled < run.length) continue;
      left -= run.length;
      yield await openRun(key, run, { first: record, isEnd: left === 0 });
      record += RUN_RECORDS;
      run = new Uint8Array(Math.min(runBytes, left));
      filled = 0;
    }
  }
  if (left > 0) throw new DamagedError('Fewer bytes arrived than were announced.');
}

async function openRun(
  key: CryptoKey,
  sealed: Uint8Array<ArrayBuffer>,
  run: { readonly first: number; readonly isEnd: boolean },
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await openRecords(key, sealed, run);
  } catch (error) {
    throw error instanceof CannotOpen ? new TransferFault('altered', { cause: error }) : error;
  }
}

/** Skips the first bytes. */
async function* skip(
  chunks: AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined>,
  bytes: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  let left = bytes;
  for await (const chunk of chunks) {
    const part = chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
    if (part.length > 0) yield part;
  }
}

function toStream(
  chunks: AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined>,
  ending: AbortController,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => {
        // Abort first, because a waiting read would otherwise not end before bytes arrive.
        ending.abort();
        await chunks.return().catch(() => undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * Yields the chunks of a stream. Ending the iteration early cancels the stream. Needed because not every
 * browser can iterate over streams.
 */
export async function* readChunks(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
