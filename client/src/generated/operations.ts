// Made by `npm run client` from the schemas of the server. Do not edit.
import type { Page } from '../shapes/page.ts';
import type { RawBody } from '../shapes/raw-body.ts';
import type {
  AccountDefaultsBody,
  AccountDefaultsRecord,
  AccountSecurity,
  ActivityRecord,
  AdminAudit,
  AdminBlob,
  AdminDrive,
  AdminDriveMember,
  AdminFile,
  AdminFolderLink,
  AdminInvite,
  AdminPolicy,
  AdminShare,
  AdminTask,
  AdminUser,
  AppPasswordBody,
  AppPasswordRecord,
  ArchiveBody,
  ArchiveContents,
  AuthMethods,
  AvatarCompleteBody,
  AvatarInitiateBody,
  BinRecord,
  ChangedProfile,
  ChangeShareBody,
  Changes,
  CompleteBody,
  ContentSearchOverview,
  CreateSessionBody,
  CreateShareBody,
  CreationOptions,
  DeleteUserBody,
  DownloadsBody,
  DriveRecord,
  DriveTargetBody,
  EntryDetails,
  EntryRecord,
  ExtractBody,
  Filesystem,
  FileVersion,
  FirstSteps,
  FolderLinkBody,
  FolderLinkChange,
  FolderLinkRecord,
  FoundRecord,
  IceServers,
  ImportBody,
  Instance,
  InstanceBody,
  Invitation,
  InviteBody,
  InviteCode,
  JoinedTransfer,
  LinkedEntry,
  LinkStart,
  ListedFolderLink,
  LoginBody,
  LoginSessionRecord,
  LoginState,
  MailOverview,
  Maintenance,
  MaxEntriesBody,
  MigrationBody,
  MobileRelease,
  NewAdminUser,
  NewAppPassword,
  NewPasskeyBody,
  NewPasswordBody,
  NewUserBody,
  NotificationPage,
  NotificationSettings,
  NotificationSettingsBody,
  OfferBody,
  OfflineLimit,
  OwnShareLink,
  OwnTransferRecord,
  PartBody,
  PasskeyLoginBody,
  PasskeyRecord,
  PolicyBody,
  PolicyStatusBody,
  ProfileBody,
  PublicFolderLink,
  PublicShareLink,
  PushState,
  PushSubscriptionBody,
  QuotaBody,
  ReadNotificationsBody,
  ReceivedFile,
  RecentRecord,
  RecoveryCodes,
  RefreshBody,
  RegisterBody,
  RenameBody,
  RequestOptions,
  RoleBody,
  SecondFactorBody,
  SecurityChange,
  SessionRecord,
  SessionWithRuntime,
  SettingsSnapshot,
  ShareLink,
  ShareSummary,
  SignalBody,
  SignalPage,
  SignalRecord,
  SignedUrl,
  StatusBody,
  Summary,
  TargetBody,
  TaskRecord,
  TemporaryPassword,
  TicketBody,
  TotpCodeBody,
  TotpEnrolment,
  TransferForPeer,
  TransferRecord,
  UnreadCount,
  UploadLimitBody,
  UploadTarget,
  User,
  ZipDownloadBody,
} from './records.ts';

/** The input of an operation that takes nothing. */
export type NoInput = Readonly<Record<never, never>>;

