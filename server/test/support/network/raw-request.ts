import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { Person } from '../app/person.ts';

export interface RawResponse {
  readonly status: number;
  /** The members of the envelope, if the body is one. */
  readonly code: number | undefined;
  readonly msg: string | undefined;
  /** The status line and the headers as they were received. */
  readonly head: string;
}

/** The bytes of a request with any request line and headers, valid or not. */
export function rawRequest(
  person: Person,
  line: string,
  headers: Readonly<Record<string, string | number>> = {},
): Buffer {
  const all = {
    host: new URL(person.url).host,
    connection: 'close',
    ...(person.login ? { authorization: `Bearer ${person.token}` } : {}),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${line} HTTP/1.1\r\n${lines.join('')}\r\n`);
}

/** Sends the bytes, keeps the connection open, and returns the response that arrives within half a minute. */
export async function sendRaw(person: Person, ...pieces: readonly Uint8Array[]): Promise<RawResponse> {
  const socket = await open(person);
  const response = readResponse(socket);
  for (const piece of pieces) socket.write(piece);
  return await response;
}

/** Sends an endless chunked body until a response has arrived. */
export async function sendEndless(
  person: Person,
  line: string,
  headers: Readonly<Record<string, string>>,
  start: string,
): Promise<RawResponse & { readonly sentBytes: number }> {
  const socket = await open(person);
  const response = readResponse(socket);
  socket.write(rawRequest(person, line, { ...headers, 'transfer-encoding': 'chunked' }));
  let sentBytes = 0;
  for (let bytes = Buffer.from(start); !socket.destroyed; bytes = Buffer.alloc(65_536)) {
    sentBytes += bytes.length;
    const isBuffered = socket.write(
      Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]),
    );
    // Either way, a response that has arrived is read before the next chunk is sent.
    await (isBuffered ? setImmediate() : Promise.race([once(socket, 'drain'), response]));
  }
  return { ...(await response), sentBytes };
}

/** Sends the bytes and closes the connection. */
export async function sendAndDisconnect(person: Person, bytes: Uint8Array): Promise<void> {
  const socket = await open(person);
  await new Promise((resolve) => socket.write(bytes, resolve));
  socket.destroy();
}

async function open(person: Person): Promise<Socket> {
  const { hostname, port } = new URL(person.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  // The server may reset the connection after it has rejected a body. The bytes that it sent before are still
  // read.
  socket.on('error', () => {});
  return socket;
}

/** Reads one response, then destroys the socket. */
function readResponse(socket: Socket): Promise<RawResponse> {
  let received = '';
  socket.setEncoding('utf8').setTimeout(30_000, () => socket.destroy());
  socket.on('data', (text: string) => {
    received += text;
    if (isComplete(received)) socket.destroy();
  });
  return new Promise((resolve) => socket.once('close', () => resolve(toResponse(received))));
}

function isComplete(received: string): boolean {
  const end = received.indexOf('\r\n\r\n');
  const length = /^content-length: (\d+)\r$/im.exec(received.slice(0, end + 1))?.[1];
  return length !== undefined && Buffer.byteLength(received.slice(end + 4)) >= Number(length);
}

function toResponse(received: string): RawResponse {
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1]);
  const body = received.slice(received.indexOf('\r\n\r\n') + 4);
  const envelope = /^\{.*\}$/s.test(body) ? JSON.parse(body) : {};
  const head = received.slice(0, received.indexOf('\r\n\r\n') + 2);
  return { status, code: envelope.code, msg: envelope.msg, head };
}
