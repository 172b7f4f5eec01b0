import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Holdall } from '../app/holdall.ts';
import type { Answer, Person } from '../app/person.ts';

export const TUS = '/api/v2/files/tus';
export const PIECE = 'application/offset+octet-stream';

/** An answer of the protocol. An error has the code and message of the envelope. */
interface TusAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly code: number | undefined;
  readonly msg: string;
}

export async function askTus(
  person: Person,
  method: string,
  path: string,
  options: {
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
    readonly signal?: AbortSignal;
  } = {},
): Promise<TusAnswer> {
  const response = await person.fetch(method, path, {
    ...options,
    headers: { 'tus-resumable': '1.0.0', ...options.headers },
  });
  const text = await response.text();
  assert.equal(response.headers.get('tus-resumable'), '1.0.0', `${method} ${path}: ${text}`);
  const { status, headers } = response;
  if (status < 400) assert.equal(text, '');
  const envelope: Partial<Answer<null>> = status >= 400 && text !== '' ? JSON.parse(text) : {};
  if (text !== '') assert.deepEqual(Object.keys(envelope).sort(), ['code', 'data', 'msg']);
  return { status, headers, code: envelope.code, msg: envelope.msg ?? '' };
}

/** `Upload-Metadata` of these values. */
export function metadataOf(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',');
}

/** `Upload-Checksum` of these bytes. */
export function checksumOf(bytes: Uint8Array, algorithm = 'sha1'): string {
  return `${algorithm} ${createHash(algorithm).update(bytes).digest('base64')}`;
}

/** One tus upload, request by request. Each call returns the answer, whatever its status. */
export class TusUpload {
  readonly person: Person;
  readonly path: string;

  constructor(person: Person, path: string) {
    this.person = person;
    this.path = path;
  }

  static async create(
    person: Person,
    filename: string,
    size: number,
    more: Readonly<Record<string, string>> = {},
  ): Promise<TusUpload> {
    const answer = await askTus(person, 'POST', TUS, {
      headers: { 'upload-length': `${size}`, 'upload-metadata': metadataOf({ filename, ...more }) },
    });
    assert.equal(answer.status, 201, answer.msg);
    return new TusUpload(person, answer.headers.get('location') ?? '');
  }

  get id(): string {
    return new URL(this.path, this.person.url).pathname.split('/').at(-1) ?? '';
  }

  /** The same upload, used by another user or at another instance. */
  by(person: Person): TusUpload {
    return new TusUpload(person, this.path);
  }

  head(): Promise<TusAnswer> {
    return askTus(this.person, 'HEAD', this.path);
  }

  async offset(): Promise<number> {
    const answer = await this.head();
    assert.equal(answer.status, 200);
    return Number(answer.headers.get('upload-offset'));
  }

  patch(
    offset: number | string,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
    signal?: AbortSignal,
  ): Promise<TusAnswer> {
    return askTus(this.person, 'PATCH', this.path, {
      headers: { 'content-type': PIECE, 'upload-offset': `${offset}`, ...headers },
      body,
      ...(signal === undefined ? {} : { signal }),
    });
  }

  end(): Promise<TusAnswer> {
    return askTus(this.person, 'DELETE', this.path);
  }
}

export function assertTus(answer: TusAnswer, status: number): void {
  assert.equal(answer.status, status, answer.msg);
  // An answer to HEAD has no body, so it has no code.
  if (status >= 400 && answer.code !== undefined) assert.equal(answer.code, 2_000 + status);
}

/** The number of objects in the store, of partial objects, and of unfinished uploads. */
export async function countLeft({ app, storage, dataDir }: Holdall) {
  const names = await storage.list(dataDir);
  const open = await app.database.db
    .selectFrom('upload_session')
    .select('id')
    .where('status', 'in', ['CREATED', 'UPLOADING', 'COMPLETING'])
    .execute();
  const partial = names.filter((name) => name.includes('/.partial/') || name.includes('(upload ')).length;
  return { stored: names.length, partial, open: open.length };
}
