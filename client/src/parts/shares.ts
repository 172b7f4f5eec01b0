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

  /** The user's shares, newest first. */
  list(options: ListOptions = {}): PageList<ShareSummary> {
    return new PageList(
      (query, call) => this.#requester.ask('GET /api/v2/shares/mine', { query }, call),
      options,
    );
  }

  /**
   * Changes the given members of one of the user's shares. `password: null` removes the password.
   * @throws HoldallError
   */
  change(id: number, body: ChangeShareBody, options: CallOptions = {}): Promise<ShareSummary> {
    return this.#requester.ask('PATCH /api/v2/shares/{id}', { path: { id }, body }, options);
  }

  /** Deletes one of the user's shares. @throws HoldallError */
  async delete(id: number, options: CallOptions = {}): Promise<void> {
    await this.#requester.ask('DELETE /api/v2/shares/{id}', { path: { id } }, options);
  }

  /** Opens anyone's share as a visitor. Nothing is requested yet. */
  visit(token: string): VisitedShare {
    return new VisitedShare(this.#requester, token);
  }
}

/** A share from the view of its visitor. */
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
   * Describes the share. If it has a password, `file` is missing: `unlock` returns it.
   * @throws HoldallError
   */
  summary(options: CallOptions = {}): Promise<ShareSummary> {
    return this.#requester.ask('GET /api/v2/shares/{token}', { path: this.#path }, options);
  }

  /**
   * Sends the password, and keeps it for later calls.
   * @returns the share, with `file`
   * @throws HoldallError: `ForbiddenError` if the password is wrong
   */
  async unlock(password: string, options: CallOptions = {}): Promise<ShareSummary> {
    const input = { path: this.#path, body: { password } };
    // Not with `ask`, because the headers of the response are also needed.
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
   * Begins the download, which counts as one of `maxDownloads`. Continuing it does not count again.
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

  /** A small WebP picture of the file. @throws HoldallError: `UnsupportedError` if it can have none */
  async thumbnail(size: 256 | 1024, options: CallOptions = {}): Promise<Blob> {
    const input = { path: this.#path, query: { size } };
    const headers = this.#cookies.headers();
    const response = await this.#requester.open('GET /api/v2/shares/{token}/thumbnail', input, {
      ...options,
      headers,
    });
    return response.blob();
  }

  /** The owner's profile picture, as a WebP. @throws HoldallError: `NotFoundError` without one */
  async ownerAvatar(options: CallOptions = {}): Promise<Blob> {
    const headers = this.#cookies.headers();
    const operation = 'GET /api/v2/shares/{token}/owner-avatar';
    const input = { path: this.#path };
    return (await this.#requester.open(operation, input, { ...options, headers })).blob();
  }

  /**
   * Copies the file into the user's drive.
   * @throws HoldallError: `ForbiddenError`, `ExpiredError`, `ConflictError`
   */
  import(path = '/', onConflict?: ConflictRule, options: CallOptions = {}): Promise<EntryRecord> {
    const input = { path: this.#path, body: { path, onConflict, password: this.#password } };
    return this.#requester.ask('POST /api/v2/shares/{token}/import', input, options);
  }

  get #path() {
    return { token: this.#token };
  }

  /**
   * The header with the password, encoded as UTF-8 bytes, because headers cannot contain other characters.
   */
  get #passwordHeader(): Readonly<Record<string, string>> {
    if (this.#password === undefined) return {};
    const bytes = new TextEncoder().encode(this.#password);
    return { 'x-share-password': Array.from(bytes, (byte) => String.fromCharCode(byte)).join('') };
  }
}
