import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { frameFile } from '../../multipart.ts';
import type { ExpectedFile } from '../files/expected-tree.ts';
import type { SourceFile } from '../files/source-file.ts';
import type { HttpClient } from './http-client.ts';
import type { Session } from './session.ts';

/** The members of a record that the demonstration reads. */
export interface DriveRecord {
  readonly id: number;
  readonly filename: string;
  readonly path: string;
  readonly size: number;
  readonly directory: boolean;
}

export interface DrivePage {
  readonly items: readonly DriveRecord[];
  readonly total: number;
}

const SMALL_BYTES = 256 * 1024;

/** The drive of one user, over HTTP. Paths are absolute logical paths. */
export class DriveClient {
  readonly #client: HttpClient;
  readonly #session: Session;

  constructor(client: HttpClient, session: Session) {
    this.#client = client;
    this.#session = session;
  }

  makeDirectory(path: string): Promise<DriveRecord> {
    return this.#recordOf('POST', '/api/files/mkdir', { path });
  }

  /** Uploads and hashes at the same time, so that the hash is of the bytes that were sent. */
  async upload(
    directory: string,
    filename: string,
    file: SourceFile,
    onBytes: (bytes: number) => void,
  ): Promise<ExpectedFile> {
    const frame = frameFile({ fields: { path: directory }, filename });
    const hash = createHash('sha256');
    async function* body() {
      yield frame.head;
      for await (const chunk of file.open()) {
        hash.update(chunk);
        onBytes(chunk.length);
        yield chunk;
      }
      yield frame.tail;
    }
    const record = await this.#client.call({
      method: 'POST',
      path: '/api/files/upload',
      headers: {
        ...(await this.#session.authorization()),
        'Content-Type': frame.contentType,
        'Content-Length': frame.head.length + file.size + frame.tail.length,
      },
      // A small file is sent in one piece: a stream costs more than its bytes.
      body: file.size > SMALL_BYTES ? Readable.from(body(), { objectMode: false }) : await gather(body()),
    });
    const stored = toRecord(record);
    if (stored.size !== file.size) throw new Error(`${stored.path} was stored with ${stored.size} bytes`);
    return { sha256: hash.digest('hex'), size: file.size };
  }

  async list(path: string, page: number, size: number): Promise<DrivePage> {
    const query = new URLSearchParams({ path, page: String(page), size: String(size) });
    return toPage(await this.#call('GET', `/api/files/list?${query}`));
  }

  async recycleBin(page: number, size: number): Promise<DrivePage> {
    return toPage(await this.#call('GET', `/api/files/recycle-bin?page=${page}&size=${size}`));
  }

  rename(id: number, filename: string): Promise<DriveRecord> {
    return this.#recordOf('PATCH', `/api/files/${id}/rename`, { filename });
  }

  move(id: number, path: string): Promise<DriveRecord> {
    return this.#recordOf('PATCH', `/api/files/${id}/move`, { path });
  }

  copy(id: number, path: string): Promise<DriveRecord> {
    return this.#recordOf('POST', `/api/files/${id}/copy`, { path });
  }

  async recycle(id: number): Promise<void> {
    await this.#call('DELETE', `/api/files/${id}`);
  }

  restore(id: number): Promise<DriveRecord> {
    return this.#recordOf('POST', `/api/files/recycle-bin/${id}/restore`);
  }

  async purge(id: number): Promise<void> {
    await this.#call('DELETE', `/api/files/recycle-bin/${id}`);
  }

  /** A file's bytes, or a directory as a ZIP. */
  async download(id: number): Promise<IncomingMessage> {
    const headers = await this.#session.authorization();
    return this.#client.open({ method: 'GET', path: `/api/files/download/${id}`, headers });
  }

  async #recordOf(method: string, path: string, body?: object): Promise<DriveRecord> {
    return toRecord(await this.#call(method, path, body));
  }

  async #call(method: string, path: string, body?: object): Promise<unknown> {
    const authorization = await this.#session.authorization();
    if (body === undefined) return this.#client.call({ method, path, headers: authorization });
    return this.#client.call({
      method,
      path,
      headers: { ...authorization, 'Content-Type': 'application/json' },
      body: Buffer.from(JSON.stringify(body)),
    });
  }
}

async function gather(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function toRecord(value: unknown): DriveRecord {
  if (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    typeof value.id === 'number' &&
    'filename' in value &&
    typeof value.filename === 'string' &&
    'path' in value &&
    typeof value.path === 'string' &&
    'size' in value &&
    typeof value.size === 'number' &&
    'directory' in value &&
    typeof value.directory === 'boolean'
  ) {
    const { id, filename, path, size, directory } = value;
    return { id, filename, path, size, directory };
  }
  throw new Error(`this is no record: ${JSON.stringify(value)}`);
}

function toPage(value: unknown): DrivePage {
  if (
    typeof value === 'object' &&
    value !== null &&
    'items' in value &&
    Array.isArray(value.items) &&
    'total' in value &&
    typeof value.total === 'number'
  ) {
    return { items: value.items.map(toRecord), total: value.total };
  }
  throw new Error(`this is no page: ${JSON.stringify(value).slice(0, 300)}`);
}
