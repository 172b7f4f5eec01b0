// The load client: one keep-alive connection over node:net. It sends prebuilt requests and supports just
// enough HTTP/1.1 to find the end of a response. It rejects anything else. node:http and fetch cost more per
// request than the server, so they would measure themselves.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Answer {
  readonly status: number;
  /** The status line and the headers. */
  readonly head: string;
  readonly bodyBytes: number;
  /** The beginning of the body, up to `keepBytes`. */
  readonly body: Buffer;
}

export interface StreamedRequest {
  /** Request line, headers, and the part of the body before the streamed bytes. */
  readonly head: Buffer;
  /** The chunk, repeated until `streamedBytes` are sent. */
  readonly chunk: Buffer;
  readonly streamedBytes: number;
  readonly tail: Buffer;
}

interface Waiting {
  readonly keepBytes: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

const READING_HEAD = -1;
const MAX_HEAD_BYTES = 64 * 1024;
const DEFAULT_KEEP_BYTES = 1_024;

export class HttpConnection {
  readonly #socket: Socket;
  #waiting: Waiting | undefined;
  #closed: Error | undefined;
  #partialHead: Buffer | undefined;
  #head = '';
  #status = 0;
  #bodyBytes = 0;
  #bytesLeft = READING_HEAD;
  #kept: Buffer[] = [];
  #keptBytes = 0;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.#take(chunk));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('the server closed the connection')));
  }

  static async open(port: number): Promise<HttpConnection> {
    const socket = connect({ port, host: '127.0.0.1' });
    await once(socket, 'connect');
    return new HttpConnection(socket);
  }

  /** Sends one complete request. Only one exchange may run at a time. */
  exchange(request: Buffer, keepBytes = DEFAULT_KEEP_BYTES): Promise<Answer> {
    const answer = this.#expect(keepBytes);
    this.#socket.write(request);
    return answer;
  }

  /** Sends a long body without holding it in memory. A response before its end stops sending. */
  async stream(request: StreamedRequest): Promise<Answer> {
    const answer = this.#expect(DEFAULT_KEEP_BYTES);
    const isOver = answer.then(
      () => true,
      () => true,
    );
    this.#socket.write(request.head);
    for (let left = request.streamedBytes; left > 0 && this.#waiting !== undefined; ) {
      const piece = left < request.chunk.length ? request.chunk.subarray(0, left) : request.chunk;
      left -= piece.length;
      if (!this.#socket.write(piece)) await Promise.race([once(this.#socket, 'drain'), isOver]);
    }
    this.#socket.write(request.tail);
    return answer;
  }

  /** Whether requests can be sent. The server closes connections that are idle for long. */
  get isOpen(): boolean {
    return this.#closed === undefined;
  }

  close(): void {
    this.#socket.destroy();
  }

  #expect(keepBytes: number): Promise<Answer> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    if (this.#waiting !== undefined) return Promise.reject(new Error('an exchange is already under way'));
    return new Promise((resolve, reject) => {
      this.#waiting = { keepBytes, resolve, reject };
    });
  }

  #take(chunk: Buffer): void {
    const waiting = this.#waiting;
    try {
      if (waiting === undefined) throw new Error('bytes came that nobody asked for');
      const body = this.#bytesLeft === READING_HEAD ? this.#takeHead(chunk) : chunk;
      if (body !== undefined) this.#takeBody(body, waiting);
    } catch (error) {
      this.#socket.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  }

  // Returns the remaining bytes for the body once the head is complete.
  #takeHead(chunk: Buffer): Buffer | undefined {
    const bytes = this.#partialHead === undefined ? chunk : Buffer.concat([this.#partialHead, chunk]);
    const end = bytes.indexOf('\r\n\r\n');
    if (end < 0) {
      if (bytes.length > MAX_HEAD_BYTES) throw new Error('the head of the answer has no end');
      this.#partialHead = bytes;
      return undefined;
    }
    this.#head = bytes.toString('latin1', 0, end);
    const { status, bodyBytes } = parseAnswerHead(this.#head);
    this.#partialHead = undefined;
    this.#status = status;
    this.#bodyBytes = bodyBytes;
    this.#bytesLeft = bodyBytes;
    return bytes.subarray(end + 4);
  }

  #takeBody(bytes: Buffer, waiting: Waiting): void {
    if (bytes.length > this.#bytesLeft) throw new Error('the answer is longer than its content-length');
    this.#bytesLeft -= bytes.length;
    if (this.#keptBytes < waiting.keepBytes && bytes.length > 0) {
      const kept = bytes.subarray(0, waiting.keepBytes - this.#keptBytes);
      this.#kept.push(kept);
      this.#keptBytes += kept.length;
    }
    if (this.#bytesLeft > 0) return;
    const answer = {
      status: this.#status,
      head: this.#head,
      bodyBytes: this.#bodyBytes,
      body: Buffer.concat(this.#kept),
    };
    this.#waiting = undefined;
    this.#bytesLeft = READING_HEAD;
    this.#kept = [];
    this.#keptBytes = 0;
    waiting.resolve(answer);
  }

  #fail(error: Error): void {
    this.#closed ??= error;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.reject(error);
  }
}

/** @throws Error if the response has no such header */
export function headerOf({ head }: Answer, name: string): string {
  const line = head.split('\r\n').find((line) => line.toLowerCase().startsWith(`${name}:`));
  if (line === undefined) throw new Error(`the answer has no ${name}:\n${head}`);
  return line.slice(name.length + 1).trim();
}

/** @throws for bodies that this client does not support: chunked ones, and those without a length */
export function parseAnswerHead(head: string): { readonly status: number; readonly bodyBytes: number } {
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? Number.NaN);
  if (Number.isNaN(status)) throw new Error(`no HTTP/1.1 answer: ${head.slice(0, 80)}`);
  if (/\r\ntransfer-encoding:/i.test(head)) throw new Error(`a chunked answer, status ${status}`);
  const length = /\r\ncontent-length:[ \t]*(\d+)/i.exec(head)?.[1];
  if (length === undefined && status !== 204 && status !== 304) {
    throw new Error(`an answer without content-length, status ${status}`);
  }
  return { status, bodyBytes: Number(length ?? 0) };
}
