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

  /** The user's links, newest first. */
  list(options: ListOptions = {}): PageList<ListedFolderLink> {
    return new PageList(
      (query, call) => this.#requester.ask('GET /api/v2/folder-links/mine', { query }, call),
      options,
    );
  }

  /**
   * Changes the given members of one of the user's links. `password: null` removes the password.
   * @throws HoldallError
   */
  change(id: number, body: FolderLinkChange, options: CallOptions = {}): Promise<FolderLinkRecord> {
    return this.#requester.ask('PATCH /api/v2/folder-links/{id}', { path: { id }, body }, options);
  }

  /** Deletes one of the user's links. The directory stays. @throws HoldallError */
  async delete(id: number, options: CallOptions = {}): Promise<void> {
    await this.#requester.ask('DELETE /api/v2/folder-links/{id}', { path: { id } }, options);
  }

  /** Opens anyone's link as a visitor. Nothing is requested yet. */
  visit(token: string): VisitedFolderLink {
    return new VisitedFolderLink(this.#requester, token);
  }
}
