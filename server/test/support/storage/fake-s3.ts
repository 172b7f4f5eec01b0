import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { S3Store, type S3StoreOptions } from '../../../src/storage/s3/s3.ts';

interface S3Request {
  readonly method: string;
  /** The path without the bucket, with the query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** Undefined makes the fake respond like a store; 'nothing' closes the connection. */
type Answer = { status: number; body?: string; headers?: Record<string, string> } | 'nothing' | undefined;

/** A stored object without its bytes, which no test reads. */
interface FakeObject {
  readonly size: number;
  readonly writeId: string | undefined;
}

/** A fake S3 store without bytes and signatures, for responses that a real store rarely sends. */
export class FakeS3 {
  readonly requests: S3Request[] = [];
  readonly objects = new Map<string, FakeObject>();
  /** Called before the fake creates its own response. */
  answer: (request: S3Request, response: ServerResponse) => Answer = () => undefined;
  readonly #server: Server;
  readonly #stores: S3Store[] = [];
  #upload = { size: 0, writeId: undefined as string | undefined };

  private constructor() {
    this.#server = createServer((request, response) => void this.#receive(request, response));
  }

  static async start(): Promise<FakeS3> {
    const fake = new FakeS3();
    fake.#server.listen(0, '127.0.0.1');
    await once(fake.#server, 'listening');
    return fake;
  }

  store(changes: Partial<S3StoreOptions> = {}): S3Store {
    // The address of a server that listens on a port is an `AddressInfo`.
    const { port } = this.#server.address() as AddressInfo;
    const store = new S3Store({
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      bucket: 'bucket',
      prefix: '',
      forcePathStyle: true,
      credentials: { accessKeyId: 'the-access-key', secretAccessKey: 'the-secret-key' },
      checksums: 'when-required',
      ...changes,
    });
    this.#stores.push(store);
    return store;
  }

  async close(): Promise<void> {
    for (const store of this.#stores) store.close();
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  /** Methods and paths, with only the names of query parameters: `PUT /key?partNumber`. */
  get calls(): readonly string[] {
    return this.requests.map(({ method, path }) => `${method} ${nameCall(path)}`);
  }

  async #receive(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = incoming;
    const request = { method, path: url.replace(/^\/bucket/, ''), headers, body: await buffer(incoming) };
    this.requests.push(request);
    const answer = this.answer(request, response) ?? (response.headersSent ? undefined : this.#act(request));
    if (answer === 'nothing') incoming.socket.destroy();
    else if (answer !== undefined) response.writeHead(answer.status, answer.headers).end(answer.body);
  }

  /** Responds like a store. */
  #act({ method, path, headers, body }: S3Request): Exclude<Answer, undefined> {
    const call = `${method} ${nameCall(path).replace(/^[^?]*/, '')}`;
    const key = path.replace(/\?.*/, '');
    const writeId = headers['x-amz-meta-holdall-write']?.toString();
    switch (call) {
      case 'POST ?uploads':
        this.#upload = { size: 0, writeId };
        return { status: 200, body: xml('InitiateMultipartUploadResult', '<UploadId>upload</UploadId>') };
      case 'PUT ?partNumber&uploadId':
        this.#upload.size += body.length;
        return { status: 200, headers: { etag: '"part"' } };
      case 'POST ?uploadId':
        this.objects.set(key, { ...this.#upload });
        return { status: 200, body: xml('CompleteMultipartUploadResult', '<ETag>"whole"</ETag>') };
      case 'PUT ':
        this.objects.set(key, { size: body.length, writeId });
        return { status: 200, headers: { etag: '"whole"' } };
      case 'HEAD ':
        return describeObject(this.objects.get(key));
      case 'POST ?delete':
        return { status: 200, body: xml('DeleteResult', '') };
      default:
        return { status: method === 'DELETE' ? 204 : 501 };
    }
  }
}

export function errorBody(code: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>Said ${code}</Message></Error>`;
}

export function xml(name: string, content: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><${name}>${content}</${name}>`;
}

function describeObject(object: FakeObject | undefined): Exclude<Answer, undefined> {
  if (object === undefined) return { status: 404 };
  const headers = { 'content-length': `${object.size}`, 'last-modified': 'Wed, 21 Oct 2026 07:28:00 GMT' };
  return {
    status: 200,
    headers:
      object.writeId === undefined ? headers : { ...headers, 'x-amz-meta-holdall-write': object.writeId },
  };
}

function nameCall(path: string): string {
  const { pathname, searchParams } = new URL(path, 'http://fake');
  const names = [...searchParams.keys()].filter((name) => name !== 'x-id').toSorted();
  return names.length === 0 ? pathname : `${pathname}?${names.join('&')}`;
}
