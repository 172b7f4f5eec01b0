import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { FastifyRequest } from 'fastify';
import type { ExpectedSize } from '../base/domain/uploads.ts';
import { Failure } from '../base/failure.ts';
import { isStorableText } from '../base/text/storable-text.ts';
import { MAX_BODY_BYTES } from './bodies.ts';
import { expectFileContent } from './slow-bodies.ts';

const MAX_FIELDS = 50;
const MAX_FIELD_BYTES = 64 * 1024;
/** Allowance for boundaries, part headers and fields around the file of a form. */
const FORM_OVERHEAD_BYTES = 64 * 1024;

/** The part `file` of a form. Its bytes are still arriving. */
export interface FilePart {
  readonly fileName: string;
  readonly contentType: string | undefined;
  readonly stream: Readable;
}

/** A form with one file, after all of it was read. */
export interface FileForm<T> {
  /** The result of `receive`. */
  readonly received: T;
  readonly fileName: string;
  readonly contentType: string | undefined;
  /** The other fields, before and after the file. */
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * Reads a `multipart/form-data` body (RFC 7578) with one part named `file`. `receive` gets the bytes of the
 * file as they arrive, and must read all of them or throw. Then the rest of the form is read.
 *
 * When the connection breaks, the stream of `receive` fails, so that it cannot take half a file for a
 * complete one.
 *
 * @param discard undoes `receive` when the form turns out to be invalid after the file; must not fail
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
  const parser = openParser(request);
  expectFileContent(request);
  // Destroying the parser ends the wait, even if no more bytes arrive.
  const stop = () => parser.destroy(toError(signal?.reason));
  signal?.addEventListener('abort', stop);
  let file: FilePart | undefined;
  let receiving: Promise<T> | undefined;

  try {
    const fields = await readParts(request, parser, async (name, part) => {
      if (name !== 'file' || receiving !== undefined) {
        part.stream.resume();
        throw new Failure('invalid', 'The form must have exactly one file, in a part named "file".');
      }
      file = part;
      receiving = receive(part);
      await receiving;
    });
    if (file === undefined || receiving === undefined) {
      throw new Failure('invalid', 'The form has no part named "file".');
    }
    return { received: await receiving, fileName: file.fileName, contentType: file.contentType, fields };
  } catch (error) {
    // Destroying the parser does not destroy the stream of the current part.
    file?.stream.destroy(error instanceof Error ? error : undefined);
    // Wait until the bytes that were received are discarded, so that they are gone when the response is sent.
    await receiving?.then(discard, () => undefined);
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

function toError(reason: unknown): Error {
  return reason instanceof Error
    ? reason
    : new Error('The reading of the form was aborted.', { cause: reason });
}

/**
 * Reads the text fields of a form. Files in it are skipped.
 * @throws Failure `invalid`; `over-limit` when the form is larger than other bodies may be
 */
export async function readForm(request: FastifyRequest): Promise<Readonly<Record<string, string>>> {
  const parser = openParser(request);
  let bytes = 0;
  request.raw.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength;
    if (bytes > MAX_BODY_BYTES) parser.destroy(new Failure('over-limit', 'The body is too large.'));
  });
  return await readParts(request, parser, async (_name, { stream }) => void stream.resume());
}

/**
 * Reads the parts of a form. Resolves with the fields when the form has ended and `onFile` has resolved for
 * every file.
 */
async function readParts(
  request: FastifyRequest,
  parser: BusboyInstance,
  onFile: (name: string, file: FilePart) => Promise<void>,
): Promise<Readonly<Record<string, string>>> {
  const fields: Record<string, string> = {};
  const handling: Promise<void>[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const fail = (message: string, cause?: unknown) => reject(new Failure('invalid', message, { cause }));

  parser.on('field', (name, value, _nameCut, valueCut) => {
    if (valueCut) fail(`The field ${name} is too long.`);
    else if (!isStorableText(value)) fail(`The field ${name} is not valid Unicode, or has a NUL character.`);
    else fields[name] = value;
  });
  parser.on('file', (name, stream, fileName, _encoding, contentType) => {
    // The reader of the stream handles its errors. Without this listener an error before that would end the
    // process.
    stream.on('error', () => {});
    const handled = onFile(name, { fileName: fileName ?? '', contentType: contentType || undefined, stream });
    handled.catch(reject);
    handling.push(handled);
  });
  for (const limit of ['fieldsLimit', 'partsLimit', 'filesLimit'] as const) {
    parser.on(limit, () => fail('The form has too many parts.'));
  }
  parser.on('error', (error) =>
    error instanceof Failure ? reject(error) : fail('The form is malformed.', error),
  );
  // The parser may finish a small form before `onFile` has rejected.
  parser.on('finish', () => Promise.all(handling).then(() => resolve(), reject));
  request.raw.on('error', (error) =>
    error instanceof Failure ? reject(error) : fail('The upload was interrupted.', error),
  );
  request.raw.on('close', () => {
    if (!request.raw.complete) fail('The upload was interrupted.');
  });

  try {
    request.raw.pipe(parser);
    await promise;
    return fields;
  } catch (error) {
    request.raw.unpipe(parser);
    parser.destroy();
    throw error;
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

/** The size of the file in the body, as far as `Content-Length` tells it. */
export function expectedFileSize(request: FastifyRequest): ExpectedSize {
  const { 'content-length': length } = request.headers;
  if (length === undefined) return { minBytes: 0, maxBytes: undefined };
  const bodyBytes = Number(length);
  const overhead = isMultipart(request) ? FORM_OVERHEAD_BYTES : 0;
  return { minBytes: Math.max(0, bodyBytes - overhead), maxBytes: bodyBytes };
}

function openParser(request: FastifyRequest): BusboyInstance {
  const contentType = request.headers['content-type'];
  if (contentType === undefined || !isMultipart(request)) {
    throw new Failure('invalid', 'The body must be a form (multipart/form-data).');
  }
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': contentType },
      // The name is validated as it was sent. Removing directories from it would hide what the client meant.
      preservePath: true,
      highWaterMark: 256 * 1024,
      fileHwm: 256 * 1024,
      limits: {
        fileSize: Number.POSITIVE_INFINITY,
        fields: MAX_FIELDS,
        files: 2,
        parts: MAX_FIELDS + 2,
        fieldSize: MAX_FIELD_BYTES,
      },
    });
  } catch (error) {
    throw new Failure('invalid', 'The form is malformed.', { cause: error });
  }
}
