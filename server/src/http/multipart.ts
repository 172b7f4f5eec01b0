import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { FastifyRequest } from 'fastify';
import { Failure } from '../base/failure.ts';
import { MAX_BODY_BYTES } from './bodies.ts';

const MAX_FIELDS = 50;
const MAX_FIELD_BYTES = 64 * 1024;
/** Boundaries, part headers and fields around the file of a form. */
const FORM_OVERHEAD_BYTES = 64 * 1024;

/** The part `file` of a form, while its bytes are still coming. */
export interface FilePart {
  readonly fileName: string;
  readonly contentType: string | undefined;
  readonly stream: Readable;
}

/** A form with one file that has been read to its end. */
export interface FileForm<T> {
  /** What `take` gave for the file. */
  readonly taken: T;
  readonly fileName: string;
  readonly contentType: string | undefined;
  /** The other fields, before and behind the file. */
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * Reads a `multipart/form-data` body (RFC 7578) with one part named `file`. `take` gets the file's bytes as
 * they come and must read them to the end or throw; then the rest of the form is read.
 *
 * A body that breaks off is a broken stream for `take`, so it cannot take half a file for a whole one.
 *
 * @param drop undoes what `take` did, when the form turns out wrong behind the file; must not fail
 * @param signal ends the reading; its reason is what is thrown
 * @throws Failure `invalid` when the body is no such form
 */
export async function readFileForm<T>(
  request: FastifyRequest,
  take: (file: FilePart) => Promise<T>,
  drop: (taken: T) => Promise<void> = async () => {},
  signal?: AbortSignal,
): Promise<FileForm<T>> {
  signal?.throwIfAborted();
  const parser = openParser(request);
  // Whoever is told to stop waits for no more of the form, also where that is silent.
  const stop = () => parser.destroy(toError(signal?.reason));
  signal?.addEventListener('abort', stop);
  let file: FilePart | undefined;
  let taking: Promise<T> | undefined;

  try {
    const fields = await readParts(request, parser, async (name, part) => {
      if (name !== 'file' || taking !== undefined) {
        part.stream.resume();
        throw new Failure('invalid', 'The form must have exactly one file, in a part named "file".');
      }
      file = part;
      taking = take(part);
      await taking;
    });
    if (file === undefined || taking === undefined) {
      throw new Failure('invalid', 'The form has no part named "file".');
    }
    return { taken: await taking, fileName: file.fileName, contentType: file.contentType, fields };
  } catch (error) {
    // The parser does not hand a destruction on to the part that it is in.
    file?.stream.destroy(error instanceof Error ? error : undefined);
    // The taker ends before we do, so that what it wrote is gone when the answer leaves.
    await taking?.then(drop, () => undefined);
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('The form was given up.', { cause: reason });
}

/**
 * A form without a file, as text fields; what files there are is passed over.
 * @throws Failure `invalid`, or `over-limit` like any other body that is no file
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

/** Gives the fields once the whole form has passed and no file was refused. */
async function readParts(
  request: FastifyRequest,
  parser: BusboyInstance,
  onFile: (name: string, file: FilePart) => Promise<void>,
): Promise<Readonly<Record<string, string>>> {
  const fields: Record<string, string> = {};
  const handling: Promise<void>[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const refuse = (message: string, cause?: unknown) => reject(new Failure('invalid', message, { cause }));

  parser.on('field', (name, value, _nameCut, valueCut) => {
    if (valueCut) refuse(`The field ${name} is too long.`);
    else fields[name] = value;
  });
  parser.on('file', (name, stream, fileName, _encoding, contentType) => {
    // Whoever reads the stream hears of its errors. While nobody does, they would end the program.
    stream.on('error', () => {});
    const handled = onFile(name, { fileName: fileName ?? '', contentType: contentType || undefined, stream });
    handled.catch(reject);
    handling.push(handled);
  });
  for (const limit of ['fieldsLimit', 'partsLimit', 'filesLimit'] as const) {
    parser.on(limit, () => refuse('The form has too many parts.'));
  }
  parser.on('error', (error) =>
    error instanceof Failure ? reject(error) : refuse('The form is malformed.', error),
  );
  // The end of a small form can come before the refusal of a file in it has been heard of.
  parser.on('finish', () => Promise.all(handling).then(() => resolve(), reject));
  const breakOff = () => refuse('The upload broke off.');
  request.raw.on('error', breakOff);
  request.raw.on('close', () => {
    if (!request.raw.complete) breakOff();
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
 * Refuses a body whose announced length cannot fit, before a byte of it is read.
 * @throws Failure `over-limit`
 */
export function checkAnnouncedLength(request: FastifyRequest, maxBytes: number, message: string): void {
  const length = Number(request.headers['content-length'] ?? 0);
  const overhead = isMultipart(request) ? FORM_OVERHEAD_BYTES : 0;
  if (length - overhead > maxBytes) throw new Failure('over-limit', message);
}

function openParser(request: FastifyRequest): BusboyInstance {
  const contentType = request.headers['content-type'];
  if (contentType === undefined || !isMultipart(request)) {
    throw new Failure('invalid', 'The body must be a form (multipart/form-data).');
  }
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': contentType },
      // The name is checked as it was sent: cutting directories off would hide what the client meant.
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
