import type {
  AdminInvite,
  AdminUser,
  InviteBody,
  NewAdminUser,
  NewUserBody,
  TemporaryPassword,
} from '../generated/records.ts';
import { type ListOptions, PageList } from '../pages/page-list.ts';
import type { CallOptions } from '../requests/call-options.ts';
import type { Requester } from '../requests/requester.ts';

/** Accounts, for administrators. */
export class AdminUsers {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** Accounts. `search` is a part of a name, an email address or a phone number. */
  list(
    search?: string,
    { role, ...options }: ListOptions & { readonly role?: AdminUser['role'] } = {},
  ): PageList<AdminUser> {
    return new PageList(
      (query, call) =>
        this.#requester.ask('GET /api/admin/users', { query: { ...query, query: search, role } }, call),
      options,
    );
  }

  /** Creates an account. Without a password, one is generated and returned only here. @throws HoldallError */
  create(body: NewUserBody, options: CallOptions = {}): Promise<NewAdminUser> {
    return this.#requester.ask('POST /api/admin/users', { body }, options);
  }

  /** Deletes an account with everything in it. @throws HoldallError */
  async delete(userId: number, username: string, options: CallOptions = {}): Promise<void> {
    await this.#requester.ask(
      'DELETE /api/admin/users/{userId}',
      { path: { userId }, body: { username } },
      options,
    );
  }

  /** Changes the role. @throws HoldallError */
  setRole(
    userId: number,
    role: 'USER' | 'MODERATOR' | 'ADMIN',
    options: CallOptions = {},
  ): Promise<AdminUser> {
    return this.#requester.ask(
      'PATCH /api/admin/users/{userId}/role',
      { path: { userId }, body: { role } },
      options,
    );
  }

  /** Bans an account, or lifts the ban. @throws HoldallError */
  setBanned(userId: number, banned: boolean, options: CallOptions = {}): Promise<AdminUser> {
    return this.#requester.ask(
      'PATCH /api/admin/users/{userId}/status',
      { path: { userId }, body: { banned } },
      options,
    );
  }

  /** Sets a password, which ends all sessions. @throws HoldallError */
  setPassword(userId: number, newPassword: string, options: CallOptions = {}): Promise<AdminUser> {
    return this.#requester.ask(
      'PUT /api/admin/users/{userId}/password',
      { path: { userId }, body: { newPassword } },
      options,
    );
  }

  /** Generates a new password, which ends all sessions. @throws HoldallError */
  resetPassword(userId: number, options: CallOptions = {}): Promise<TemporaryPassword> {
    return this.#requester.ask(
      'POST /api/admin/users/{userId}/password/reset',
      { path: { userId } },
      options,
    );
  }

  /** Removes the authenticator app, recovery codes and passkeys. @throws HoldallError */
  async resetSecondFactors(userId: number, options: CallOptions = {}): Promise<void> {
    await this.#requester.ask(
      'DELETE /api/admin/users/{userId}/second-factors',
      { path: { userId } },
      options,
    );
  }

  /** Unlinks a single sign-on account of another user. @throws HoldallError */
  async deleteIdentity(userId: number, identityId: number, options: CallOptions = {}): Promise<void> {
    const path = { userId, identityId };
    await this.#requester.ask('DELETE /api/admin/users/{userId}/identities/{identityId}', { path }, options);
  }

  /** Changes the quota, in bytes. @throws HoldallError */
  setQuota(userId: number, storageQuotaBytes: number, options: CallOptions = {}): Promise<AdminUser> {
    return this.#requester.ask(
      'PATCH /api/admin/users/{userId}/storage-quota',
      { path: { userId }, body: { storageQuotaBytes } },
      options,
    );
  }

  /** Changes the maximum size of an upload, in bytes. @throws HoldallError */
  setMaxUpload(userId: number, maxUploadSizeBytes: number, options: CallOptions = {}): Promise<AdminUser> {
    return this.#requester.ask(
      'PATCH /api/admin/users/{userId}/max-upload-size',
      { path: { userId }, body: { maxUploadSizeBytes } },
      options,
    );
  }

  /** Changes the maximum number of entries. @throws HoldallError */
  setMaxEntries(userId: number, maxEntries: number, options: CallOptions = {}): Promise<AdminUser> {
    return this.#requester.ask(
      'PATCH /api/admin/users/{userId}/max-entries',
      { path: { userId }, body: { maxEntries } },
      options,
    );
  }

  /** Invite codes, newest first. */
  invites(options: ListOptions = {}): PageList<AdminInvite> {
    return new PageList(
      (query, call) => this.#requester.ask('GET /api/admin/invites', { query }, call),
      options,
    );
  }

  /** Creates an invite code for 1 to 1,000 registrations. @throws HoldallError */
  createInvite(body: InviteBody, options: CallOptions = {}): Promise<AdminInvite> {
    return this.#requester.ask('POST /api/admin/invites', { body }, options);
  }

  /** Deletes an invite code. @throws HoldallError */
  async deleteInvite(id: number, options: CallOptions = {}): Promise<void> {
    await this.#requester.ask('DELETE /api/admin/invites/{id}', { path: { id } }, options);
  }
}
