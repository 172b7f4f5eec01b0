import type { FastifyRequest } from 'fastify';
import { chunksOf } from '../../base/bytes/byte-streams.ts';
import type { ExpectedSize } from '../../base/domain/uploads.ts';
import { Failure } from '../../base/failure.ts';
import { isStorableText } from '../../base/text/storable-text.ts';
import { expectFileContent } from '../limits/slow-bodies.ts';
import { MAX_BODY_BYTES, toInterruption } from '../parsing/bodies.ts';
import { FormParts } from './form-parts.ts';
import type { PartHead } from './part-head.ts';

const MAX_PARTS = 51;
const MAX_FIELD_BYTES = 64 * 1024;
/** Allowance for boundaries, part headers and fields around the file of a form. */
const FORM_OVERHEAD_BYTES = 64 * 1024;

/** The part `file` of a form. Its bytes are still arriving. */
interface FilePart {
  readonly fileName: string;
  readonly contentType: string;
  /** The reader may overwrite or free the chunks. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** A form with one file that has been read completely. */
interface FileForm<T> {
  /** The result of `receive`. */
  readonly received: T;
  readonly fileName: string;
  readonly contentType: string;
  /** The other fields, before and after the file. */
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * Reads a `multipart/form-data` body (RFC 7578) with one part named `file`. `receive` gets the bytes of the
 * file as they arrive, and must read all of them or throw. Then the rest of the form is read.
 *
 * When the connection breaks, reading the bytes fails, so that `receive` cannot mistake half a file for a
 * complete one.
 *
 * @param discard undoes `receive` if the form turns out to be invalid after the file; must not fail
 * @param signal aborts the reading; its reason is thrown
 * @throws Failure `invalid` when the body is not such a form; `too-slow`
 */
export async function readFileForm<T>(
  request: FastifyRequest,
  receive: (file: FilePart) => Promise<T>,
  discard: (received: T) => Promise<void> = async () => {},
  signal?: AbortSignal,
): Promise<FileForm<T>> {
  signal?.throwIfAborted();
  expectFileContent(request);
  const chunks = chunksOf(request.raw, toInterruption);
  const stop = () => chunks.stop(signal?.reason);
  signal?.addEventListener('abort', stop);
  let received: { readonly result: T } | undefined;
  try {
    let file: FilePart | undefined;
    const fields = await readParts(request, chunks, async (name, part) => {
      if (name !== 'file' || file !== undefined) {
        throw new Failure('invalid', 'The form must have exactly one file, in a part named "file".');
      }
      file = part;
      received = { result: await receive(part) };
    });
    if (file === undefined || received === undefined) {
      throw new Failure('invalid', 'The form has no part named "file".');
    }
    return { received: received.result, fileName: file.fileName, contentType: file.contentType, fields };
  } catch (error) {
    // Awaited, so that the received bytes are gone before the error response is sent.
    if (received !== undefined) await discard(received.result);
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
    await chunks.return();
  }
}

/**
 * Reads the text fields of a form. Files in it are skipped.
 * @throws Failure `invalid`; `over-limit` when the form exceeds the limit for ordinary bodies
 */
export async function readForm(request: FastifyRequest): Promise<Readonly<Record<string, string>>> {
  const chunks = chunksOf(request.raw, toInterruption);
  try {
    return await readParts(request, limitBytes(chunks), async () => {});
  } finally {
    await chunks.return();
  }
}

async function* limitBytes(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BODY_BYTES) throw new Failure('over-limit', 'The body is too large.');
    yield chunk;
  }
}

/** Reads all parts. Resolves with the fields when the whole body has been read. */
async function readParts(
  request: FastifyRequest,
  chunks: AsyncIterator<Uint8Array>,
  onFile: (name: string, file: FilePart) => Promise<void>,
): Promise<Readonly<Record<string, string>>> {
  const contentType = request.headers['content-type'];
  if (contentType === undefined || !isMultipart(request)) {
    throw new Failure('invalid', 'The body must be a form (multipart/form-data).');
  }
  const fields: Record<string, string> = {};
  const parts = new FormParts(contentType, chunks);
  for (let count = 1; ; count += 1) {
    const head = await parts.next();
    if (head === undefined) return fields;
    if (count > MAX_PARTS) throw new Failure('invalid', 'The form has too many parts.');
    const bytes = parts.bytes();
    if (!head.isFile) fields[head.name] = await readField(head, bytes);
    else await onFile(head.name, { fileName: head.fileName ?? '', contentType: head.contentType, bytes });
  }
}

async function readField({ name, charset }: PartHead, bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.byteLength;
    if (size <= MAX_FIELD_BYTES) chunks.push(chunk);
  }
  if (size > MAX_FIELD_BYTES) throw new Failure('invalid', `The field ${name} is too long.`);
  const text = decode(Buffer.concat(chunks), charset);
  if (text !== undefined && isStorableText(text)) return text;
  throw new Failure('invalid', `The field ${name} is not valid Unicode, or has a NUL character.`);
}

/** Undefined if the bytes are not text of this encoding, or the encoding is unknown. */
function decode(bytes: Uint8Array, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export function isMultipart(request: FastifyRequest): boolean {
  return /^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '');
}

/**
 * Rejects a body by its `Content-Length`, before any of it is read.
 * @throws Failure `over-limit`
 */
export function checkContentLength(request: FastifyRequest, maxBytes: number, message: string): void {
  const length = Number(request.headers['content-length'] ?? 0);
  const overhead = isMultipart(request) ? FORM_OVERHEAD_BYTES : 0;
  if (length - overhead > maxBytes) throw new Failure('over-limit', message);
}

/**
 * Reads a small file into memory.
 * @throws Failure `over-limit`
 */
export async function readSmallFile(
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
  message: string,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new Failure('over-limit', message);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The size of the file in the body, as far as `Content-Length` tells it. */
export function expectedFileSize(request: FastifyRequest): ExpectedSize {
  const { 'content-length': length } = request.headers;
  if (length === undefined) return { minBytes: 0, maxBytes: undefined };
  const bodyBytes = Number(length);
  const overhead = isMultipart(request) ? FORM_OVERHEAD_BYTES : 0;
  return { minBytes: Math.max(0, bodyBytes - overhead), maxBytes: bodyBytes };
}
