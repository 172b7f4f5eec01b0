import assert from 'node:assert/strict';
import type { BinRecord, EntryDetails, EntryRecord } from '../../../src/drive/contract.ts';

/** A complete answer in the JSON envelope. */
export interface Answer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly code: number;
  readonly msg: string;
  readonly data: T;
}

export interface Listing<T = EntryRecord> {
  readonly items: readonly T[];
  readonly total: number;
  readonly page: number;
  readonly size: number;
}

export interface LoginState {
  readonly token: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresIn: number;
  readonly mustChangePassword: boolean;
  readonly user: Record<string, unknown> & { id: number; username: string; role: string };
}

export interface CallOptions {
  /** Bytes, text, forms and streams are sent unchanged, everything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export const PASSWORD = 'correct horse battery staple';

/** A user of the service, who only uses HTTP. */
export class Person {
  readonly username: string;
  readonly url: string;
  login: LoginState | undefined;
  #driveId: number | undefined;

  constructor(username: string, url: string) {
    this.username = username;
    this.url = url;
  }

  get token(): string {
    assert(this.login, `${this.username} is not logged in`);
    return this.login.accessToken;
  }

  get id(): number {
    assert(this.login, `${this.username} is not logged in`);
    return this.login.user.id;
  }

  /** The id of the personal drive, which `Holdall.register` has found. */
  get driveId(): number {
    assert(this.#driveId, `the drive of ${this.username} is not known`);
    return this.#driveId;
  }

  set driveId(id: number | undefined) {
    this.#driveId = id;
  }

  /** Returns the raw response, for downloads and streams. */
  fetch(method: string, path: string, { body, headers, signal }: CallOptions = {}): Promise<Response> {
    const isJson = body !== undefined && isPlain(body);
    return fetch(new URL(path, this.url), {
      method,
      redirect: 'manual',
      headers: {
        ...(this.login ? { authorization: `Bearer ${this.login.accessToken}` } : {}),
        ...(isJson ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : {
            body: isJson ? JSON.stringify(body) : (body as NonNullable<RequestInit['body']>),
            duplex: 'half',
          }),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  /** Returns the answer in the envelope, whether it is a success or a failure. */
  async call<T = unknown>(method: string, path: string, options: CallOptions = {}): Promise<Answer<T>> {
    const response = await this.fetch(method, path, options);
    const text = await response.text();
    assert.match(
      response.headers.get('content-type') ?? '',
      /^application\/json/,
      `${method} ${path}: ${text}`,
    );
    const envelope = JSON.parse(text);
    assert.deepEqual(Object.keys(envelope).sort(), ['code', 'data', 'msg'], `${method} ${path}: ${text}`);
    return { status: response.status, headers: response.headers, ...envelope };
  }

  /** Makes a call that must succeed, and returns its `data`. */
  async ask<T = unknown>(method: string, path: string, options: CallOptions = {}): Promise<T> {
    const answer = await this.call<T>(method, path, options);
    assert.equal(answer.code, 0, `${method} ${path}: ${answer.status} ${answer.code} ${answer.msg}`);
    assert.equal(answer.status, 200);
    assert.equal(answer.msg, 'success');
    return answer.data;
  }

  /** Makes a call that must fail with this HTTP status and this code. */
  async refused(status: number, code: number, method: string, path: string, options: CallOptions = {}) {
    const answer = await this.call(method, path, options);
    assert.deepEqual([answer.status, answer.code], [status, code], `${method} ${path}: ${answer.msg}`);
    assert.equal(answer.data, null);
    assert.doesNotMatch(answer.msg, /select |insert |update |sqlite|postgres|\bat .*:\d+/i);
    return answer;
  }

  async register(inviteCode: string, client?: string): Promise<this> {
    this.login = await this.ask<LoginState>('POST', '/api/auth/register', {
      body: applicationOf(this.username, inviteCode),
      headers: clientHeader(client),
    });
    return this;
  }

  /** Logs in with a call that returns a login state. */
  async enter(path: string, body: unknown, client?: string): Promise<this> {
    this.login = await this.ask<LoginState>('POST', path, { body, headers: clientHeader(client) });
    return this;
  }

  /** Logs in from the device with that UUID. */
  async logInAt(device: string, client?: string, more: Readonly<Record<string, string>> = {}): Promise<this> {
    this.login = undefined;
    this.login = await this.ask<LoginState>('POST', '/api/auth/login', {
      body: { username: this.username, password: PASSWORD },
      headers: { ...clientHeader(client), 'x-service-device': device, ...more },
    });
    return this;
  }

  /** The same user with another login, such as on a second device. */
  with(login: LoginState | undefined): Person {
    const other = new Person(this.username, this.url);
    other.login = login;
    other.#driveId = this.#driveId;
    return other;
  }

  logIn(password = PASSWORD, client?: string): Promise<this> {
    this.login = undefined;
    return this.enter('/api/auth/login', { username: this.username, password }, client);
  }

  mkdir(path: string): Promise<EntryRecord> {
    return this.ask('POST', '/api/files/mkdir', { body: { path } });
  }

  /** Uploads a small file to a full path with the legacy form. */
  upload(
    path: string,
    content: string | Uint8Array<ArrayBuffer> = '',
    contentType?: string,
  ): Promise<EntryRecord> {
    return this.ask('POST', '/api/files/upload', { body: formOf(path, content, contentType) });
  }

  list(path = '/', query: Record<string, string | number> = {}): Promise<Listing> {
    const parameters = new URLSearchParams({ path });
    for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
    return this.ask('GET', `/api/files/list?${parameters}`);
  }

  /** The names in a directory, in the order of the list. */
  async names(path = '/'): Promise<readonly string[]> {
    return (await this.list(path, { size: 1_000 })).items.map((entry) => entry.filename);
  }

  bin(): Promise<Listing<BinRecord>> {
    return this.ask('GET', '/api/files/recycle-bin?size=1000');
  }

  rename(entry: { id: number }, filename: string): Promise<EntryRecord> {
    return this.ask('PATCH', `/api/files/${entry.id}/rename`, { body: { filename } });
  }

  move(entry: { id: number }, path: string): Promise<EntryRecord> {
    return this.ask('PATCH', `/api/files/${entry.id}/move`, { body: { path } });
  }

  copy(entry: { id: number }, path: string): Promise<EntryRecord> {
    return this.ask('POST', `/api/files/${entry.id}/copy`, { body: { path } });
  }

  details(entry: { id: number }): Promise<EntryDetails> {
    return this.ask('GET', `/api/v2/files/${entry.id}`);
  }

  recent(size = 20): Promise<readonly EntryRecord[]> {
    return this.ask('GET', `/api/files/recent?size=${size}`);
  }

  async recycle(entry: { id: number }): Promise<void> {
    assert.equal(await this.ask('DELETE', `/api/files/${entry.id}`), null);
  }

  restore(entry: { id: number }): Promise<EntryRecord> {
    return this.ask('POST', `/api/files/recycle-bin/${entry.id}/restore`);
  }

  async purge(entry: { id: number }): Promise<void> {
    assert.equal(await this.ask('DELETE', `/api/files/recycle-bin/${entry.id}`), null);
  }

  /** Every record below a directory, in the order of the lists. A directory precedes its children. */
  async tree(path = '/'): Promise<readonly EntryRecord[]> {
    const found: EntryRecord[] = [];
    for (const record of (await this.list(path, { size: 1_000 })).items) {
      found.push(record);
      if (record.directory) found.push(...(await this.tree(record.path)));
    }
    return found;
  }

  /** Everything that a rejected call must not change. */
  async state() {
    const [tree, bin, usedBytes] = await Promise.all([this.tree(), this.bin(), this.usedBytes()]);
    return { tree, bin: bin.items, usedBytes };
  }

  async download(entry: { id: number }): Promise<Buffer> {
    const response = await this.fetch('GET', `/api/files/download/${entry.id}`);
    assert.equal(response.status, 200);
    return Buffer.from(await response.arrayBuffer());
  }

  async usedBytes(): Promise<number> {
    const user = await this.ask<{ storageUsedBytes: number }>('GET', '/api/user/profile');
    return user.storageUsedBytes;
  }
}

/** The registration body of a user with that name. */
export function applicationOf(username: string, inviteCode: string) {
  const digits = Array.from(username, (letter) => letter.charCodeAt(0)).join('');
  return {
    username,
    email: `${username}@example.org`,
    phoneNumber: digits.slice(-18),
    password: PASSWORD,
    confirmPassword: PASSWORD,
    inviteCode,
  };
}

function clientHeader(client: string | undefined): Record<string, string> {
  return client === undefined ? {} : { 'x-service-client': client };
}

/** The form of a legacy upload. The path field precedes the file. */
export function formOf(path: string, content: string | Uint8Array<ArrayBuffer>, contentType = ''): FormData {
  const cut = path.lastIndexOf('/');
  const form = new FormData();
  form.set('path', path.slice(0, cut) || '/');
  form.set('file', new Blob([content], { type: contentType }), path.slice(cut + 1));
  return form;
}

function isPlain(body: unknown): boolean {
  if (body instanceof FormData || body instanceof URLSearchParams || body instanceof Blob) return false;
  return !(typeof body === 'string' || body instanceof Uint8Array || body instanceof ReadableStream);
}
