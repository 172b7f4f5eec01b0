import { errorOf } from '../../../../../client/src/errors/read-error.ts';
import { fetchAnswer } from '../../../api/ask.ts';

interface WholeFile {
  readonly address: string;
  /** The announced size in bytes. A longer response is an error. */
  readonly size: number;
  readonly signal: AbortSignal;
  /** Called with the loaded percentage of the file, whenever it increases. */
  readonly onProgress: (percent: number) => void;
}

/** Loads a whole file. @throws HoldallError */
export async function readBytes({ address, size, signal, onProgress }: WholeFile): Promise<Uint8Array> {
  const response = await fetchAnswer(address, { signal });
  if (!response.ok || response.body === null) throw errorOf(response.status, 'The file was not sent.');
  const bytes = new Uint8Array(size);
  let at = 0;
  let told = 0;
  try {
    for await (const piece of readChunks(response.body)) {
      bytes.set(piece, at);
      at += piece.length;
      const percent = Math.floor((at / size) * 100);
      if (percent > told) onProgress(percent);
      told = percent;
    }
  } catch (error) {
    throw errorOf(0, 'The file was cut off, or is longer than announced.', { cause: error });
  }
  if (at !== size) throw errorOf(0, 'The file was cut off.');
  return bytes;
}

/** Reads a stream without iterating over it, which some browsers cannot do. */
async function* readChunks(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}

interface Part {
  readonly address: string;
  readonly begin: number;
  /** Exclusive. */
  readonly end: number;
  readonly signal: AbortSignal;
  /** The version of the file; undefined for the first part. */
  readonly tag: string | undefined;
}

/** Loads a part of a file. @throws HoldallError, also when the file has changed since the first part */
export async function readPart({ address, begin, end, signal, tag }: Part) {
  const headers = {
    range: `bytes=${begin}-${end - 1}`,
    ...(tag === undefined ? {} : { 'if-match': tag }),
  };
  const response = await fetchAnswer(address, { headers, signal });
  if (response.status !== 206) throw errorOf(response.status, 'The part was not sent.');
  const bytes = new Uint8Array(
    await response.arrayBuffer().catch((cause: unknown) => {
      throw errorOf(0, 'The part was cut off.', { cause });
    }),
  );
  if (bytes.length !== end - begin) throw errorOf(0, 'The part was cut off.');
  return { bytes, tag: response.headers.get('etag') ?? undefined };
}
