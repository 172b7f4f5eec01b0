import type { AdminDrive, AdminDriveMember } from '../generated/records.ts';
import { type ListOptions, PageList } from '../pages/page-list.ts';
import type { CallOptions } from '../requests/call-options.ts';
import type { InputOf } from '../requests/operation-types.ts';
import type { Requester } from '../requests/requester.ts';

/** The drives of all accounts, for administrators. Their content cannot be read here. */
export class AdminDrives {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** Drives, newest first. */
  list(
    filter: Omit<NonNullable<InputOf<'GET /api/admin/drives'>['query']>, 'page' | 'size'> = {},
    options: ListOptions = {},
  ): PageList<AdminDrive> {
    return new PageList(
      (query, call) => this.#requester.ask('GET /api/admin/drives', { query: { ...filter, ...query } }, call),
      options,
    );
  }

  /** Changes the given limits of a shared drive. @throws HoldallError */
  setLimits(
    id: number,
    body: InputOf<'PATCH /api/admin/drives/{id}/limits'>['body'],
    options: CallOptions = {},
  ): Promise<AdminDrive> {
    return this.#requester.ask('PATCH /api/admin/drives/{id}/limits', { path: { id }, body }, options);
  }

  /** The members of a shared drive. @throws HoldallError */
  members(id: number, options: CallOptions = {}): Promise<readonly AdminDriveMember[]> {
    return this.#requester.ask('GET /api/admin/drives/{id}/members', { path: { id } }, options);
  }

  /** Makes an account a member of a shared drive, or changes its role there. @throws HoldallError */
  setMember(
    id: number,
    accountId: number,
    role: AdminDriveMember['role'],
    options: CallOptions = {},
  ): Promise<AdminDriveMember> {
    return this.#requester.ask(
      'PUT /api/admin/drives/{id}/members/{accountId}',
      { path: { id, accountId }, body: { role } },
      options,
    );
  }

  /** Deletes a shared drive. It can be restored for ten days. @throws HoldallError */
  async delete(id: number, name: string, options: CallOptions = {}): Promise<void> {
    await this.#requester.ask('DELETE /api/admin/drives/{id}', { path: { id }, body: { name } }, options);
  }

  /** Restores a deleted drive. @throws HoldallError */
  restore(id: number, options: CallOptions = {}): Promise<AdminDrive> {
    return this.#requester.ask('POST /api/admin/drives/{id}/restore', { path: { id } }, options);
  }
}
