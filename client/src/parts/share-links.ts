import type { EntryRecord, OwnShareLink, PublicShareLink, ShareLink } from '../generated/records.ts';
import { type ListOptions, PageList } from '../pages/page-list.ts';
import type { CallOptions } from '../requests/call-options.ts';
import type { Requester } from '../requests/requester.ts';

/**
 * The older kind of share link: for a file or a directory, without a password or an expiry. New programs
 * should use `shares`.
 */
export class ShareLinks {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** Creates the link of an entry. A second call returns the same link. @throws HoldallError */
  create(fileId: number, options: CallOptions = {}): Promise<ShareLink> {
    return this.#requester.ask('POST /api/files/{fileId}/share-links', { path: { fileId } }, options);
  }

  /** The user's links. */
  list(options: ListOptions = {}): PageList<OwnShareLink> {
    return new PageList(
      (query, call) => this.#requester.ask('GET /api/v2/share-links/mine', { query }, call),
      options,
    );
  }

  /** The public information about a link. @throws HoldallError */
  get(token: string, options: CallOptions = {}): Promise<PublicShareLink> {
    return this.#requester.ask('GET /api/files/share-links/{token}', { path: { token } }, options);
  }

  /** The owner's profile picture, as a WebP. @throws HoldallError: `NotFoundError` without one */
  async ownerAvatar(token: string, options: CallOptions = {}): Promise<Blob> {
    const operation = 'GET /api/files/share-links/{token}/owner-avatar';
    return (await this.#requester.open(operation, { path: { token } }, options)).blob();
  }

  /** Copies the shared entry into the user's drive. @throws HoldallError */
  import(token: string, path?: string, options: CallOptions = {}): Promise<EntryRecord> {
    return this.#requester.ask(
      'POST /api/files/share-links/{token}/import',
      { path: { token }, body: { path } },
      options,
    );
  }

  /** Deletes one of the user's links. @throws HoldallError */
  async delete(id: number, options: CallOptions = {}): Promise<void> {
    await this.#requester.ask('DELETE /api/v2/share-links/{id}', { path: { id } }, options);
  }
}
