import type {
  AccountDefaultsBody,
  AccountDefaultsRecord,
  AdminAudit,
  AdminPolicy,
  ContentSearchOverview,
  Filesystem,
  Instance,
  InstanceBody,
  InviteCode,
  MailOverview,
  Maintenance,
  MigrationBody,
  OfflineLimit,
  PolicyBody,
  SettingsSnapshot,
  Summary,
  TaskRecord,
} from '../generated/records.ts';
import { type ListOptions, PageList } from '../pages/page-list.ts';
import type { CallOptions } from '../requests/call-options.ts';
import type { InputOf } from '../requests/operation-types.ts';
import type { Requester } from '../requests/requester.ts';
import { AdminContent } from './admin-content.ts';
import { AdminDrives } from './admin-drives.ts';
import { AdminUsers } from './admin-users.ts';

/** Administration. It requires the login of an administrator; app passwords are not allowed. */
export class Admin {
  readonly users: AdminUsers;
  readonly content: AdminContent;
  readonly drives: AdminDrives;
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
    this.users = new AdminUsers(requester);
    this.content = new AdminContent(requester);
    this.drives = new AdminDrives(requester);
  }

  /** Statistics of the whole service. @throws HoldallError */
  summary(options: CallOptions = {}): Promise<Summary> {
    return this.#requester.ask('GET /api/admin/summary', {}, options);
  }

  /** The settings. @throws HoldallError */
  settings(options: CallOptions = {}): Promise<SettingsSnapshot> {
    return this.#requester.ask('GET /api/admin/settings', {}, options);
  }

  /** The capabilities of the storage. @throws HoldallError */
  filesystem(options: CallOptions = {}): Promise<Filesystem> {
    return this.#requester.ask('GET /api/admin/filesystem', {}, options);
  }

  /** The last backup, doctor and maintenance runs, and how they ended. @throws HoldallError */
  maintenance(options: CallOptions = {}): Promise<Maintenance> {
    return this.#requester.ask('GET /api/admin/maintenance', {}, options);
  }

  /** How many files the search in content knows, and how many wait. @throws HoldallError */
  contentSearch(options: CallOptions = {}): Promise<ContentSearchOverview> {
    return this.#requester.ask('GET /api/admin/content-search', {}, options);
  }

  /** Whether mail is sent, what waits, and what failed. @throws HoldallError */
  mail(options: CallOptions = {}): Promise<MailOverview> {
    return this.#requester.ask('GET /api/admin/mail', {}, options);
  }

  /** Clears the list of mails that failed. @throws HoldallError */
  async clearFailedMails(options: CallOptions = {}): Promise<void> {
    await this.#requester.ask('DELETE /api/admin/mail/failed', {}, options);
  }

  /** Changes the name and the greeting of the instance. @throws HoldallError */
  setInstance(change: InstanceBody, options: CallOptions = {}): Promise<Instance> {
    return this.#requester.ask('PATCH /api/admin/settings/instance', { body: change }, options);
  }

  /** Replaces the logo of the instance. @throws HoldallError: `UnsupportedError` if it is not a picture */
  setLogo(picture: Blob, options: CallOptions = {}): Promise<Instance> {
    const body = new FormData();
    body.set('file', picture, 'logo');
    return this.#requester.ask('POST /api/admin/settings/instance/logo', { body }, options);
  }

  /** Removes the logo of the instance. @throws HoldallError */
  deleteLogo(options: CallOptions = {}): Promise<Instance> {
    return this.#requester.ask('DELETE /api/admin/settings/instance/logo', {}, options);
  }

  /** Changes the invite code of the settings. @throws HoldallError */
  setInviteCode(inviteCode: string, options: CallOptions = {}): Promise<InviteCode> {
    return this.#requester.ask(
      'PATCH /api/admin/settings/registration/invite-code',
      { body: { inviteCode } },
      options,
    );
  }

  /** Generates a new invite code. @throws HoldallError */
  rotateInviteCode(options: CallOptions = {}): Promise<InviteCode> {
    return this.#requester.ask('POST /api/admin/settings/registration/invite-code/rotate', {}, options);
  }

  /** Changes the defaults for new accounts. @throws HoldallError */
  setAccountDefaults(change: AccountDefaultsBody, options: CallOptions = {}): Promise<AccountDefaultsRecord> {
    return this.#requester.ask(
      'PATCH /api/admin/settings/registration/account-defaults',
      { body: change },
      options,
    );
  }

  /** Changes the maximum size of all stored transfers together, in bytes. @throws HoldallError */
  setOfflineLimit(
    offlineTransferStorageLimitBytes: number,
    options: CallOptions = {},
  ): Promise<OfflineLimit> {
    return this.#requester.ask(
      'PATCH /api/admin/settings/offline-transfer-storage-limit',
      { body: { offlineTransferStorageLimitBytes } },
      options,
    );
  }

  /** The actions of administrators, newest first. */
  audits(
    filter: Omit<NonNullable<InputOf<'GET /api/admin/audits'>['query']>, 'page' | 'size'> = {},
    options: ListOptions = {},
  ): PageList<AdminAudit> {
    return new PageList(
      (query, call) => this.#requester.ask('GET /api/admin/audits', { query: { ...filter, ...query } }, call),
      options,
    );
  }

  /** The storage policies. @throws HoldallError */
  policies(options: CallOptions = {}): Promise<readonly AdminPolicy[]> {
    return this.#requester.ask('GET /api/admin/storage-policies', {}, options);
  }

  /** Creates a storage policy. @throws HoldallError */
  createPolicy(body: PolicyBody, options: CallOptions = {}): Promise<AdminPolicy> {
    return this.#requester.ask('POST /api/admin/storage-policies', { body }, options);
  }

  /** Replaces all attributes of a storage policy. @throws HoldallError */
  changePolicy(policyId: number, body: PolicyBody, options: CallOptions = {}): Promise<AdminPolicy> {
    return this.#requester.ask(
      'PUT /api/admin/storage-policies/{policyId}',
      { path: { policyId }, body },
      options,
    );
  }

  /** Enables or disables a storage policy. @throws HoldallError */
  setPolicyEnabled(policyId: number, enabled: boolean, options: CallOptions = {}): Promise<AdminPolicy> {
    return this.#requester.ask(
      'PATCH /api/admin/storage-policies/{policyId}/status',
      { path: { policyId }, body: { enabled } },
      options,
    );
  }

  /** Starts moving all objects of one policy to another. @throws HoldallError */
  migrate(body: MigrationBody, options: CallOptions = {}): Promise<TaskRecord> {
    return this.#requester.ask('POST /api/admin/storage-policies/migrations', { body }, options);
  }
}
