import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Person } from '../app/person.ts';
import { rawRequest } from './raw-request.ts';

const BOUNDARY = 'held';
const FORM_HEAD = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename=`;
const FORM_END = `\r\n--${BOUNDARY}--\r\n`;

/** The request line and the file of an upload that a test holds. */
export interface PausedRequest {
  /** Such as `POST /api/files/upload`. */
  readonly line: string;
  readonly name: string;
  readonly bytes: Uint8Array;
  /** `form` announces the length of the whole form, `chunked` announces none, `raw` sends only the bytes. */
  readonly encoding: 'form' | 'chunked' | 'raw';
  readonly headers?: Readonly<Record<string, string>>;
}

/** An upload whose client has sent all bytes of the file but the last one, and keeps the connection open. */
export class PausedUpload {
  readonly #socket: Socket;
  readonly #rest: Buffer;
  /** The status of the answer; 0 when the connection ends without one. */
  readonly status: Promise<number>;

  private constructor(socket: Socket, rest: Buffer) {
    this.#socket = socket;
    this.#rest = rest;
    this.status = readStatus(socket);
  }

  static async start(person: Person, request: PausedRequest): Promise<PausedUpload> {
    const { hostname, port } = new URL(person.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    // The service may reset the connection after it has rejected the upload.
    socket.on('error', () => {});
    const { head, body, end } = encode(person, request);
    const [sent, rest] = [body.subarray(0, -1), Buffer.concat([body.subarray(-1), end])];
    const isChunked = request.encoding === 'chunked';
    socket.write(Buffer.concat([head, isChunked ? chunk(sent) : sent]));
    return new PausedUpload(socket, isChunked ? Buffer.concat([chunk(rest), LAST_CHUNK]) : rest);
  }

  /** Sends the last byte, and returns the status of the answer. */
  finish(): Promise<number> {
    this.#socket.write(this.#rest);
    return this.status;
  }

  /** Breaks the connection. */
  async cut(): Promise<void> {
    this.#socket.destroy();
    await this.status;
  }
}

const LAST_CHUNK = Buffer.from('0\r\n\r\n');

function chunk(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}

function encode(person: Person, { line, name, bytes, encoding, headers = {} }: PausedRequest) {
  const isForm = encoding !== 'raw';
  const head = Buffer.from(isForm ? `${FORM_HEAD}"${name}"\r\n\r\n` : '');
  const end = Buffer.from(isForm ? FORM_END : '');
  const body = Buffer.concat([head, bytes]);
  const type = isForm ? `multipart/form-data; boundary=${BOUNDARY}` : 'application/octet-stream';
  const length =
    encoding === 'chunked'
      ? { 'transfer-encoding': 'chunked' }
      : { 'content-length': body.length + end.length };
  return { head: rawRequest(person, line, { 'content-type': type, ...length, ...headers }), body, end };
}

function readStatus(socket: Socket): Promise<number> {
  let received = '';
  return new Promise((resolve) => {
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text;
      const status = /^HTTP\/1\.1 (\d{3}).*\r\n\r\n/s.exec(received)?.[1];
      if (status === undefined || status === '100') return;
      resolve(Number(status));
      socket.destroy();
    });
    socket.once('close', () => resolve(0));
  });
}
