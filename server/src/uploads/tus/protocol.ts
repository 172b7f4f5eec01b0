// The tus protocol, 1.0.0 (https://tus.io/protocols/resumable-upload): what `@tus/server` 2.4.5 leaves out or does
// otherwise. The rule stands beside the lines that obey it.

import type { IncomingHttpHeaders } from 'node:http';
import { Failure } from '../../base/failure.ts';
import { ProtocolRefusal } from '../../http/errors/protocol-refusal.ts';
import { CHECKSUM_ALGORITHMS, type ChunkChecksum } from './chunk-checksum.ts';

export const TUS_VERSION = '1.0.0';
export const PIECE_TYPE = 'application/offset+octet-stream';

/** Of the headers of a request those that the protocol's own part looks at. */
const READ_HEADERS = [
  ...['tus-resumable', 'upload-offset', 'upload-length', 'upload-metadata'],
  ...['content-length', 'content-type'],
];

/** On every answer, errors as well. */
export const FIXED_TUS_HEADERS = {
  // Every answer but that to OPTIONS names the version that the server speaks.
  'tus-resumable': TUS_VERSION,
  // A version that is not spoken is answered with a list of those that are. It does no harm elsewhere.
  'tus-version': TUS_VERSION,
};

/** Clients that cannot send PATCH or DELETE name the method in a header; the actual one is ignored then. */
export function methodOf(sent: string, headers: IncomingHttpHeaders): string {
  return textOf(headers, 'x-http-method-override')?.toUpperCase() ?? sent;
}

/** @throws ProtocolRefusal */
export function checkRequest(method: string, headers: IncomingHttpHeaders): void {
  // Every request but OPTIONS names the version that the client speaks. One that is not spoken here is answered with
  // 412, and nothing of the request is done.
  if (method !== 'OPTIONS' && textOf(headers, 'tus-resumable') !== TUS_VERSION) {
    throw new ProtocolRefusal(412, `Tus-Resumable must be ${TUS_VERSION}.`);
  }
  // The bytes of a PATCH have a type of their own; others are answered with 415.
  if (method === 'PATCH' && !isPiece(headers)) {
    throw new ProtocolRefusal(415, `The Content-Type of a PATCH must be ${PIECE_TYPE}.`);
  }
  // Extensions that are not offered: a client that minds what OPTIONS says never asks for them.
  if (method === 'POST' && textOf(headers, 'upload-defer-length') !== undefined) {
    throw new Failure('invalid', 'The size must be known when the upload is created: send Upload-Length.');
  }
  if (method === 'POST' && textOf(headers, 'upload-concat') !== undefined) {
    throw new Failure('invalid', 'Uploads in parallel parts are not offered here.');
  }
}

/** Whether the body holds bytes of the file. With a POST too: those are the first ones. */
export function isPiece(headers: IncomingHttpHeaders): boolean {
  return textOf(headers, 'content-type')?.toLowerCase() === PIECE_TYPE;
}

/**
 * `Upload-Checksum`: the name of an algorithm, a space, the digest in Base64.
 * @throws Failure `invalid`: an algorithm that is not offered is answered with 400
 */
export function readChecksum(headers: IncomingHttpHeaders): ChunkChecksum | undefined {
  const text = textOf(headers, 'upload-checksum');
  if (text === undefined) return undefined;
  const [, name, encoded = ''] = /^([\w-]+) ([A-Za-z0-9+/]+={0,2})$/.exec(text.trim()) ?? [];
  if (name === undefined)
    throw new Failure('invalid', 'Upload-Checksum must be a name and a digest in Base64.');
  const algorithm = CHECKSUM_ALGORITHMS.find((one) => one === name.toLowerCase());
  if (algorithm === undefined) {
    throw new Failure('invalid', `Upload-Checksum takes ${CHECKSUM_ALGORITHMS.join(', ')}.`);
  }
  return { algorithm, digest: Buffer.from(encoded, 'base64') };
}

/** Without the body: see tus-store.ts. */
export function toWebRequest(method: string, url: string, headers: IncomingHttpHeaders): Request {
  const read = new Headers();
  for (const name of READ_HEADERS) {
    const value = textOf(headers, name);
    if (value !== undefined) read.set(name, name === 'content-type' ? value.toLowerCase() : value);
  }
  return new Request(url, { method, headers: read });
}

/** One text, however often the header was sent. */
export function textOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
