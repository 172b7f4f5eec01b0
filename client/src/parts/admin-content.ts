import type { AdminBlob, AdminFile, AdminFolderLink, AdminShare, AdminTask } from '../generated/records.ts';
import { type ListOptions, PageList } from '../pages/page-list.ts';
import type { CallOptions } from '../requests/call-options.ts';
import type { InputOf } from '../requests/operation-types.ts';
import type { Requester } from '../requests/requester.ts';

/** Files, links and tasks of all accounts, for administrators. */
export class AdminContent {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** Files and directories. */
  files(
    filter: Omit<NonNullable<InputOf<'GET /api/admin/files'>['query']>, 'page' | 'size'> = {},
    options: ListOptions = {},
  ): PageList<AdminFile> {
    return new PageList(
      (query, call) => this.#requester.ask('GET /api/admin/files', { query: { ...filter, ...query } }, call),
      options,
    );
  }

  /** Deletes an entry. @throws HoldallError */
  async deleteFile(fileId: number, options: CallOptions = {}): Promise<void> {
    await this.#requester.ask('DELETE /api/admin/files/{fileId}', { path: { fileId } }, options);
  }

  /** Shares and share links. */
  shares(
    filter: Omit<NonNullable<InputOf<'GET /api/admin/shares'>['query']>, 'page' | 'size'> = {},
    options: ListOptions = {},
  ): PageList<AdminShare> {
    return new PageList(
      (query, call) => this.#requester.ask('GET /api/admin/shares', { query: { ...filter, ...query } }, call),
      options,
    );
  }

  /** Deletes a share. @throws HoldallError */
  async deleteShare(shareId: number, options: CallOptions = {}): Promise<void> {
    await this.#requester.ask('DELETE /api/admin/shares/{shareId}', { path: { shareId } }, options);
  }

  /** Folder links. */
  folderLinks(
    filter: Omit<NonNullable<InputOf<'GET /api/admin/folder-links'>['query']>, 'page' | 'size'> = {},
    options: ListOptions = {},
  ): PageList<AdminFolderLink> {
    return new PageList(
      (query, call) =>
        this.#requester.ask('GET /api/admin/folder-links', { query: { ...filter, ...query } }, call),
      options,
    );
  }

  /** Deletes a folder link. @throws HoldallError */
  async deleteFolderLink(linkId: number, options: CallOptions = {}): Promise<void> {
    await this.#requester.ask('DELETE /api/admin/folder-links/{linkId}', { path: { linkId } }, options);
  }

  /** Background tasks. */
  tasks(
    filter: Omit<NonNullable<InputOf<'GET /api/admin/tasks'>['query']>, 'page' | 'size'> = {},
    options: ListOptions = {},
  ): PageList<AdminTask> {
    return new PageList(
      (query, call) => this.#requester.ask('GET /api/admin/tasks', { query: { ...filter, ...query } }, call),
      options,
    );
  }

  /** One background task. @throws HoldallError */
  task(taskId: number, options: CallOptions = {}): Promise<AdminTask> {
    return this.#requester.ask('GET /api/admin/tasks/{taskId}', { path: { taskId } }, options);
  }

  /** Stored objects. */
  blobs(
    filter: Omit<NonNullable<InputOf<'GET /api/admin/file-blobs'>['query']>, 'page' | 'size'> = {},
    options: ListOptions = {},
  ): PageList<AdminBlob> {
    return new PageList(
      (query, call) =>
        this.#requester.ask('GET /api/admin/file-blobs', { query: { ...filter, ...query } }, call),
      options,
    );
  }
}
