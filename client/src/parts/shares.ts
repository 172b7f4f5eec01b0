import { type Download, type DownloadOptions, openDownload } from '../downloads/download.ts';
import { ProtocolError } from '../errors/errors.ts';
import { parseEnvelope } from '../errors/read-error.ts';
import type { ChangeShareBody, CreateShareBody, EntryRecord, ShareSummary } from '../generated/records.ts';
import { type ListOptions, PageList } from '../pages/page-list.ts';
import type { CallOptions } from '../requests/call-options.ts';
import type { Requester } from '../requests/requester.ts';
import type { ConflictRule } from './drive.ts';
import { VisitorCookies } from './visitor-cookies.ts';

/** Links to single files, for people with or without an account. */
export class Shares {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** Shares a file. @throws HoldallError: `RejectedError` or `InvalidError` for a directory */
  create(body: CreateShareBody, options: CallOptions = {}): Promise<ShareSummary> {
    return this.#requester.ask('POST /api/v2/shares', { body }, options);
  }

  /** The own shares, newest first. */
  list(options: ListOptions = {}): PageList<ShareSummary> {
    return new PageList(
      (query, call) => this.#requester.ask('GET /api/v2/shares/mine', { query }, call),
      options,
    );
  }

  /**
   * Changes the given members of an own share; `password: null` takes the password away.
   * @throws HoldallError
   */
  change(id: number, body: ChangeShareBody, options: CallOptions = {}): Promise<ShareSummary> {
    return this.#requester.ask('PATCH /api/v2/shares/{id}', { path: { id }, body }, options);
  }

  /** Deletes an own share. @throws HoldallError */
  async delete(id: number, options: CallOptions = {}): Promise<void> {
    await this.#requester.ask('DELETE /api/v2/shares/{id}', { path: { id } }, options);
  }

  /** Opens a share of anybody as its visitor. Nothing is requested yet. */
  visit(token: string): VisitedShare {
    return new VisitedShare(this.#requester, token);
  }
}

/** A share as its visitor uses it. */
export class VisitedShare {
  readonly #requester: Requester;
  readonly #token: string;
  readonly #cookies = new VisitorCookies();
  #password: string | undefined;

  constructor(requester: Requester, token: string) {
    this.#requester = requester;
    this.#token = token;
  }

  /**
   * What is shared. Of a share with a password, `file` is missing: `unlock` gives it.
   * @throws HoldallError
   */
  summary(options: CallOptions = {}): Promise<ShareSummary> {
    return this.#requester.ask('GET /api/v2/shares/{token}', { path: this.#path }, options);
  }

  /**
   * Gives the password, which later calls then use.
   * @returns what is shared, with `file`
   * @throws HoldallError: `ForbiddenError` if it is wrong
   */
  async unlock(password: string, options: CallOptions = {}): Promise<ShareSummary> {
    const input = { path: this.#path, body: { password } };
    // Not by `ask`, because the headers of the response are needed as well.
    const response = await this.#requester.open(
      'POST /api/v2/shares/{token}/verify-password',
      input,
      options,
    );
    const envelope = parseEnvelope(await response.text());
    if (envelope?.code !== 0) throw new ProtocolError('The answer to the password is none of Holdall.');
    this.#cookies.keep(response);
    this.#password = password;
    return envelope.data as ShareSummary;
  }

  /**
   * Begins the download, which counts as one of `maxDownloads`; continuing it does not.
   * @throws HoldallError: `ForbiddenError` for a missing password, `ExpiredError`
   */
  open(options: DownloadOptions = {}): Promise<Download> {
    const input = { path: this.#path, query: { download: '' } };
    return openDownload(async (request) => {
      const headers = { ...request.headers, ...this.#cookies.headers(), ...this.#passwordHeader };
      const response = await this.#requester.open('GET /api/v2/shares/{token}', input, {
        ...request,
        headers,
      });
      this.#cookies.keep(response);
      return response;
    }, options);
  }

  /** A small WebP picture of the file. @throws HoldallError: `UnsupportedError` if there can be none */
  async thumbnail(size: 256 | 1024, options: CallOptions = {}): Promise<Blob> {
    const input = { path: this.#path, query: { size } };
    const headers = this.#cookies.headers();
    const response = await this.#requester.open('GET /api/v2/shares/{token}/thumbnail', input, {
      ...options,
      headers,
    });
    return response.blob();
  }

  /**
   * Copies the file into the own drive.
   * @throws HoldallError: `ForbiddenError`, `ExpiredError`, `ConflictError`
   */
  import(path = '/', onConflict?: ConflictRule, options: CallOptions = {}): Promise<EntryRecord> {
    const input = { path: this.#path, body: { path, onConflict, password: this.#password } };
    return this.#requester.ask('POST /api/v2/shares/{token}/import', input, options);
  }

  get #path() {
    return { token: this.#token };
  }

  /** Sends the password as bytes of UTF-8, because headers cannot contain other characters. */
  get #passwordHeader(): Readonly<Record<string, string>> {
    if (this.#password === undefined) return {};
    const bytes = new TextEncoder().encode(this.#password);
    return { 'x-share-password': Array.from(bytes, (byte) => String.fromCharCode(byte)).join('') };
  }
}
