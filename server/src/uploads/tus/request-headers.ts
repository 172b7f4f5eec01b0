// The request headers of the tus protocol 1.0.0 (https://tus.io/protocols/resumable-upload).

import type { IncomingHttpHeaders } from 'node:http';
import { Failure } from '../../base/failure.ts';
import { ProtocolError } from '../../http/errors/protocol-error.ts';
import { decodeText } from '../../http/parsing/request-text.ts';
import { CHECKSUM_ALGORITHMS, type ChunkChecksum } from './chunk-checksum.ts';

export const TUS_VERSION = '1.0.0';
const CHUNK_TYPE = 'application/offset+octet-stream';

/** The methods of the protocol. */
const METHODS: readonly string[] = ['OPTIONS', 'HEAD', 'PATCH', 'POST', 'DELETE'];

/**
 * The method of a request. Clients that cannot send PATCH or DELETE name the method in a header, which
 * overrides the sent one.
 * @throws Failure `invalid` if the header names anything but one method of the protocol
 */
export function methodOf(sent: string, headers: IncomingHttpHeaders): string {
  const named = textOf(headers, 'x-http-method-override')?.toUpperCase();
  if (named !== undefined && !METHODS.includes(named)) {
    throw new Failure('invalid', `X-HTTP-Method-Override must be one of ${METHODS.join(', ')}.`);
  }
  return named ?? sent;
}

/**
 * Makes those checks that need no upload session.
 * @throws ProtocolError, Failure `invalid`
 */
export function checkRequest(method: string, headers: IncomingHttpHeaders): void {
  // Every request except OPTIONS must name the client's version. A request with another version is answered
  // with 412 and has no effect.
  if (method !== 'OPTIONS' && textOf(headers, 'tus-resumable') !== TUS_VERSION) {
    throw new ProtocolError(412, `Tus-Resumable must be ${TUS_VERSION}.`);
  }
  if (method === 'PATCH' && !hasChunk(headers)) {
    throw new ProtocolError(415, `The Content-Type of a PATCH must be ${CHUNK_TYPE}.`);
  }
  // Two extensions are not supported. OPTIONS does not list them, but not every client checks that.
  if (method === 'POST' && textOf(headers, 'upload-defer-length') !== undefined) {
    throw new Failure('invalid', 'The size must be known when the upload is created: send Upload-Length.');
  }
  if (method === 'PATCH' && textOf(headers, 'upload-length') !== undefined) {
    throw new Failure('invalid', 'The size was given when the upload was created: leave Upload-Length out.');
  }
  if (method === 'POST' && textOf(headers, 'upload-concat') !== undefined) {
    throw new Failure('invalid', 'Uploading one file in parallel parts is not supported.');
  }
}

/** Whether the body contains bytes of the file. Even a POST may have such a body (creation-with-upload). */
export function hasChunk(headers: IncomingHttpHeaders): boolean {
  return textOf(headers, 'content-type')?.toLowerCase() === CHUNK_TYPE;
}

/** @throws Failure `invalid` when the header is missing or not a whole number in its shortest form */
export function readByteCount(headers: IncomingHttpHeaders, name: 'Upload-Length' | 'Upload-Offset'): number {
  const text = textOf(headers, name.toLowerCase()) ?? '';
  const count = Number(text);
  if (!/^(0|[1-9]\d*)$/.test(text) || !Number.isSafeInteger(count)) {
    throw new Failure('invalid', `${name} must be a whole number of bytes, 0 or more.`);
  }
  return count;
}

/** @throws Failure `over-limit` if the announced body would exceed the size of the file */
export function checkContentLength(headers: IncomingHttpHeaders, remainingBytes: number): void {
  if (Number(headers['content-length'] ?? 0) > remainingBytes) {
    throw new Failure('over-limit', 'The request has more bytes than the upload has left.');
  }
}

/**
 * Reads `Upload-Checksum`: the name of an algorithm, a space, and the digest in Base64.
 * @throws Failure `invalid` when it is malformed or the algorithm is not supported
 */
export function readChecksum(headers: IncomingHttpHeaders): ChunkChecksum | undefined {
  const text = textOf(headers, 'upload-checksum');
  if (text === undefined) return undefined;
  const [, name, encoded = ''] = /^([\w-]+) ([A-Za-z0-9+/]+={0,2})$/.exec(text.trim()) ?? [];
  if (name === undefined) {
    throw new Failure('invalid', 'Upload-Checksum must be an algorithm and a digest in Base64.');
  }
  const algorithm = CHECKSUM_ALGORITHMS.find((one) => one === name.toLowerCase());
  if (algorithm === undefined) {
    throw new Failure('invalid', `Upload-Checksum supports ${CHECKSUM_ALGORITHMS.join(', ')}.`);
  }
  return { algorithm, digest: Buffer.from(encoded, 'base64') };
}

/** The sent `Upload-Metadata`. Clients may store their own values in it, which need not be text. */
export interface UploadMetadata {
  readonly text: string;
  /**
   * The value of a key: undefined if the key is missing, empty for a key without a value.
   * @throws Failure `invalid` if the value is not text
   */
  find(key: string): string | undefined;
}

/**
 * Reads `Upload-Metadata`: comma-separated pairs of a key and a value in Base64, separated by a space. Keys
 * are ASCII, not empty and unique. A value may be left out.
 * @throws Failure `invalid` when it is missing or malformed
 */
export function readMetadata(headers: IncomingHttpHeaders): UploadMetadata {
  const text = textOf(headers, 'upload-metadata') ?? '';
  const values = new Map<string, Buffer>();
  for (const pair of text.split(',')) {
    const [, key, encoded = ''] = /^([!-+\--~]+)(?: ([A-Za-z0-9+/]*={0,2}))?$/.exec(pair) ?? [];
    if (key === undefined || encoded.length % 4 !== 0 || values.has(key)) {
      throw new Failure(
        'invalid',
        'Upload-Metadata must be pairs of a unique ASCII key and a value in Base64.',
      );
    }
    values.set(key, Buffer.from(encoded, 'base64'));
  }
  const find = (key: string) => {
    const value = values.get(key);
    return value && decodeText(`The value of ${key} in Upload-Metadata`, value);
  };
  return { text, find };
}

/** The text of a header. Joins the values if it was sent several times. */
function textOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
