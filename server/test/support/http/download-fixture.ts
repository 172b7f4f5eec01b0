import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import fastify, { type FastifyInstance } from 'fastify';
import type { ByteRange } from '../../../src/base/bytes/byte-range.ts';
import {
  type DownloadableFile,
  type DownloadableStream,
  type DownloadOptions,
  MAX_READ_BYTES,
  sendFile,
  sendStream,
} from '../../../src/http/download/file-download.ts';

export const MODIFIED_AT = Date.parse('2026-03-01T10:20:30.456Z');
export const MODIFIED = 'Sun, 01 Mar 2026 10:20:30 GMT';
export const EARLIER = 'Sun, 01 Mar 2026 10:20:29 GMT';
export const LATER = 'Sun, 01 Mar 2026 10:20:31 GMT';

export const SMALL = Buffer.from('0123456789');
export const LARGE = Buffer.alloc(MAX_READ_BYTES + 70_000, 'The quick brown fox jumps over the lazy dog. ');

/** A file in memory that records how it is read. */
export class MemoryFile implements DownloadableFile {
  readonly name: string = 'notes.txt';
  readonly contentType: string | null = 'text/plain';
  readonly etag = 'v1';
  readonly modifiedAt = MODIFIED_AT;
  readonly size: number;
  readonly opened: Readable[] = [];
  reads = 0;
  readonly bytes: Buffer;

  constructor(bytes: Buffer, changes: Partial<Pick<DownloadableFile, 'name' | 'contentType' | 'size'>> = {}) {
    this.bytes = bytes;
    this.size = changes.size ?? bytes.byteLength;
    if (changes.name !== undefined) this.name = changes.name;
    if (changes.contentType !== undefined) this.contentType = changes.contentType;
  }

  async open(range: ByteRange): Promise<Readable> {
    const slices = slicesOf(this.bytes.subarray(range.start, range.end + 1), 16_384);
    const stream = Readable.from(slices, { objectMode: false });
    this.opened.push(stream);
    return stream;
  }

  async read(range: ByteRange): Promise<Buffer> {
    this.reads += 1;
    return this.bytes.subarray(range.start, range.end + 1);
  }
}

function* slicesOf(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size);
}

interface Fixture {
  readonly app: FastifyInstance;
  readonly logged: { readonly level: number; readonly msg: string }[];
}

export function serve(file: DownloadableFile, options?: DownloadOptions): Fixture {
  return serveWith((app) => app.get('/f', (request, reply) => sendFile(request, reply, file, options)));
}

export function serveStream(stream: DownloadableStream): Fixture {
  return serveWith((app) => app.get('/f', (request, reply) => sendStream(request, reply, stream)));
}

function serveWith(mount: (app: FastifyInstance) => unknown): Fixture {
  const logged: Fixture['logged'] = [];
  const app = fastify({
    logger: { level: 'info', stream: { write: (line) => logged.push(JSON.parse(line)) } },
  });
  mount(app);
  return { app, logged };
}

/** Sends a request over a real socket, and returns the response before its body is read. */
export async function ask(app: FastifyInstance, options: RequestOptions = {}): Promise<IncomingMessage> {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo; // the address of a TCP server is always an object
  const outgoing = httpRequest({ host: '127.0.0.1', port, path: '/f', ...options }).end();
  const [response] = await once(outgoing, 'response');
  return response;
}

export function withoutTransport(headers: object): object {
  const others: Record<string, unknown> = { ...headers };
  for (const name of ['date', 'connection', 'keep-alive']) delete others[name];
  return others;
}
