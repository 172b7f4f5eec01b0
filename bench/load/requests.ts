import { frameFile, type MultipartFrame } from '../../tools/multipart.ts';
import type { StreamedRequest } from './http-connection.ts';

/** Builds a request in advance, as bytes, so its construction is not measured. */
export function getRequest(path: string, token?: string, headers: readonly string[] = []): Buffer {
  return Buffer.from(`${headOf('GET', path, token)}${headers.map((line) => `${line}\r\n`).join('')}\r\n`);
}

export function jsonRequest(method: string, path: string, body: object, token?: string): Buffer {
  const bytes = Buffer.from(JSON.stringify(body));
  const head = `${headOf(method, path, token)}Content-Type: application/json\r\nContent-Length: ${bytes.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes]);
}

interface UploadTarget {
  readonly directory: string;
  readonly filename: string;
  readonly token?: string | undefined;
}

export function uploadRequest(target: UploadTarget, content: Buffer): Buffer {
  const { head, tail } = uploadFrame(target, content.length);
  return Buffer.concat([head, content, tail]);
}

/** An upload whose content is the chunk, repeated up to `bytes` bytes. */
export function streamedUpload(target: UploadTarget, chunk: Buffer, bytes: number): StreamedRequest {
  return { ...uploadFrame(target, bytes), chunk, streamedBytes: bytes };
}

/** Raw bytes for any server on this machine; the content is the chunk as in {@link streamedUpload}. */
export function streamedBytes(
  to: {
    readonly method: string;
    readonly host: string;
    /** Includes the query. */
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
  },
  chunk: Buffer,
  bytes: number,
): StreamedRequest {
  const headers = Object.entries({ host: to.host, ...to.headers, 'content-length': String(bytes) });
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  const head = Buffer.from(`${to.method} ${to.path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  return { head, chunk, streamedBytes: bytes, tail: Buffer.alloc(0) };
}

/** The request line without headers, for messages. */
export function requestLine(request: Buffer): string {
  return request.toString('latin1', 0, request.indexOf(' HTTP/1.1'));
}

function uploadFrame(target: UploadTarget, bytes: number): { head: Buffer; tail: Buffer } {
  const frame = frameFile({ fields: { path: target.directory }, filename: target.filename });
  return toRequestFrame('/api/files/upload', target.token, frame, bytes);
}

function toRequestFrame(path: string, token: string | undefined, frame: MultipartFrame, bytes: number) {
  const length = frame.head.length + bytes + frame.tail.length;
  const head = `${headOf('POST', path, token)}Content-Type: ${frame.contentType}\r\nContent-Length: ${length}\r\n\r\n`;
  return { head: Buffer.concat([Buffer.from(head), frame.head]), tail: frame.tail };
}

function headOf(method: string, path: string, token: string | undefined): string {
  const authorization = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${authorization}`;
}
