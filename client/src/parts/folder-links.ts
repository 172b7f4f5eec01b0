import type {
  FolderLinkBody,
  FolderLinkChange,
  FolderLinkRecord,
  ListedFolderLink,
} from '../generated/records.ts';
import { type ListOptions, PageList } from '../pages/page-list.ts';
import type { CallOptions } from '../requests/call-options.ts';
import type { Requester } from '../requests/requester.ts';
import { VisitedFolderLink } from './visited-folder-link.ts';

/** Links that let people without an account see a directory, add to it, or both. */
export class FolderLinks {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** Links to a directory. @throws HoldallError */
  create(body: FolderLinkBody, options: CallOptions = {}): Promise<FolderLinkRecord> {
    return this.#requester.ask('POST /api/v2/folder-links', { body }, options);
  }

  /** The own links, newest first. */
  list(options: ListOptions = {}): PageList<ListedFolderLink> {
    return new PageList(
      (query, call) => this.#requester.ask('GET /api/v2/folder-links/mine', { query }, call),
      options,
    );
  }

  /**
   * Changes the given members of an own link; `password: null` takes the password away.
   * @throws HoldallError
   */
  change(id: number, body: FolderLinkChange, options: CallOptions = {}): Promise<FolderLinkRecord> {
    return this.#requester.ask('PATCH /api/v2/folder-links/{id}', { path: { id }, body }, options);
  }

  /** Deletes an own link; the directory stays. @throws HoldallError */
  async delete(id: number, options: CallOptions = {}): Promise<void> {
    await this.#requester.ask('DELETE /api/v2/folder-links/{id}', { path: { id } }, options);
  }

  /** Opens a link of anybody as its visitor. Nothing is requested yet. */
  visit(token: string): VisitedFolderLink {
    return new VisitedFolderLink(this.#requester, token);
  }
}
