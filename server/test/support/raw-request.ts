import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Person } from './person.ts';

export interface RawAnswer {
  readonly status: number;
  /** The envelope, where the body is one. */
  readonly code: number | undefined;
  readonly msg: string | undefined;
}

/** The bytes of a request as no decent client would send it. */
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

/** Sends the bytes, keeps the connection open, and gives what is answered within a few seconds. */
export async function sendRaw(person: Person, ...pieces: readonly Uint8Array[]): Promise<RawAnswer> {
  const socket = await open(person);
  try {
    // Gathered by hand: when the connection is reset in the end, what came before still counts.
    const received: Buffer[] = [];
    socket.on('data', (chunk) => void received.push(chunk));
    socket.setTimeout(5_000, () => socket.destroy());
    for (const piece of pieces) socket.write(piece);
    await once(socket, 'close');
    return toAnswer(Buffer.concat(received).toString());
  } finally {
    socket.destroy();
  }
}

/** Sends the bytes and cuts the connection. */
export async function sendAndCut(person: Person, bytes: Uint8Array): Promise<void> {
  const socket = await open(person);
  await new Promise((resolve) => socket.write(bytes, resolve));
  socket.destroy();
}

async function open(person: Person): Promise<Socket> {
  const { hostname, port } = new URL(person.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  // The server may reset a connection on which it has refused a body; the answer has come before.
  socket.on('error', () => {});
  return socket;
}

function toAnswer(received: string): RawAnswer {
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1]);
  const body = received.slice(received.indexOf('\r\n\r\n') + 4);
  const envelope = /^\{.*\}$/s.test(body) ? JSON.parse(body) : {};
  return { status, code: envelope.code, msg: envelope.msg };
}
