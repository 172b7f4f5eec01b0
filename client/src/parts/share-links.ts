import type { EntryRecord, OwnShareLink, PublicShareLink, ShareLink } from '../generated/records.ts';
import { type ListOptions, PageList } from '../pages/page-list.ts';
import type { CallOptions } from '../requests/call-options.ts';
import type { Requester } from '../requests/requester.ts';

/**
 * The older kind of share link: a file or a directory, without a password or an end. New programs use
 * `shares`.
 */
export class ShareLinks {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** Creates the link of an entry; a second call gives the same one. @throws HoldallError */
  create(fileId: number, options: CallOptions = {}): Promise<ShareLink> {
    return this.#requester.ask('POST /api/files/{fileId}/share-links', { path: { fileId } }, options);
  }

  /** The own links. */
  list(options: ListOptions = {}): PageList<OwnShareLink> {
    return new PageList(
      (query, call) => this.#requester.ask('GET /api/v2/share-links/mine', { query }, call),
      options,
    );
  }

  /** What anybody sees of a link. @throws HoldallError */
  get(token: string, options: CallOptions = {}): Promise<PublicShareLink> {
    return this.#requester.ask('GET /api/files/share-links/{token}', { path: { token } }, options);
  }

  /** Copies what is shared into the own drive. @throws HoldallError */
  import(token: string, path?: string, options: CallOptions = {}): Promise<EntryRecord> {
    return this.#requester.ask(
      'POST /api/files/share-links/{token}/import',
      { path: { token }, body: { path } },
      options,
    );
  }

  /** Deletes an own link. @throws HoldallError */
  async delete(id: number, options: CallOptions = {}): Promise<void> {
    await this.#requester.ask('DELETE /api/v2/share-links/{id}', { path: { id } }, options);
  }
}
