// A client that sends any bytes, valid HTTP or not, and reads one response at a time.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawResponse {
  readonly status: number;
  /** Names in lower case; repeated headers are joined with a comma. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
  /** False if the client stopped reading, as for an endless event stream. */
  readonly isComplete: boolean;
}

/** The connection ended, or was silent for too long, before the response was complete. */
export class NoResponse extends Error {}

export class RawConnection {
  readonly #host: string;
  readonly #port: number;
  #socket: Socket | undefined;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#host = hostname;
    this.#port = Number(port);
  }

  /** @throws NoResponse */
  async send(bytes: Buffer, method: string, timeoutMs: number): Promise<RawResponse> {
    const socket = await this.#open();
    const reader = new ResponseReader(method === 'HEAD');
    const { promise, resolve, reject } = Promise.withResolvers<RawResponse>();
    const timer = setTimeout(() => reject(new NoResponse('no complete response in time')), timeoutMs);
    const onData = (chunk: Buffer) => {
      try {
        const response = reader.add(chunk);
        if (response !== undefined) resolve(response);
      } catch (error) {
        reject(error);
      }
    };
    const onClose = () => {
      const response = reader.end();
      if (response === undefined) reject(new NoResponse('the connection was closed without a response'));
      else resolve(response);
    };
    socket.on('data', onData).on('close', onClose);
    try {
      socket.write(bytes);
      const response = await promise;
      // Node adds this header if it will close the connection, for example after invalid HTTP.
      const isLast = response.headers.get('connection') === 'close' || !response.isComplete;
      if (isLast) this.close();
      return response;
    } catch (error) {
      this.close();
      throw error;
    } finally {
      clearTimeout(timer);
      socket.off('data', onData).off('close', onClose);
    }
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  async #open(): Promise<Socket> {
    if (this.#socket !== undefined && !this.#socket.destroyed && this.#socket.readyState === 'open') {
      return this.#socket;
    }
    const socket = connect(this.#port, this.#host);
    this.#socket = socket;
    // The service may reset the connection after it has rejected a body.
    socket.on('error', () => {});
    await once(socket, 'connect');
    return socket.setNoDelay(true);
  }
}

/** Reads one response from the chunks of a connection (RFC 9112). */
export class ResponseReader {
  readonly #isHead: boolean;
  #received: Buffer = Buffer.alloc(0);

  /** @param isHead whether the request was a HEAD, whose response has no body */
  constructor(isHead: boolean) {
    this.#isHead = isHead;
  }

  /** @returns the response once it is complete */
  add(chunk: Buffer): RawResponse | undefined {
    this.#received = this.#received.byteLength === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    return this.#read(false);
  }

  /** @returns the response if the end of the connection completes it */
  end(): RawResponse | undefined {
    return this.#read(true);
  }

  #read(hasEnded: boolean): RawResponse | undefined {
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    const { status, headers } = readHead(this.#received.toString('latin1', 0, end));
    const rest = this.#received.subarray(end + 4);
    if (status >= 100 && status < 200) {
      this.#received = rest;
      return this.#read(hasEnded);
    }
    const answer = (body: Buffer, isComplete = true) => ({ status, headers, body, isComplete });
    // The response to invalid HTTP has a body, even if the request looked like a HEAD.
    const isLast = headers.get('connection') === 'close';
    if ((this.#isHead && !isLast) || status === 204 || status === 304) return answer(takeAll(rest, 0));
    const length = headers.get('content-length');
    if (length !== undefined) {
      if (rest.byteLength >= Number(length)) return answer(takeAll(rest, Number(length)));
      return this.#isHead && hasEnded ? answer(rest) : undefined;
    }
    if (headers.get('transfer-encoding') === 'chunked') {
      const body = readChunks(rest);
      return body && answer(body);
    }
    // An event stream does not end. Its first event is enough.
    const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true;
    if (isStream && rest.byteLength > 0) return answer(rest, false);
    return hasEnded ? answer(rest) : undefined;
  }
}

function readHead(text: string) {
  const [line = '', ...rest] = text.split('\r\n');
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(line)?.[1] ?? Number.NaN);
  if (Number.isNaN(status)) throw new NoResponse(`not a status line: ${line.slice(0, 80)}`);
  const headers = new Map<string, string>();
  for (const header of rest) {
    const colon = header.indexOf(':');
    const name = header.slice(0, colon).toLowerCase();
    const value = header.slice(colon + 1).trim();
    headers.set(name, headers.has(name) ? `${headers.get(name)}, ${value}` : value);
  }
  return { status, headers };
}

/** @throws NoResponse if there are bytes after the body, which would belong to no request */
function takeAll(rest: Buffer, length: number): Buffer {
  if (rest.byteLength > length) {
    throw new NoResponse(`${rest.byteLength - length} bytes follow the end of the response`);
  }
  return rest;
}

function readChunks(rest: Buffer): Buffer | undefined {
  const pieces: Buffer[] = [];
  for (let offset = 0; ; ) {
    const lineEnd = rest.indexOf('\r\n', offset);
    if (lineEnd < 0) return undefined;
    const length = Number.parseInt(rest.toString('latin1', offset, lineEnd), 16);
    const start = lineEnd + 2;
    if (rest.byteLength < start + length + 2) return undefined;
    if (length === 0) return Buffer.concat(pieces);
    pieces.push(rest.subarray(start, start + length));
    offset = start + length + 2;
  }
}