/** Every operation of the service: what it takes, and the `data` of its answer if it is an envelope. */
export interface Operations {
  'GET /': {
    readonly input: NoInput;
    readonly data: {
      readonly name: 'Holdall';
      readonly version: string;
      readonly status: 'ok';
    };
  };
  'GET /api/admin/audits': {
    readonly input: {
      readonly query?:
        | {
            readonly page?: number | undefined;
            /** Larger values are reduced to 1000. */
            readonly size?: number | undefined;
            /** Matches a part of the text, without regard to case. */
            readonly actorQuery?: string | undefined;
            readonly actionType?:
              | 'UPDATE_INVITE_CODE'
              | 'ROTATE_INVITE_CODE'
              | 'CREATE_INVITE'
              | 'DELETE_INVITE'
              | 'UPDATE_OFFLINE_LIMIT'
              | 'UPDATE_ACCOUNT_DEFAULTS'
              | 'UPDATE_INSTANCE'
              | 'CREATE_USER'
              | 'UPDATE_USER_ROLE'
              | 'UPDATE_USER_STATUS'
              | 'UPDATE_USER_PASSWORD'
              | 'RESET_USER_PASSWORD'
              | 'RESET_SECOND_FACTORS'
              | 'DELETE_IDENTITY'
              | 'UPDATE_USER_QUOTA'
              | 'UPDATE_USER_UPLOAD_LIMIT'
              | 'UPDATE_USER_MAX_ENTRIES'
              | 'DELETE_USER'
              | 'DELETE_SHARE'
              | 'DELETE_FOLDER_LINK'
              | 'DELETE_FILE'
              | 'CREATE_POLICY'
              | 'UPDATE_POLICY'
              | 'UPDATE_POLICY_STATUS'
              | 'CREATE_MIGRATION'
              | 'CREATE_DRIVE'
              | 'UPDATE_DRIVE_LIMITS'
              | 'SET_DRIVE_MEMBER'
              | 'DELETE_DRIVE'
              | 'RESTORE_DRIVE'
              | 'CLEAR_FAILED_MAILS'
              | 'PUBLISH_RELEASE'
              | 'REMOVE_RELEASE'
              | 'REPAIR'
              | 'SET_UP_TOTP'
              | 'REMOVE_TOTP'
              | 'RENEW_RECOVERY_CODES'
              | 'ADD_PASSKEY'
              | 'REMOVE_PASSKEY'
              | 'LINK_IDENTITY'
              | 'UNLINK_IDENTITY'
              | 'CHANGE_PASSWORD'
              | 'RESET_PASSWORD'
              | 'CREATE_APP_PASSWORD'
              | 'DELETE_APP_PASSWORD'
              | undefined;
            readonly targetType?: string | undefined;
            readonly targetId?: string | undefined;
          }
        | undefined;
    };
    readonly data: Page<AdminAudit>;
  };
  'GET /api/admin/content-search': { readonly input: NoInput; readonly data: ContentSearchOverview };
  'GET /api/admin/drives': {
    readonly input: {
      readonly query?:
        | {
            readonly page?: number | undefined;
            /** Larger values are reduced to 1000. */
            readonly size?: number | undefined;
            /** Matches a part of the text, without regard to case. */
            readonly query?: string | undefined;
            readonly kind?: 'PERSONAL' | 'SHARED' | undefined;
            readonly deleted?: boolean | undefined;
          }
        | undefined;
    };
    readonly data: Page<AdminDrive>;
  };
  'DELETE /api/admin/drives/{id}': {
    readonly input: {
      readonly path: {
        readonly id: number;
      };
      readonly body: {
        readonly name: string;
      };
    };
    readonly data: null;
  };
  'PATCH /api/admin/drives/{id}/limits': {
    readonly input: {
      readonly path: {
        readonly id: number;
      };
      readonly body: {
        readonly quotaBytes?: number | undefined;
        readonly maxEntries?: number | undefined;
        readonly maxUploadBytes?: number | undefined;
      };
    };
    readonly data: AdminDrive;
  };
  'GET /api/admin/drives/{id}/members': {
    readonly input: {
      readonly path: {
        readonly id: number;
      };
    };
    readonly data: readonly AdminDriveMember[];
  };
  'PUT /api/admin/drives/{id}/members/{accountId}': {
    readonly input: {
      readonly path: {
        readonly id: number;
        readonly accountId: number;
      };
      readonly body: {
        readonly role: 'VIEWER' | 'EDITOR' | 'MANAGER';
      };
    };
    readonly data: AdminDriveMember;
  };
  'POST /api/admin/drives/{id}/restore': {
    readonly input: {
      readonly path: {
        readonly id: number;
      };
    };
    readonly data: AdminDrive;
  };
  'GET /api/admin/file-blobs': {
    readonly input: {
      readonly query?:
        | {
            readonly page?: number | undefined;
            /** Larger values are reduced to 1000. */
            readonly size?: number | undefined;
            /** Matches a part of the text, without regard to case. */
            readonly userQuery?: string | undefined;
            readonly storagePolicyId?: number | undefined;
            /** Matches a part of the text, without regard to case. */
            readonly objectKey?: string | undefined;
            readonly entityType?: 'FILE' | 'AVATAR' | 'TRANSFER' | undefined;
          }
        | undefined;
    };
    readonly data: Page<AdminBlob>;
  };
  'GET /api/admin/files': {
    readonly input: {
      readonly query?:
        | {
            readonly page?: number | undefined;
            /** Larger values are reduced to 1000. */
            readonly size?: number | undefined;
            /** Matches a part of the text, without regard to case. */
            readonly query?: string | undefined;
            /** Matches a part of the text, without regard to case. */
            readonly ownerQuery?: string | undefined;
          }
        | undefined;
    };
    readonly data: Page<AdminFile>;
  };
  'DELETE /api/admin/files/{fileId}': {
    readonly input: {
      readonly path: {
        readonly fileId: number;
      };
    };
    readonly data: null;
  };
  'GET /api/admin/filesystem': { readonly input: NoInput; readonly data: Filesystem };
  'GET /api/admin/folder-links': {
    readonly input: {
      readonly query?:
        | {
            readonly page?: number | undefined;
            /** Larger values are reduced to 1000. */
            readonly size?: number | undefined;
            /** Matches a part of the text, without regard to case. */
            readonly userQuery?: string | undefined;
            /** Matches a part of the text, without regard to case. */
            readonly fileName?: string | undefined;
            /** Matches a part of the text, without regard to case. */
            readonly token?: string | undefined;
            readonly passwordProtected?: boolean | undefined;
            readonly expired?: boolean | undefined;
          }
        | undefined;
    };
    readonly data: Page<AdminFolderLink>;
  };
  'DELETE /api/admin/folder-links/{linkId}': {
    readonly input: {
      readonly path: {
        readonly linkId: number;
      };
    };
    readonly data: null;
  };
  'GET /api/admin/invites': {
    readonly input: {
      readonly query?:
        | {
            readonly page?: number | undefined;
            /** Larger values are reduced to 1000. */
            readonly size?: number | undefined;
          }
        | undefined;
    };
    readonly data: Page<AdminInvite>;
  };
  'POST /api/admin/invites': { readonly input: { readonly body: InviteBody }; readonly data: AdminInvite };
  'DELETE /api/admin/invites/{id}': {
    readonly input: {
      readonly path: {
        readonly id: number;
      };
    };
    readonly data: null;
  };
  'GET /api/admin/mail': { readonly input: NoInput; readonly data: MailOverview };
  'DELETE /api/admin/mail/failed': { readonly input: NoInput; readonly data: null };
  'GET /api/admin/maintenance': { readonly input: NoInput; readonly data: Maintenance };
  'GET /api/admin/settings': { readonly input: NoInput; readonly data: SettingsSnapshot };
  'PATCH /api/admin/settings/instance': {
    readonly input: { readonly body: InstanceBody };
    readonly data: Instance;
  };
  'DELETE /api/admin/settings/instance/logo': { readonly input: NoInput; readonly data: Instance };
  'POST /api/admin/settings/instance/logo': {
    readonly input: { readonly body: FormData };
    readonly data: Instance;
  };
  'PATCH /api/admin/settings/offline-transfer-storage-limit': {
    readonly input: { readonly body: OfflineLimit };
    readonly data: OfflineLimit;
  };
  'PATCH /api/admin/settings/registration/account-defaults': {
    readonly input: { readonly body: AccountDefaultsBody };
    readonly data: AccountDefaultsRecord;
  };
  'PATCH /api/admin/settings/registration/invite-code': {
    readonly input: { readonly body: InviteCode };
    readonly data: InviteCode;
  };
  'POST /api/admin/settings/registration/invite-code/rotate': {
    readonly input: NoInput;
    readonly data: InviteCode;
  };
  'GET /api/admin/shares': {
    readonly input: {
      readonly query?:
        | {
            readonly page?: number | undefined;
            /** Larger values are reduced to 1000. */
            readonly size?: number | undefined;
            /** Matches a part of the text, without regard to case. */
            readonly userQuery?: string | undefined;
            /** Matches a part of the text, without regard to case. */
            readonly fileName?: string | undefined;
            /** Matches a part of the text, without regard to case. */
            readonly token?: string | undefined;
            readonly passwordProtected?: boolean | undefined;
            readonly expired?: boolean | undefined;
          }
        | undefined;
    };
    readonly data: Page<AdminShare>;
  };
  'DELETE /api/admin/shares/{shareId}': {
    readonly input: {
      readonly path: {
        readonly shareId: number;
      };
    };
    readonly data: null;
  };
  'GET /api/admin/storage-policies': { readonly input: NoInput; readonly data: readonly AdminPolicy[] };
  'POST /api/admin/storage-policies': {
    readonly input: { readonly body: PolicyBody };
    readonly data: AdminPolicy;
  };
  'POST /api/admin/storage-policies/migrations': {
    readonly input: { readonly body: MigrationBody };
    readonly data: TaskRecord;
  };
  'PUT /api/admin/storage-policies/{policyId}': {
    readonly input: {
      readonly path: {
        readonly policyId: number;
      };
      readonly body: PolicyBody;
    };
    readonly data: AdminPolicy;
  };
  'PATCH /api/admin/storage-policies/{policyId}/status': {
    readonly input: {
      readonly path: {
        readonly policyId: number;
      };
      readonly body: PolicyStatusBody;
    };
    readonly data: AdminPolicy;
  };
  'GET /api/admin/summary': { readonly input: NoInput; readonly data: Summary };
  'GET /api/admin/tasks': {
    readonly input: {
      readonly query?:
        | {
            readonly page?: number | undefined;
            /** Larger values are reduced to 1000. */
            readonly size?: number | undefined;
            /** Matches a part of the text, without regard to case. */
            readonly userQuery?: string | undefined;
            readonly type?: 'ARCHIVE' | 'EXTRACT' | 'MEDIA_META' | 'STORAGE_POLICY_MIGRATION' | undefined;
            readonly status?: 'QUEUED' | 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | undefined;
            readonly failureCategory?:
              | 'TRANSIENT_INFRASTRUCTURE'
              | 'RATE_LIMITED'
              | 'UNKNOWN'
              | 'UNSUPPORTED_INPUT'
              | 'DATA_STATE'
              | undefined;
            readonly leaseState?: 'NONE' | 'ACTIVE' | 'EXPIRED' | undefined;
          }
        | undefined;
    };
    readonly data: Page<AdminTask>;
  };
  'GET /api/admin/tasks/{taskId}': {
    readonly input: {
      readonly path: {
        readonly taskId: number;
      };
    };
    readonly data: AdminTask;
  };
  'GET /api/admin/users': {
    readonly input: {
      readonly query?:
        | {
            readonly page?: number | undefined;
            /** Larger values are reduced to 1000. */
            readonly size?: number | undefined;
            /** Matches a part of the text, without regard to case. */
            readonly query?: string | undefined;
            readonly role?: 'USER' | 'MODERATOR' | 'ADMIN' | undefined;
          }
        | undefined;
    };
    readonly data: Page<AdminUser>;
  };
  'POST /api/admin/users': { readonly input: { readonly body: NewUserBody }; readonly data: NewAdminUser };
  'DELETE /api/admin/users/{userId}': {
    readonly input: {
      readonly path: {
        readonly userId: number;
      };
      readonly body: DeleteUserBody;
    };
    readonly data: null;
  };
  'DELETE /api/admin/users/{userId}/identities/{identityId}': {
    readonly input: {
      readonly path: {
        readonly userId: number;
        readonly identityId: number;
      };
    };
    readonly data: null;
  };
  'PATCH /api/admin/users/{userId}/max-entries': {
    readonly input: {
      readonly path: {
        readonly userId: number;
      };
      readonly body: MaxEntriesBody;
    };
    readonly data: AdminUser;
  };
  'PATCH /api/admin/users/{userId}/max-upload-size': {
    readonly input: {
      readonly path: {
        readonly userId: number;
      };
      readonly body: UploadLimitBody;
    };
    readonly data: AdminUser;
  };
  'PUT /api/admin/users/{userId}/password': {
    readonly input: {
      readonly path: {
        readonly userId: number;
      };
      readonly body: NewPasswordBody;
    };
    readonly data: AdminUser;
  };
  'POST /api/admin/users/{userId}/password/reset': {
    readonly input: {
      readonly path: {
        readonly userId: number;
      };
    };
    readonly data: TemporaryPassword;
  };
  'PATCH /api/admin/users/{userId}/role': {
    readonly input: {
      readonly path: {
        readonly userId: number;
      };
      readonly body: RoleBody;
    };
    readonly data: AdminUser;
  };
  'DELETE /api/admin/users/{userId}/second-factors': {
    readonly input: {
      readonly path: {
        readonly userId: number;
      };
    };
    readonly data: null;
  };
  'PATCH /api/admin/users/{userId}/status': {
    readonly input: {
      readonly path: {
        readonly userId: number;
      };
      readonly body: StatusBody;
    };
    readonly data: AdminUser;
  };
  'PATCH /api/admin/users/{userId}/storage-quota': {
    readonly input: {
      readonly path: {
        readonly userId: number;
      };
      readonly body: QuotaBody;
    };
    readonly data: AdminUser;
  };
  'GET /api/app/android/download': { readonly input: NoInput; readonly data: undefined };
  'GET /api/app/android/download/{fileName}': {
    readonly input: {
      readonly path: {
        readonly fileName: string;
      };
    };
    readonly data: undefined;
  };
  'GET /api/app/android/latest': { readonly input: NoInput; readonly data: MobileRelease };
  'POST /api/auth/dev-login': {
    readonly input: {
      readonly query?:
        | {
            readonly username?: string | undefined;
            readonly role?: 'USER' | 'MODERATOR' | 'ADMIN' | undefined;
          }
        | undefined;
      readonly body?:
        | {
            readonly username?: string | undefined;
            readonly role?: 'USER' | 'MODERATOR' | 'ADMIN' | undefined;
          }
        | null
        | undefined;
    };
    readonly data: LoginState;
  };
  'POST /api/auth/email-verification': {
    readonly input: {
      readonly body?:
        | {
            readonly password?: string | undefined;
          }
        | null
        | undefined;
    };
    readonly data: null;
  };
  'POST /api/auth/email-verification/confirm': {
    readonly input: {
      readonly body: {
        readonly token: string;
      };
    };
    readonly data: null;
  };
  'POST /api/auth/invitation': { readonly input: { readonly body: InviteCode }; readonly data: Invitation };
  'POST /api/auth/login': { readonly input: { readonly body: LoginBody }; readonly data: LoginState };
  'POST /api/auth/logout': { readonly input: NoInput; readonly data: null };
  'GET /api/auth/methods': { readonly input: NoInput; readonly data: AuthMethods };
  'GET /api/auth/oidc/callback': {
    readonly input: {
      readonly query?:
        | {
            readonly code?: string | undefined;
            readonly state?: string | undefined;
            readonly iss?: string | undefined;
            readonly error?: string | undefined;
            readonly error_description?: string | undefined;
          }
        | undefined;
    };
    readonly data: undefined;
  };
  'GET /api/auth/oidc/start': {
    readonly input: {
      readonly query?:
        | {
            /** A path of the service to go to after the login. */
            readonly next?: string | undefined;
          }
        | undefined;
    };
    readonly data: undefined;
  };
  'POST /api/auth/oidc/ticket': { readonly input: { readonly body: TicketBody }; readonly data: LoginState };
  'POST /api/auth/passkey': {
    readonly input: { readonly body: PasskeyLoginBody };
    readonly data: LoginState;
  };
  'POST /api/auth/passkey/options': { readonly input: NoInput; readonly data: RequestOptions };
  'POST /api/auth/password-reset': {
    readonly input: {
      readonly body: {
        readonly email: string;
      };
    };
    readonly data: null;
  };
  'POST /api/auth/password-reset/confirm': {
    readonly input: {
      readonly body: {
        readonly token: string;
        readonly newPassword: string;
      };
    };
    readonly data: null;
  };
  'POST /api/auth/refresh': { readonly input: { readonly body: RefreshBody }; readonly data: LoginState };
  'POST /api/auth/register': { readonly input: { readonly body: RegisterBody }; readonly data: LoginState };
  'POST /api/auth/second-factor': {
    readonly input: { readonly body: SecondFactorBody };
    readonly data: LoginState;
  };
  'GET /api/files/download/{fileId}': {
    readonly input: {
      readonly path: {
        readonly fileId: number;
      };
    };
    readonly data: undefined;
  };
  'GET /api/files/download/{fileId}/url': {
    readonly input: {
      readonly path: {
        readonly fileId: number;
      };
    };
    readonly data: SignedUrl;
  };
  'GET /api/files/list': {
    readonly input: {
      readonly query?:
        | {
            /** Absolute, `/`-separated logical path. */
            readonly path?: string | undefined;
            readonly page?: number | undefined;
            /** Larger values are reduced to 1000. */
            readonly size?: number | undefined;
            readonly sort?: 'name' | 'size' | 'updatedAt' | 'createdAt' | 'modifiedAt' | undefined;
            readonly order?: 'asc' | 'desc' | undefined;
          }
        | undefined;
    };
    readonly data: Page<EntryRecord>;
  };
  'POST /api/files/mkdir': {
    readonly input: {
      readonly query?:
        | {
            /** Absolute, `/`-separated logical path. */
            readonly path?: string | undefined;
          }
        | undefined;
      readonly body?:
        | {
            /** Absolute, `/`-separated logical path. */
            readonly path?: string | undefined;
          }
        | null
        | undefined;
    };
    readonly data: EntryRecord;
  };
  'GET /api/files/recent': {
    readonly input: {
      readonly query?:
        | {
            /** Larger values are reduced to 1000. */
            readonly size?: number | undefined;
          }
        | undefined;
    };
    readonly data: readonly RecentRecord[];
  };
  'DELETE /api/files/recycle-bin': { readonly input: NoInput; readonly data: null };
  'GET /api/files/recycle-bin': {
    readonly input: {
      readonly query?:
        | {
            readonly page?: number | undefined;
            /** Larger values are reduced to 1000. */
            readonly size?: number | undefined;
          }
        | undefined;
    };
    readonly data: Page<BinRecord>;
  };
  'DELETE /api/files/recycle-bin/{fileId}': {
    readonly input: {
      readonly path: {
        readonly fileId: number;
      };
    };
    readonly data: null;
  };
  'POST /api/files/recycle-bin/{fileId}/restore': {
    readonly input: {
      readonly path: {
        readonly fileId: number;
      };
      readonly body?:
        | {
            /** If the name is taken: FAIL (the default), RENAME to the first free `name (2).ext`, or REPLACE: the existing entry moves to the recycle bin. */
            readonly onConflict?: 'FAIL' | 'RENAME' | 'REPLACE' | null | undefined;
          }
        | null
        | undefined;
    };
    readonly data: EntryRecord;
  };
  'GET /api/files/share-links/{token}': {
    readonly input: {
      readonly path: {
        readonly token: string;
      };
    };
    readonly data: PublicShareLink;
  };
  'POST /api/files/share-links/{token}/import': {
    readonly input: {
      readonly path: {
        readonly token: string;
      };
      readonly body?:
        | {
            /** Absolute, `/`-separated logical path. */
            readonly path?: string | null | undefined;
            /** If the name is taken: FAIL (the default), RENAME to the first free `name (2).ext`, or REPLACE: the existing entry moves to the recycle bin. */
            readonly onConflict?: 'FAIL' | 'RENAME' | 'REPLACE' | null | undefined;
          }
        | null
        | undefined;
    };
    readonly data: EntryRecord;
  };
  'GET /api/files/share-links/{token}/owner-avatar': {
    readonly input: {
      readonly path: {
        readonly token: string;
      };
      readonly query?:
        | {
            readonly v?: string | undefined;
          }
        | undefined;
    };
    readonly data: undefined;
  };
  'POST /api/files/upload': {
    readonly input: {
      readonly query?:
        | {
            /** Absolute, `/`-separated logical path. */
            readonly path?: string | undefined;
            /** ISO-8601 date and time; without a zone it is UTC. */
            readonly modifiedAt?: string | undefined;
            /** If the name is taken: FAIL (the default), or NEW_VERSION: the file gets the new content and keeps its id; the old content becomes a version. */
            readonly onConflict?: 'FAIL' | 'NEW_VERSION' | null | undefined;
          }
        | undefined;
      readonly body: FormData;
    };
    readonly data: EntryRecord;
  };
  'POST /api/files/upload/complete': {
    readonly input: { readonly body: CompleteBody };
    readonly data: EntryRecord;
  };
  'PUT /api/files/upload/content': {
    readonly input: {
      readonly query: {
        readonly storageName: string;
      };
      readonly body: RawBody;
    };
    readonly data: null;
  };
  'POST /api/files/upload/initiate': {
    readonly input: {
      readonly body: {
        /** Absolute, `/`-separated logical path. */
        readonly path?: string | undefined;
        readonly filename: string;
        readonly contentType?: string | null | undefined;
        readonly size: number;
        /** ISO-8601 date and time; without a zone it is UTC. */
        readonly modifiedAt?: string | null | undefined;
      };
    };
    readonly data: UploadTarget;
  };
  'DELETE /api/files/{fileId}': {
    readonly input: {
      readonly path: {
        readonly fileId: number;
      };
      readonly query?:
        | {
            /** Of `GET /api/v2/files/changes`; if something has happened since, nothing is done (412). */
            readonly cursor?: number | undefined;
          }
        | undefined;
    };
    readonly data: null;
  };
  'POST /api/files/{fileId}/copy': {
    readonly input: {
      readonly path: {
        readonly fileId: number;
      };
      readonly body: TargetBody;
    };
    readonly data: EntryRecord;
  };
  'PATCH /api/files/{fileId}/move': {
    readonly input: {
      readonly path: {
        readonly fileId: number;
      };
      readonly body: TargetBody;
    };
    readonly data: EntryRecord;
  };
  'PATCH /api/files/{fileId}/rename': {
    readonly input: {
      readonly path: {
        readonly fileId: number;
      };
      readonly body: RenameBody;
    };
    readonly data: EntryRecord;
  };
  'POST /api/files/{fileId}/share-links': {
    readonly input: {
      readonly path: {
        readonly fileId: number;
      };
    };
    readonly data: ShareLink;
  };
  'GET /api/transfer/ice-servers': {
    readonly input: {
      readonly query?:
        | {
            readonly sessionId?: string | undefined;
          }
        | undefined;
    };
    readonly data: IceServers;
  };
  'POST /api/transfer/sessions': {
    readonly input: {
      readonly body: {
        readonly mode: 'ONLINE' | 'OFFLINE';
        readonly files: readonly {
          /** Or: filename. */
          readonly name?: string | null | undefined;
          readonly filename?: string | null | undefined;
          /** Absolute, `/`-separated logical path. */
          readonly relativePath?: string | null | undefined;
          readonly size: number;
          readonly contentType?: string | null | undefined;
          readonly encryptedName?: string | null | undefined;
        }[];
        /** The files and their names are encrypted by the sender. */
        readonly encrypted?: boolean | null | undefined;
        readonly salt?: string | null | undefined;
        /** Accept signals only with a peer token. */
        readonly requirePeerToken?: boolean | null | undefined;
      };
    };
    readonly data: TransferForPeer;
  };
  'GET /api/transfer/sessions/lookup': {
    readonly input: {
      readonly query: {
        readonly pickupCode: string;
      };
    };
    readonly data: TransferRecord;
  };
  'GET /api/transfer/sessions/offline/mine': {
    readonly input: NoInput;
    readonly data: readonly OwnTransferRecord[];
  };
  'DELETE /api/transfer/sessions/{sessionId}': {
    readonly input: {
      readonly path: {
        readonly sessionId: string;
      };
    };
    readonly data: null;
  };
  'POST /api/transfer/sessions/{sessionId}/files/{fileId}/content': {
    readonly input: {
      readonly path: {
        readonly sessionId: string;
        readonly fileId: string;
      };
      readonly body: FormData | RawBody;
    };
    readonly data: TransferRecord;
  };
  'GET /api/transfer/sessions/{sessionId}/files/{fileId}/download': {
    readonly input: {
      readonly path: {
        readonly sessionId: string;
        readonly fileId: string;
      };
    };
    readonly data: undefined;
  };
  'POST /api/transfer/sessions/{sessionId}/files/{fileId}/import': {
    readonly input: {
      readonly path: {
        readonly sessionId: string;
        readonly fileId: string;
      };
      readonly body?:
        | {
            /** Absolute, `/`-separated logical path. */
            readonly path?: string | null | undefined;
            /** If the name is taken: FAIL (the default), RENAME to the first free `name (2).ext`, or REPLACE: the existing entry moves to the recycle bin. */
            readonly onConflict?: 'FAIL' | 'RENAME' | 'REPLACE' | null | undefined;
          }
        | null
        | undefined;
    };
    readonly data: EntryRecord;
  };
  'POST /api/transfer/sessions/{sessionId}/join': {
    readonly input: {
      readonly path: {
        readonly sessionId: string;
      };
    };
    readonly data: JoinedTransfer;
  };
  'GET /api/transfer/sessions/{sessionId}/signals': {
    readonly input: {
      readonly path: {
        readonly sessionId: string;
      };
      readonly query?:
        | {
            readonly role?: 'sender' | 'receiver' | undefined;
            readonly after?: number | undefined;
            /** Long poll. */
            readonly waitSeconds?: number | undefined;
          }
        | undefined;
    };
    readonly data: SignalPage;
  };
  'POST /api/transfer/sessions/{sessionId}/signals': {
    readonly input: {
      readonly path: {
        readonly sessionId: string;
      };
      readonly query?:
        | {
            readonly role?: 'sender' | 'receiver' | undefined;
          }
        | undefined;
      readonly body: SignalBody;
    };
    readonly data: SignalRecord;
  };
  'GET /api/user/app-passwords': { readonly input: NoInput; readonly data: readonly AppPasswordRecord[] };
  'POST /api/user/app-passwords': {
    readonly input: { readonly body: AppPasswordBody };
    readonly data: NewAppPassword;
  };
  'DELETE /api/user/app-passwords/{id}': {
    readonly input: {
      readonly path: {
        readonly id: number;
      };
    };
    readonly data: null;
  };
  'GET /api/user/avatar/content': {
    readonly input: {
      readonly query?:
        | {
            readonly v?: string | undefined;
          }
        | undefined;
    };
    readonly data: undefined;
  };
  'POST /api/user/avatar/upload': {
    readonly input: {
      readonly query?:
        | {
            readonly storageName?: string | undefined;
          }
        | undefined;
      readonly body: FormData;
    };
    readonly data: AvatarCompleteBody;
  };
  'POST /api/user/avatar/upload/complete': {
    readonly input: { readonly body: AvatarCompleteBody };
    readonly data: User;
  };
  'POST /api/user/avatar/upload/initiate': {
    readonly input: { readonly body: AvatarInitiateBody };
    readonly data: UploadTarget;
  };
  'GET /api/user/first-steps': { readonly input: NoInput; readonly data: FirstSteps };
  'POST /api/user/identities/oidc': {
    readonly input: {
      readonly body?:
        | {
            readonly password?: string | undefined;
          }
        | null
        | undefined;
    };
    readonly data: LinkStart;
  };
  'DELETE /api/user/identities/{id}': {
    readonly input: {
      readonly path: {
        readonly id: number;
      };
      readonly body?:
        | {
            readonly password?: string | undefined;
          }
        | null
        | undefined;
    };
    readonly data: null;
  };
  'GET /api/user/notification-settings': { readonly input: NoInput; readonly data: NotificationSettings };
  'PUT /api/user/notification-settings': {
    readonly input: { readonly body: NotificationSettingsBody };
    readonly data: NotificationSettings;
  };
  'GET /api/user/passkeys': { readonly input: NoInput; readonly data: readonly PasskeyRecord[] };
  'POST /api/user/passkeys': {
    readonly input: { readonly body: NewPasskeyBody };
    readonly data: PasskeyRecord;
  };
  'POST /api/user/passkeys/options': {
    readonly input: {
      readonly body?:
        | {
            readonly password?: string | undefined;
          }
        | null
        | undefined;
    };
    readonly data: CreationOptions;
  };
  'DELETE /api/user/passkeys/{id}': {
    readonly input: {
      readonly path: {
        readonly id: number;
      };
      readonly body?:
        | {
            readonly password?: string | undefined;
          }
        | null
        | undefined;
    };
    readonly data: null;
  };
  'POST /api/user/password': {
    readonly input: {
      readonly body: {
        readonly currentPassword?: string | undefined;
        /** Another name of currentPassword. */
        readonly oldPassword?: string | undefined;
        readonly newPassword: string;
        /** Whether all app passwords of the account are deleted, too. */
        readonly endAppPasswords?: boolean | undefined;
      };
    };
    readonly data: LoginState;
  };
  'GET /api/user/profile': { readonly input: NoInput; readonly data: User };
  'PUT /api/user/profile': { readonly input: { readonly body: ProfileBody }; readonly data: ChangedProfile };
  'DELETE /api/user/push': {
    readonly input: {
      readonly body: {
        /** The `https` address at the push service of the browser. */
        readonly endpoint: string;
      };
    };
    readonly data: null;
  };
  'GET /api/user/push': { readonly input: NoInput; readonly data: PushState };
  'PUT /api/user/push': { readonly input: { readonly body: PushSubscriptionBody }; readonly data: null };
  'GET /api/user/security': { readonly input: NoInput; readonly data: AccountSecurity };
  'GET /api/user/security/changes': { readonly input: NoInput; readonly data: readonly SecurityChange[] };
  'DELETE /api/user/sessions': {
    readonly input: NoInput;
    readonly data: {
      readonly ended: number;
    };
  };
  'GET /api/user/sessions': { readonly input: NoInput; readonly data: readonly LoginSessionRecord[] };
  'DELETE /api/user/sessions/{id}': {
    readonly input: {
      readonly path: {
        readonly id: string;
      };
    };
    readonly data: null;
  };
  'DELETE /api/user/totp': {
    readonly input: {
      readonly body?:
        | {
            readonly password?: string | undefined;
          }
        | null
        | undefined;
    };
    readonly data: null;
  };
  'POST /api/user/totp': {
    readonly input: {
      readonly body?:
        | {
            readonly password?: string | undefined;
          }
        | null
        | undefined;
    };
    readonly data: TotpEnrolment;
  };
  'POST /api/user/totp/confirm': {
    readonly input: { readonly body: TotpCodeBody };
    readonly data: RecoveryCodes;
  };
  'POST /api/user/totp/recovery-codes': {
    readonly input: {
      readonly body?:
        | {
            readonly password?: string | undefined;
          }
        | null
        | undefined;
    };
    readonly data: RecoveryCodes;
  };
  'GET /api/v2/downloads': {
    readonly input: {
      readonly query: {
        readonly ticket: string;
      };
    };
    readonly data: undefined;
  };
  'POST /api/v2/downloads': { readonly input: { readonly body: ZipDownloadBody }; readonly data: SignedUrl };
  'GET /api/v2/drives': {
    readonly input: {
      readonly query?:
        | {
            /** Lists the deleted shared drives instead. */
            readonly deleted?: boolean | undefined;
          }
        | undefined;
    };
    readonly data: readonly DriveRecord[];
  };
  'POST /api/v2/drives': {
    readonly input: {
      readonly body: {
        readonly name: string;
        readonly fromFileId?: number | undefined;
        readonly members?:
          | readonly {
              readonly username: string;
              readonly role: 'VIEWER' | 'EDITOR' | 'MANAGER';
            }[]
          | undefined;
      };
    };
    readonly data: DriveRecord;
  };
  'DELETE /api/v2/drives/{id}': {
    readonly input: {
      readonly path: {
        readonly id: number;
      };
      readonly body: {
        readonly name: string;
      };
    };
    readonly data: null;
  };
  'PATCH /api/v2/drives/{id}': {
    readonly input: {
      readonly path: {
        readonly id: number;
      };
      readonly body: {
        readonly name: string;
      };
    };
    readonly data: DriveRecord;
  };
  'GET /api/v2/drives/{id}/activity': {
    readonly input: {
      readonly path: {
        readonly id: number;
      };
      readonly query?:
        | {
            readonly page?: number | undefined;
            /** Larger values are reduced to 1000. */
            readonly size?: number | undefined;
          }
        | undefined;
    };
    readonly data: Page<ActivityRecord>;
  };
  'GET /api/v2/drives/{id}/members': {
    readonly input: {
      readonly path: {
        readonly id: number;
      };
    };
    readonly data: readonly {
      readonly accountId: number;
      readonly username: string;
      readonly displayName: string;
      readonly role: 'VIEWER' | 'EDITOR' | 'MANAGER';
      /** ISO-8601, UTC, with milliseconds and Z. */
      readonly since: string;
      /** Null for the creator of the drive, and if that account is gone. */
      readonly addedBy: {
        readonly accountId: number;
        readonly displayName: string;
      } | null;
    }[];
  };
  'POST /api/v2/drives/{id}/members': {
    readonly input: {
      readonly path: {
        readonly id: number;
      };
      readonly body: {
        readonly username?: string | null | undefined;
        /** Instead of the username. */
        readonly email?: string | null | undefined;
        readonly role: 'VIEWER' | 'EDITOR' | 'MANAGER';
      };
    };
    readonly data: {
      readonly accountId: number;
      readonly username: string;
      readonly displayName: string;
      readonly role: 'VIEWER' | 'EDITOR' | 'MANAGER';
      /** ISO-8601, UTC, with milliseconds and Z. */
      readonly since: string;
      /** Null for the creator of the drive, and if that account is gone. */
      readonly addedBy: {
        readonly accountId: number;
        readonly displayName: string;
      } | null;
    };
  };
  'DELETE /api/v2/drives/{id}/members/{accountId}': {
    readonly input: {
      readonly path: {
        readonly id: number;
        readonly accountId: number;
      };
    };
    readonly data: null;
  };
  'PATCH /api/v2/drives/{id}/members/{accountId}': {
    readonly input: {
      readonly path: {
        readonly id: number;
        readonly accountId: number;
      };
      readonly body: {
        readonly role: 'VIEWER' | 'EDITOR' | 'MANAGER';
      };
    };
    readonly data: {
      readonly accountId: number;
      readonly username: string;
      readonly displayName: string;
      readonly role: 'VIEWER' | 'EDITOR' | 'MANAGER';
      /** ISO-8601, UTC, with milliseconds and Z. */
      readonly since: string;
      /** Null for the creator of the drive, and if that account is gone. */
      readonly addedBy: {
        readonly accountId: number;
        readonly displayName: string;
      } | null;
    };
  };
  'POST /api/v2/drives/{id}/restore': {
    readonly input: {
      readonly path: {
        readonly id: number;
      };
    };
    readonly data: DriveRecord;
  };
  'GET /api/v2/files/changes': {
    readonly input: {
      readonly query?:
        | {
            readonly cursor?: number | undefined;
            /** Default 100; at most 1000 are returned. */
            readonly limit?: number | undefined;
          }
        | undefined;
    };
    readonly data: Changes;
  };
  'GET /api/v2/files/events': {
    readonly input: {
      readonly query?:
        | {
            /** Absolute, `/`-separated logical path. */
            readonly path?: string | undefined;
            /** Like the header `X-Service-Client-Id`. */
            readonly clientId?: string | undefined;
            /** Like the header `Last-Event-ID`. */
            readonly lastEventId?: string | undefined;
            /** Also `DEVICES` messages; the login then counts as present. */
            readonly devices?: boolean | undefined;
            /** For clients that cannot set headers. */
            readonly access_token?: string | undefined;
          }
        | undefined;
    };
    readonly data: undefined;
  };
  'GET /api/v2/files/search': {
    readonly input: {
      readonly query?:
        | {
            /** Part of the name; upper and lower case are equal. */
            readonly name?: string | undefined;
            /** Up to 16 words, each anywhere in the name; case and accents are ignored. In texts, whole words are found, and Chinese, Japanese and Korean text by its characters. */
            readonly q?: string | undefined;
            /** Where `q` is searched: in names (the default), in the texts of files, or each word in either; `all` is `name` while the service does not search texts. */
            readonly in?: 'name' | 'content' | 'all' | undefined;
            readonly type?: 'file' | 'directory' | 'folder' | 'all' | undefined;
            /** Finds only files, by their content type. */
            readonly kind?: 'IMAGE' | 'VIDEO' | 'AUDIO' | 'DOCUMENT' | 'ARCHIVE' | 'OTHER' | undefined;
            readonly sizeGte?: number | undefined;
            readonly sizeLte?: number | undefined;
            /** ISO-8601 date and time; without a zone it is UTC. */
            readonly createdGte?: string | undefined;
            /** ISO-8601 date and time; without a zone it is UTC. */
            readonly createdLte?: string | undefined;
            /** ISO-8601 date and time; without a zone it is UTC. */
            readonly updatedGte?: string | undefined;
            /** ISO-8601 date and time; without a zone it is UTC. */
            readonly updatedLte?: string | undefined;
            /** A directory; finds only what is below it. */
            readonly path?: string | undefined;
            /** ISO-8601 date and time; without a zone it is UTC. */
            readonly modifiedFrom?: string | undefined;
            /** ISO-8601 date and time; without a zone it is UTC. */
            readonly modifiedTo?: string | undefined;
            readonly minSize?: number | undefined;
            readonly maxSize?: number | undefined;
            /** A directory; finds only what is below it. */
            readonly under?: string | undefined;
            /** The id of a drive, or `all` drives of the caller. */
            readonly drive?: string | undefined;
            readonly page?: number | undefined;
            /** Larger values are reduced to 1000, and to 100 in texts. */
            readonly size?: number | undefined;
            /** Like `order`, only in texts, where the most relevant come first without both. */
            readonly sort?: 'name' | 'size' | 'updatedAt' | 'createdAt' | 'modifiedAt' | undefined;
            readonly order?: 'asc' | 'desc' | undefined;
          }
        | undefined;
    };
    readonly data: Page<FoundRecord>;
  };
  'GET /api/v2/files/starred': {
    readonly input: {
      readonly query?:
        | {
            readonly page?: number | undefined;
            /** Larger values are reduced to 1000. */
            readonly size?: number | undefined;
          }
        | undefined;
    };
    readonly data: Page<EntryRecord>;
  };
  'GET /api/v2/files/timeline': {
    readonly input: {
      readonly query?:
        | {
            readonly kind?: 'IMAGE' | 'VIDEO' | undefined;
            /** True: only those that the caller has starred. */
            readonly starred?: boolean | undefined;
            /** False: without files whose name begins like that of a screenshot. */
            readonly screenshots?: boolean | undefined;
            /** The `next` of an earlier answer. */
            readonly before?: string | undefined;
            readonly page?: number | undefined;
            /** Larger values are reduced to 1000. */
            readonly size?: number | undefined;
          }
        | undefined;
    };
    readonly data: {
      readonly items: readonly {
        readonly id: number;
        readonly filename: string;
        /** Absolute, `/`-separated logical path. */
        readonly path: string;
        /** Absolute, `/`-separated logical path. */
        readonly parentPath: string;
        readonly size: number;
        readonly contentType: string | null;
        readonly directory: boolean;
        /** ISO-8601, UTC, with milliseconds and Z. */
        readonly createdAt: string;
        /** When the record was last changed. */
        readonly updatedAt: string;
        /** When the content was last modified on the client. */
        readonly modifiedAt: string;
        /** Changes with the content; null if the file can have no thumbnail. */
        readonly thumbnailVersion: string | null;
        readonly driveId: number;
        /** Only in a shared drive: who last changed content, name or place; null if the account is gone. */
        readonly changedBy?:
          | {
              readonly accountId: number;
              readonly displayName: string;
            }
          | null
          | undefined;
        readonly starred: boolean;
        /** A time without a zone counts as UTC; null if it is unknown. */
        readonly takenAt: string | null;
        /** The time on the clock where it was taken, in ISO-8601 without a zone, which decides about the place in the timeline. */
        readonly localTime: string;
        /** In pixels, turned as the orientation says. */
        readonly width: number | null;
        readonly height: number | null;
        /** Of a video, in seconds. */
        readonly duration: number | null;
      }[];
      /** Null if this is the end. */
      readonly next: string | null;
    };
  };
  'GET /api/v2/files/timeline/exclusions': { readonly input: NoInput; readonly data: readonly EntryRecord[] };
  'GET /api/v2/files/timeline/months': {
    readonly input: {
      readonly query?:
        | {
            readonly kind?: 'IMAGE' | 'VIDEO' | undefined;
            /** True: only those that the caller has starred. */
            readonly starred?: boolean | undefined;
            /** False: without files whose name begins like that of a screenshot. */
            readonly screenshots?: boolean | undefined;
          }
        | undefined;
    };
    readonly data: readonly {
      /** Such as `2026-11`. */
      readonly month: string;
      readonly count: number;
      readonly days: readonly {
        readonly day: number;
        readonly count: number;
      }[];
    }[];
  };
  'OPTIONS /api/v2/files/tus': {
    readonly input: { readonly body?: RawBody | undefined };
    readonly data: undefined;
  };
  'POST /api/v2/files/tus': {
    readonly input: { readonly body?: RawBody | undefined };
    readonly data: undefined;
  };
  'DELETE /api/v2/files/tus/{sessionId}': {
    readonly input: {
      readonly path: {
        readonly sessionId: string;
      };
      readonly body?: RawBody | undefined;
    };
    readonly data: undefined;
  };
  'HEAD /api/v2/files/tus/{sessionId}': {
    readonly input: {
      readonly path: {
        readonly sessionId: string;
      };
      readonly body?: RawBody | undefined;
    };
    readonly data: undefined;
  };
  'PATCH /api/v2/files/tus/{sessionId}': {
    readonly input: {
      readonly path: {
        readonly sessionId: string;
      };
      readonly body?: RawBody | undefined;
    };
    readonly data: undefined;
  };
  'POST /api/v2/files/upload-sessions': {
    readonly input: { readonly body: CreateSessionBody };
    readonly data: SessionRecord;
  };
  'DELETE /api/v2/files/upload-sessions/{sessionId}': {
    readonly input: {
      readonly path: {
        readonly sessionId: string;
      };
    };
    readonly data: SessionRecord;
  };
  'GET /api/v2/files/upload-sessions/{sessionId}': {
    readonly input: {
      readonly path: {
        readonly sessionId: string;
      };
    };
    readonly data: SessionWithRuntime;
  };
  'POST /api/v2/files/upload-sessions/{sessionId}/complete': {
    readonly input: {
      readonly path: {
        readonly sessionId: string;
      };
      readonly body?:
        | {
            /** If the name is taken: FAIL (the default), or NEW_VERSION: the file gets the new content and keeps its id; the old content becomes a version. */
            readonly onConflict?: 'FAIL' | 'NEW_VERSION' | null | undefined;
          }
        | null
        | undefined;
    };
    readonly data: SessionRecord;
  };
  'POST /api/v2/files/upload-sessions/{sessionId}/content': {
    readonly input: {
      readonly path: {
        readonly sessionId: string;
      };
      readonly body: FormData;
    };
    readonly data: SessionRecord;
  };
  'PUT /api/v2/files/upload-sessions/{sessionId}/parts/{partIndex}': {
    readonly input: {
      readonly path: {
        readonly sessionId: string;
        /** From 0 to chunkCount - 1. */
        readonly partIndex: number;
      };
      readonly body: PartBody;
    };
    readonly data: SessionRecord;
  };
  'GET /api/v2/files/upload-sessions/{sessionId}/parts/{partIndex}/prepare': {
    readonly input: {
      readonly path: {
        readonly sessionId: string;
        /** From 0 to chunkCount - 1. */
        readonly partIndex: number;
      };
    };
    readonly data: UploadTarget;
  };
  'GET /api/v2/files/upload-sessions/{sessionId}/prepare': {
    readonly input: {
      readonly path: {
        readonly sessionId: string;
      };
    };
    readonly data: UploadTarget;
  };
  'GET /api/v2/files/{fileId}': {
    readonly input: {
      readonly path: {
        readonly fileId: number;
      };
    };
    readonly data: EntryDetails;
  };
  'GET /api/v2/files/{fileId}/archive': {
    readonly input: {
      readonly path: {
        readonly fileId: number;
      };
      readonly query?:
        | {
            /** Of the names that do not declare UTF-8; guessed by default. */
            readonly encoding?:
              | 'utf-8'
              | 'gb18030'
              | 'big5'
              | 'shift_jis'
              | 'euc-jp'
              | 'euc-kr'
              | 'windows-1250'
              | 'windows-1251'
              | 'windows-1252'
              | 'windows-1253'
              | 'windows-1254'
              | 'windows-1255'
              | 'windows-1256'
              | 'windows-874'
              | 'ibm866'
              | 'koi8-r'
              | 'cp437'
              | 'cp850'
              | 'cp852'
              | undefined;
          }
        | undefined;
    };
    readonly data: ArchiveContents;
  };
  'PUT /api/v2/files/{fileId}/content': {
    readonly input: {
      readonly path: {
        readonly fileId: number;
      };
      readonly query?:
        | {
            /** ISO-8601 date and time; without a zone it is UTC. */
            readonly modifiedAt?: string | undefined;
          }
        | undefined;
      readonly body: RawBody;
    };
    readonly data: EntryRecord;
  };
  'POST /api/v2/files/{fileId}/copy-to': {
    readonly input: {
      readonly path: {
        readonly fileId: number;
      };
      readonly body: DriveTargetBody;
    };
    readonly data: EntryRecord;
  };
  'POST /api/v2/files/{fileId}/move-to': {
    readonly input: {
      readonly path: {
        readonly fileId: number;
      };
      readonly body: DriveTargetBody;
    };
    readonly data: EntryRecord;
  };
  'DELETE /api/v2/files/{fileId}/star': {
    readonly input: {
      readonly path: {
        readonly fileId: number;
      };
    };
    readonly data: EntryRecord;
  };
  'PUT /api/v2/files/{fileId}/star': {
    readonly input: {
      readonly path: {
        readonly fileId: number;
      };
    };
    readonly data: EntryRecord;
  };
  'GET /api/v2/files/{fileId}/thumbnail': {
    readonly input: {
      readonly path: {
        readonly fileId: number;
      };
      readonly query: {
        /** The longest side in pixels; smaller pictures keep their size. */
        readonly size: 256 | 1024 | 2048;
        /** The thumbnailVersion of the record; then it may be cached for ever. */
        readonly v?: string | undefined;
      };
    };
    readonly data: undefined;
  };
  'DELETE /api/v2/files/{fileId}/timeline-exclusion': {
    readonly input: {
      readonly path: {
        readonly fileId: number;
      };
    };
    readonly data: EntryRecord;
  };
  'PUT /api/v2/files/{fileId}/timeline-exclusion': {
    readonly input: {
      readonly path: {
        readonly fileId: number;
      };
    };
    readonly data: EntryRecord;
  };
  'GET /api/v2/files/{fileId}/versions': {
    readonly input: {
      readonly path: {
        readonly fileId: number;
      };
    };
    readonly data: readonly FileVersion[];
  };
  'DELETE /api/v2/files/{fileId}/versions/{versionId}': {
    readonly input: {
      readonly path: {
        readonly fileId: number;
        readonly versionId: number;
      };
    };
    readonly data: null;
  };
  'GET /api/v2/files/{fileId}/versions/{versionId}': {
    readonly input: {
      readonly path: {
        readonly fileId: number;
        readonly versionId: number;
      };
    };
    readonly data: undefined;
  };
  'POST /api/v2/files/{fileId}/versions/{versionId}/restore': {
    readonly input: {
      readonly path: {
        readonly fileId: number;
        readonly versionId: number;
      };
    };
    readonly data: EntryRecord;
  };
  'POST /api/v2/folder-links': {
    readonly input: { readonly body: FolderLinkBody };
    readonly data: FolderLinkRecord;
  };
  'GET /api/v2/folder-links/mine': {
    readonly input: {
      readonly query?:
        | {
            readonly page?: number | undefined;
            /** Larger values are reduced to 1000. */
            readonly size?: number | undefined;
          }
        | undefined;
    };
    readonly data: Page<ListedFolderLink>;
  };
  'DELETE /api/v2/folder-links/{id}': {
    readonly input: {
      readonly path: {
        readonly id: number;
      };
    };
    readonly data: null;
  };
  'PATCH /api/v2/folder-links/{id}': {
    readonly input: {
      readonly path: {
        readonly id: number;
      };
      readonly body: FolderLinkChange;
    };
    readonly data: FolderLinkRecord;
  };
  'GET /api/v2/folder-links/{token}': {
    readonly input: {
      readonly path: {
        readonly token: string;
      };
    };
    readonly data: PublicFolderLink;
  };
  'GET /api/v2/folder-links/{token}/download': {
    readonly input: {
      readonly path: {
        readonly token: string;
      };
      readonly query: {
        readonly path: string | readonly string[];
      };
    };
    readonly data: undefined;
  };
  'GET /api/v2/folder-links/{token}/downloads': {
    readonly input: {
      readonly path: {
        readonly token: string;
      };
      readonly query: {
        readonly ticket: string;
      };
    };
    readonly data: undefined;
  };
  'POST /api/v2/folder-links/{token}/downloads': {
    readonly input: {
      readonly path: {
        readonly token: string;
      };
      readonly body: DownloadsBody;
    };
    readonly data: SignedUrl;
  };
  'GET /api/v2/folder-links/{token}/entries': {
    readonly input: {
      readonly path: {
        readonly token: string;
      };
      readonly query?:
        | {
            /** Below the link, whose root is `/`. */
            readonly path?: string | undefined;
            readonly page?: number | undefined;
            /** Larger values are reduced to 1000. */
            readonly size?: number | undefined;
            readonly sort?: 'name' | 'size' | 'updatedAt' | 'createdAt' | 'modifiedAt' | undefined;
            readonly order?: 'asc' | 'desc' | undefined;
          }
        | undefined;
    };
    readonly data: Page<LinkedEntry>;
  };
  'POST /api/v2/folder-links/{token}/import': {
    readonly input: {
      readonly path: {
        readonly token: string;
      };
      readonly body: ImportBody;
    };
    readonly data: EntryRecord;
  };
  'GET /api/v2/folder-links/{token}/owner-avatar': {
    readonly input: {
      readonly path: {
        readonly token: string;
      };
      readonly query?:
        | {
            readonly v?: string | undefined;
          }
        | undefined;
    };
    readonly data: undefined;
  };
  'GET /api/v2/folder-links/{token}/thumbnail': {
    readonly input: {
      readonly path: {
        readonly token: string;
      };
      readonly query: {
        /** Below the link, whose root is `/`. */
        readonly path: string;
        /** The longest side in pixels; smaller pictures keep their size. */
        readonly size: 256 | 1024 | 2048;
        /** The thumbnailVersion of the record; then it may be cached for ever. */
        readonly v?: string | undefined;
      };
    };
    readonly data: undefined;
  };
  'OPTIONS /api/v2/folder-links/{token}/tus': {
    readonly input: {
      readonly path: {
        readonly token: string;
      };
      readonly body?: RawBody | undefined;
    };
    readonly data: undefined;
  };
  'POST /api/v2/folder-links/{token}/tus': {
    readonly input: {
      readonly path: {
        readonly token: string;
      };
      readonly body?: RawBody | undefined;
    };
    readonly data: undefined;
  };
  'DELETE /api/v2/folder-links/{token}/tus/{sessionId}': {
    readonly input: {
      readonly path: {
        readonly token: string;
        readonly sessionId: string;
      };
      readonly body?: RawBody | undefined;
    };
    readonly data: undefined;
  };
  'HEAD /api/v2/folder-links/{token}/tus/{sessionId}': {
    readonly input: {
      readonly path: {
        readonly token: string;
        readonly sessionId: string;
      };
      readonly body?: RawBody | undefined;
    };
    readonly data: undefined;
  };
  'PATCH /api/v2/folder-links/{token}/tus/{sessionId}': {
    readonly input: {
      readonly path: {
        readonly token: string;
        readonly sessionId: string;
      };
      readonly body?: RawBody | undefined;
    };
    readonly data: undefined;
  };
  'POST /api/v2/folder-links/{token}/uploads': {
    readonly input: {
      readonly path: {
        readonly token: string;
      };
      readonly body: FormData;
    };
    readonly data: ReceivedFile;
  };
  'POST /api/v2/folder-links/{token}/verify-password': {
    readonly input: {
      readonly path: {
        readonly token: string;
      };
      readonly body: {
        readonly password: string;
      };
    };
    readonly data: null;
  };
  'GET /api/v2/notifications': {
    readonly input: {
      readonly query?:
        | {
            readonly page?: number | undefined;
            /** Larger values are reduced to 1000. */
            readonly size?: number | undefined;
            /** Only those that are unread. */
            readonly unread?: boolean | undefined;
          }
        | undefined;
    };
    readonly data: NotificationPage;
  };
  'POST /api/v2/notifications/read': {
    readonly input: { readonly body: ReadNotificationsBody };
    readonly data: UnreadCount;
  };
  'GET /api/v2/people': {
    readonly input: {
      readonly query?:
        | {
            /** A username or e-mail address, or the beginning of the name of someone known. */
            readonly query?: string | undefined;
          }
        | undefined;
    };
    readonly data: readonly {
      readonly accountId: number;
      readonly username: string;
      readonly displayName: string;
    }[];
  };
  'GET /api/v2/share-links/mine': {
    readonly input: {
      readonly query?:
        | {
            readonly page?: number | undefined;
            /** Larger values are reduced to 1000. */
            readonly size?: number | undefined;
          }
        | undefined;
    };
    readonly data: Page<OwnShareLink>;
  };
  'DELETE /api/v2/share-links/{id}': {
    readonly input: {
      readonly path: {
        readonly id: number;
      };
    };
    readonly data: null;
  };
  'POST /api/v2/shares': { readonly input: { readonly body: CreateShareBody }; readonly data: ShareSummary };
  'GET /api/v2/shares/mine': {
    readonly input: {
      readonly query?:
        | {
            readonly page?: number | undefined;
            /** Larger values are reduced to 1000. */
            readonly size?: number | undefined;
          }
        | undefined;
    };
    readonly data: Page<ShareSummary>;
  };
  'DELETE /api/v2/shares/{id}': {
    readonly input: {
      readonly path: {
        readonly id: number;
      };
    };
    readonly data: null;
  };
  'PATCH /api/v2/shares/{id}': {
    readonly input: {
      readonly path: {
        readonly id: number;
      };
      readonly body: ChangeShareBody;
    };
    readonly data: ShareSummary;
  };
  'GET /api/v2/shares/{token}': {
    readonly input: {
      readonly path: {
        readonly token: string;
      };
      readonly query?:
        | {
            /** Present with any value: the file itself. */
            readonly download?: unknown;
            readonly password?: string | undefined;
          }
        | undefined;
    };
    readonly data: ShareSummary;
  };
  'POST /api/v2/shares/{token}/import': {
    readonly input: {
      readonly path: {
        readonly token: string;
      };
      readonly body?:
        | {
            /** Absolute, `/`-separated logical path. */
            readonly path?: string | null | undefined;
            /** If the name is taken: FAIL (the default), RENAME to the first free `name (2).ext`, or REPLACE: the existing entry moves to the recycle bin. */
            readonly onConflict?: 'FAIL' | 'RENAME' | 'REPLACE' | null | undefined;
            readonly password?: string | null | undefined;
          }
        | null
        | undefined;
    };
    readonly data: EntryRecord;
  };
  'GET /api/v2/shares/{token}/owner-avatar': {
    readonly input: {
      readonly path: {
        readonly token: string;
      };
      readonly query?:
        | {
            readonly v?: string | undefined;
          }
        | undefined;
    };
    readonly data: undefined;
  };
  'GET /api/v2/shares/{token}/thumbnail': {
    readonly input: {
      readonly path: {
        readonly token: string;
      };
      readonly query: {
        /** The longest side in pixels; smaller pictures keep their size. */
        readonly size: 256 | 1024 | 2048;
        /** The thumbnailVersion of the record; then it may be cached for ever. */
        readonly v?: string | undefined;
      };
    };
    readonly data: undefined;
  };
  'POST /api/v2/shares/{token}/verify-password': {
    readonly input: {
      readonly path: {
        readonly token: string;
      };
      readonly body: {
        readonly password: string;
      };
    };
    readonly data: ShareSummary;
  };
  'GET /api/v2/site/instance': { readonly input: NoInput; readonly data: Instance };
  'GET /api/v2/site/instance/logo': {
    readonly input: {
      readonly query?:
        | {
            readonly v?: string | undefined;
          }
        | undefined;
    };
    readonly data: undefined;
  };
  'GET /api/v2/site/ping': {
    readonly input: NoInput;
    readonly data: {
      readonly status: 'ok';
      readonly apiVersion: 'v2';
    };
  };
  'GET /api/v2/tasks': {
    readonly input: {
      readonly query?:
        | {
            readonly page?: number | undefined;
            /** Larger values are reduced to 1000. */
            readonly size?: number | undefined;
          }
        | undefined;
    };
    readonly data: Page<TaskRecord>;
  };
  'POST /api/v2/tasks/archive': { readonly input: { readonly body: ArchiveBody }; readonly data: TaskRecord };
  'POST /api/v2/tasks/extract': { readonly input: { readonly body: ExtractBody }; readonly data: TaskRecord };
  'POST /api/v2/tasks/media-metadata': {
    readonly input: {
      readonly body: {
        readonly fileId: number;
        /** The current path of the file. */
        readonly path: string;
        /** A second request with the same id gives the first task. */
        readonly correlationId?: string | null | undefined;
      };
    };
    readonly data: TaskRecord;
  };
  'DELETE /api/v2/tasks/{id}': {
    readonly input: {
      readonly path: {
        readonly id: number;
      };
    };
    readonly data: TaskRecord;
  };
  'GET /api/v2/tasks/{id}': {
    readonly input: {
      readonly path: {
        readonly id: number;
      };
    };
    readonly data: TaskRecord;
  };
  'POST /api/v2/tasks/{id}/retry': {
    readonly input: {
      readonly path: {
        readonly id: number;
      };
    };
    readonly data: TaskRecord;
  };
  'GET /api/v2/transfer/sessions/{sessionId}/download': {
    readonly input: {
      readonly path: {
        readonly sessionId: string;
      };
    };
    readonly data: undefined;
  };
  'DELETE /api/v2/transfer/sessions/{sessionId}/offer': {
    readonly input: {
      readonly path: {
        readonly sessionId: string;
      };
    };
    readonly data: null;
  };
  'POST /api/v2/transfer/sessions/{sessionId}/offer': {
    readonly input: {
      readonly path: {
        readonly sessionId: string;
      };
      readonly body: OfferBody;
    };
    readonly data: null;
  };
  'DELETE /api/v2/transfer/sessions/{sessionId}/receiver': {
    readonly input: {
      readonly path: {
        readonly sessionId: string;
      };
    };
    readonly data: null;
  };
  'OPTIONS /api/v2/transfer/sessions/{transferId}/files/{fileId}/tus': {
    readonly input: {
      readonly path: {
        readonly transferId: string;
        readonly fileId: string;
      };
      readonly body?: RawBody | undefined;
    };
    readonly data: undefined;
  };
  'POST /api/v2/transfer/sessions/{transferId}/files/{fileId}/tus': {
    readonly input: {
      readonly path: {
        readonly transferId: string;
        readonly fileId: string;
      };
      readonly body?: RawBody | undefined;
    };
    readonly data: undefined;
  };
  'DELETE /api/v2/transfer/sessions/{transferId}/files/{fileId}/tus/{sessionId}': {
    readonly input: {
      readonly path: {
        readonly transferId: string;
        readonly fileId: string;
        readonly sessionId: string;
      };
      readonly body?: RawBody | undefined;
    };
    readonly data: undefined;
  };
  'HEAD /api/v2/transfer/sessions/{transferId}/files/{fileId}/tus/{sessionId}': {
    readonly input: {
      readonly path: {
        readonly transferId: string;
        readonly fileId: string;
        readonly sessionId: string;
      };
      readonly body?: RawBody | undefined;
    };
    readonly data: undefined;
  };
  'PATCH /api/v2/transfer/sessions/{transferId}/files/{fileId}/tus/{sessionId}': {
    readonly input: {
      readonly path: {
        readonly transferId: string;
        readonly fileId: string;
        readonly sessionId: string;
      };
      readonly body?: RawBody | undefined;
    };
    readonly data: undefined;
  };
  'GET /health/live': { readonly input: NoInput; readonly data: null };
  'GET /health/ready': { readonly input: NoInput; readonly data: null };
}
