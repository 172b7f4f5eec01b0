// Made by `npm run client` from the schemas of the server. Do not edit.

export interface AccountDefaultsBody {
  readonly defaultStorageQuotaBytes?: number | null | undefined;
  readonly defaultMaxUploadSizeBytes?: number | null | undefined;
  readonly defaultMaxEntries?: number | null | undefined;
  /** The directories of a new drive. */
  readonly defaultDirectories?: readonly string[] | null | undefined;
}

export interface AccountDefaultsRecord {
  readonly defaultStorageQuotaBytes: number;
  readonly defaultMaxUploadSizeBytes: number;
  readonly defaultMaxEntries: number;
  readonly defaultDirectories: readonly string[];
}

export interface AccountSecurity {
  /** Whether logins with the password need a code. */
  readonly totp: boolean;
  readonly recoveryCodesLeft: number;
  readonly passkeys: number;
  readonly identities: readonly {
    readonly id: number;
    readonly issuer: string;
    /** ISO-8601, UTC, with milliseconds and Z. */
    readonly createdAt: string;
  }[];
  readonly hasPassword: boolean;
  /** Whether it has an app, a passkey or an identity with which people can log in here. */
  readonly hasSecondFactor: boolean;
  /** Whether it is still the password that the first start of the service generated. */
  readonly generatedPassword: boolean;
  /** Whether most calls are refused while the account has no second factor. */
  readonly secondFactorRequired: boolean;
}

export interface ActivityRecord {
  readonly id: number;
  /** When the newest change was made. */
  readonly at: string;
  /** Null for a visitor. */
  readonly accountId: number | null;
  /** The name at that time; of a visitor, the given name. */
  readonly displayName: string | null;
  readonly eventType: string;
  /** Of the newest change. */
  readonly fileId: number | null;
  /** Of the newest change. */
  readonly path: string | null;
  /** Where the entry was before. */
  readonly fromPath: string | null;
  /** The number of changes. */
  readonly count: number;
}

export interface AdminAudit {
  readonly id: number;
  readonly actor: string;
  readonly actorId: number | null;
  readonly action: string;
  readonly target: string;
  readonly targetType: string;
  readonly targetId: string | null;
  readonly summary: string;
  readonly detailsJson: Readonly<Record<string, unknown>>;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly createdAt: string;
}

export interface AdminBlob {
  readonly id: number;
  readonly objectKey: string;
  readonly entityType: 'FILE' | 'AVATAR' | 'TRANSFER';
  readonly storagePolicyId: number;
  readonly size: number;
  readonly contentType: string | null;
  readonly sha256: string | null;
  readonly referenceCount: number;
  readonly linkedStoredFileCount: number;
  /** Accounts and shared drives. */
  readonly linkedOwnerCount: number;
  readonly sampleOwnerUsername: string | null;
  readonly sampleOwnerEmail: string | null;
  /** A shared drive that uses it. */
  readonly sampleDriveId: number | null;
  readonly sampleDriveName: string | null;
  /** 0: stored by the command line. */
  readonly createdByUserId: number;
  readonly createdByUsername: string | null;
  /** Null if the store did not answer. */
  readonly blobMissing: boolean | null;
  readonly orphanRisk: boolean;
  readonly referenceMismatch: boolean;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly createdAt: string;
}

export interface AdminDrive {
  readonly id: number;
  readonly kind: 'PERSONAL' | 'SHARED';
  /** Null for a personal drive. */
  readonly name: string | null;
  /** Of a personal drive. */
  readonly ownerId: number | null;
  /** Of a personal drive. */
  readonly ownerUsername: string | null;
  /** Of a shared drive; may be gone. */
  readonly creatorId: number | null;
  readonly usedBytes: number;
  readonly quotaBytes: number;
  readonly entryCount: number;
  readonly maxEntries: number;
  readonly fileCount: number;
  readonly maxUploadBytes: number;
  readonly memberCount: number;
  readonly managerCount: number;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly createdAt: string;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly deletedAt: string | null;
}

export interface AdminDriveMember {
  readonly accountId: number;
  readonly username: string;
  readonly displayName: string;
  readonly role: 'VIEWER' | 'EDITOR' | 'MANAGER';
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly since: string;
}

export interface AdminFile {
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
  /** Null for a personal drive. */
  readonly driveName: string | null;
  /** Null for a shared drive. */
  readonly ownerId: number | null;
  /** Null for a shared drive. */
  readonly ownerUsername: string | null;
  readonly ownerEmail: string | null;
}

export interface AdminFolderLink {
  readonly id: number;
  readonly token: string;
  readonly directoryId: number;
  /** Null while it is in the recycle bin. */
  readonly directoryPath: string | null;
  readonly inBin: boolean;
  readonly mode: 'VIEW' | 'UPLOAD' | 'BOTH';
  readonly title: string;
  readonly note: string | null;
  readonly passwordProtected: boolean;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly expiresAt: string | null;
  readonly maxFiles: number | null;
  readonly maxBytes: number | null;
  readonly receivedFiles: number;
  readonly receivedBytes: number;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly createdAt: string;
  /** Only in a shared drive; null if the account is gone. */
  readonly createdBy?:
    | {
        readonly accountId: number;
        readonly displayName: string;
      }
    | null
    | undefined;
  readonly driveId: number;
  /** Null for a personal drive. */
  readonly driveName: string | null;
  /** Null for a shared drive. */
  readonly ownerId: number | null;
  /** Null for a shared drive. */
  readonly ownerUsername: string | null;
  readonly ownerEmail: string | null;
  readonly expired: boolean;
}

export interface AdminInvite {
  readonly id: number;
  readonly code: string;
  readonly note: string | null;
  readonly uses: number;
  readonly usedCount: number;
  readonly state: 'ACTIVE' | 'EXPIRED' | 'USED_UP';
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly expiresAt: string | null;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly createdAt: string;
}

export interface AdminPolicy {
  readonly id: number;
  readonly name: string;
  readonly type: 'LOCAL' | 'S3_COMPATIBLE';
  readonly bucketName: string | null;
  readonly endpoint: string | null;
  readonly region: string | null;
  readonly prefix: string | null;
  readonly credentialMode: 'NONE' | 'STATIC';
  readonly maxSizeBytes: number;
  readonly capabilities: {
    readonly directUpload: boolean;
    readonly multipartUpload: boolean;
    readonly signedDownloadUrl: boolean;
    readonly serverProxyDownload: boolean;
    readonly requiresCors: boolean;
    readonly maxObjectSize: number;
  };
  readonly enabled: boolean;
  readonly defaultPolicy: boolean;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly createdAt: string;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly updatedAt: string;
}

export interface AdminShare {
  readonly id: number;
  readonly kind: 'V2' | 'LEGACY';
  readonly token: string;
  readonly shareName: string;
  readonly driveId: number;
  /** Null for a personal drive. */
  readonly driveName: string | null;
  /** Null for a shared drive. */
  readonly ownerId: number | null;
  /** Null for a shared drive. */
  readonly ownerUsername: string | null;
  readonly ownerEmail: string | null;
  readonly passwordRequired: boolean;
  readonly passwordVerified: boolean;
  readonly passwordProtected: boolean;
  readonly allowImport: boolean;
  readonly allowDownload: boolean;
  readonly maxDownloads: number | null;
  readonly downloadCount: number;
  readonly viewCount: number;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly expiresAt: string | null;
  readonly expired: boolean;
  readonly exhausted: boolean;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly createdAt: string;
  readonly fileId: number;
  readonly fileName: string;
  readonly filePath: string;
  readonly fileSize: number;
  readonly fileContentType: string | null;
}

export interface AdminTask {
  readonly id: number;
  readonly userId: number | null;
  readonly type: string;
  readonly status: string;
  readonly correlationId: string | null;
  readonly errorMessage: string | null;
  readonly failureCategory: string | null;
  /** Depends on type and status. */
  readonly publicStateJson: Readonly<Record<string, unknown>>;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly createdAt: string;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly updatedAt: string;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly finishedAt: string | null;
  readonly driveId: number;
  /** Null for a personal drive. */
  readonly driveName: string | null;
  /** Null for a shared drive. */
  readonly ownerId: number | null;
  /** Null for a shared drive. */
  readonly ownerUsername: string | null;
  readonly ownerEmail: string | null;
  readonly attemptCount: number;
  readonly maxAttempts: number;
  readonly retryScheduled: boolean;
  readonly workerOwner: string | null;
  readonly leaseState: 'NONE' | 'ACTIVE' | 'EXPIRED';
}

export interface AdminUser {
  readonly id: number;
  readonly username: string;
  readonly displayName: string;
  readonly email: string | null;
  readonly phoneNumber: string | null;
  readonly role: 'USER' | 'MODERATOR' | 'ADMIN';
  readonly banned: boolean;
  /** Whether the account and its data are being deleted. */
  readonly deleting: boolean;
  readonly storageUsedBytes: number;
  readonly storageQuotaBytes: number;
  readonly maxUploadSizeBytes: number;
  readonly maxEntries: number;
  readonly entryCount: number;
  readonly fileCount: number;
  /** Whether an authenticator app is set up. */
  readonly totp: boolean;
  readonly passkeys: number;
  readonly identities: readonly {
    readonly id: number;
    readonly issuer: string;
    /** ISO-8601, UTC, with milliseconds and Z. */
    readonly createdAt: string;
  }[];
  readonly hasPassword: boolean;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly createdAt: string;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly lastActiveAt: string | null;
}

export interface AppPasswordBody {
  readonly name: string;
  readonly scope: 'READ' | 'WRITE';
  /** ISO-8601 date and time; without a zone it is UTC. */
  readonly expiresAt?: string | null | undefined;
}

export interface AppPasswordRecord {
  readonly id: number;
  readonly name: string;
  readonly scope: 'READ' | 'WRITE';
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly createdAt: string;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly expiresAt: string | null;
  /** Accurate to a minute. */
  readonly lastUsedAt: string | null;
}

export interface ArchiveBody {
  readonly fileId?: number | undefined;
  readonly fileIds?: readonly number[] | undefined;
  /** The current path of `fileId`, or the directory for the archive of `fileIds`. */
  readonly path: string;
  /** Of the archive of `fileIds`; Archive.zip by default. */
  readonly name?: string | null | undefined;
  /** A second request with the same id gives the first task. */
  readonly correlationId?: string | null | undefined;
}

export interface ArchiveContents {
  readonly entries: readonly {
    readonly path: string;
    readonly directory: boolean;
    readonly size: number;
    /** ISO-8601, UTC, with milliseconds and Z. */
    readonly modifiedAt: string | null;
  }[];
  /** All entries of the archive. */
  readonly total: number;
  /** Only the first entries are listed. */
  readonly cut: boolean;
  /** Of the names that are not UTF-8, as chosen or guessed; null if all are UTF-8. */
  readonly encoding: string | null;
}

export interface AuthMethods {
  /** Whether browsers can use passkeys at the address of the service. */
  readonly passkeys: boolean;
  readonly singleSignOn: {
    readonly name: string;
  } | null;
  readonly registration: boolean;
  /** Whether the service mails links for a new password. */
  readonly passwordReset: boolean;
}

export interface AvatarCompleteBody {
  readonly storageName: string;
}

export interface AvatarInitiateBody {
  readonly filename: string;
  /** Image/*. */
  readonly contentType: string;
  readonly size: number;
}

export interface BinRecord {
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
  /** Absolute, `/`-separated logical path. */
  readonly originalPath: string;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly deletedAt: string;
  /** When it is purged. */
  readonly expiresAt: string;
}

export interface ChangeShareBody {
  readonly password?: string | null | undefined;
  /** ISO-8601 date and time; without a zone it is UTC. */
  readonly expiresAt?: string | null | undefined;
  readonly maxDownloads?: number | null | undefined;
  readonly allowImport?: boolean | null | undefined;
  readonly allowDownload?: boolean | null | undefined;
  readonly shareName?: string | null | undefined;
}

export interface ChangedProfile {
  readonly id: number;
  readonly username: string;
  readonly displayName: string;
  readonly email: string | null;
  /** Whether mail to this address is known to reach the owner; false without an address. */
  readonly emailVerified: boolean;
  readonly phoneNumber: string | null;
  readonly bio: string | null;
  /** BCP 47 language tag. */
  readonly preferredLanguage: string | null;
  /** Whether the user has hidden the list of first steps. */
  readonly firstStepsHidden: boolean;
  readonly avatarUrl: string | null;
  readonly role: 'USER' | 'MODERATOR' | 'ADMIN';
  /** Whether every other call is refused until it is changed. */
  readonly mustChangePassword: boolean;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly createdAt: string;
  readonly storageQuotaBytes: number;
  readonly storageUsedBytes: number;
  /** Of the recycle bin and of former versions, which do not count as used. */
  readonly keptBytes: number;
  readonly maxKeptBytes: number;
  readonly maxUploadSizeBytes: number;
  readonly maxEntries: number;
  /** Files and directories, also those in the recycle bin. */
  readonly entryCount: number;
  /** Only after a change to an address that needs verification, while mail is on: false if no mail was sent, because the account had too many. */
  readonly verificationMailed?: boolean | undefined;
}

export interface Changes {
  readonly items: readonly FileEventRecord[];
  readonly nextCursor: number;
  readonly hasMore: boolean;
}

export interface CompleteBody {
  /** Absolute, `/`-separated logical path. */
  readonly path?: string | undefined;
  readonly filename: string;
  readonly storageName: string;
  readonly contentType?: string | null | undefined;
  readonly size?: number | undefined;
}

export interface ContentSearchOverview {
  readonly isOn: boolean;
  /** Whether no texts are taken because the disk is nearly full. */
  readonly isPaused: boolean;
  /** Stored files whose text is being taken, or will be. */
  readonly waiting: number;
  /** Stored files whose text can be found, also while it is taken again. */
  readonly indexed: number;
  /** Stored files without a text, such as pictures and encrypted documents. */
  readonly withoutText: number;
  /** Stored files whose text could not be taken, after several attempts; an older text stays. */
  readonly givenUp: number;
  readonly textBytes: number;
  /** Why an attempt failed last; null when nothing waits. */
  readonly lastError: string | null;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly lastErrorAt: string | null;
}

export interface CreateSessionBody {
  /** Absolute, `/`-separated logical path. */
  readonly path?: string | undefined;
  readonly filename: string;
  readonly contentType?: string | null | undefined;
  readonly size: number;
  /** ISO-8601 date and time; without a zone it is UTC. */
  readonly modifiedAt?: string | null | undefined;
  /** If the name is taken: FAIL (the default), or NEW_VERSION: the file gets the new content and keeps its id; the old content becomes a version. */
  readonly onConflict?: 'FAIL' | 'NEW_VERSION' | null | undefined;
}

export interface CreateShareBody {
  readonly fileId: number;
  readonly password?: string | null | undefined;
  /** ISO-8601 date and time; without a zone it is UTC. */
  readonly expiresAt?: string | null | undefined;
  readonly maxDownloads?: number | null | undefined;
  readonly allowImport?: boolean | null | undefined;
  readonly allowDownload?: boolean | null | undefined;
  readonly shareName?: string | null | undefined;
}

export interface CreationOptions {
  readonly rp: {
    readonly id: string;
    readonly name: string;
  };
  readonly user: {
    readonly id: string;
    readonly name: string;
    readonly displayName: string;
  };
  readonly challenge: string;
  readonly pubKeyCredParams: readonly {
    readonly alg: number;
    readonly type: 'public-key';
  }[];
  /** Milliseconds. */
  readonly timeout: number;
  readonly excludeCredentials: readonly {
    readonly id: string;
    readonly type: 'public-key';
    readonly transports?: readonly string[] | undefined;
  }[];
  readonly authenticatorSelection: {
    readonly residentKey: string;
    readonly requireResidentKey: boolean;
    readonly userVerification: string;
  };
  readonly attestation: string;
  readonly extensions: {
    readonly credProps: boolean;
  };
}

export interface DeleteUserBody {
  /** That of the account, as a check. */
  readonly username: string;
}

export interface DownloadsBody {
  readonly paths: readonly string[];
}

export interface DriveFullNotification {
  readonly id: number;
  readonly kind: 'DRIVE_FULL';
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly at: string;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly readAt: string | null;
  readonly data: {
    readonly driveId: number;
    /** Null for the personal drive. */
    readonly driveName: string | null;
    readonly usedBytes: number;
    readonly quotaBytes: number;
  };
}

export interface DriveMemberNotification {
  readonly id: number;
  readonly kind: 'DRIVE_MEMBER';
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly at: string;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly readAt: string | null;
  readonly data: {
    readonly driveId: number;
    readonly driveName: string;
    readonly role: 'VIEWER' | 'EDITOR' | 'MANAGER';
    /** False if only the role was changed. */
    readonly isNew: boolean;
    /** Null for the service itself. */
    readonly byName: string | null;
  };
}

export interface DriveRecord {
  readonly id: number;
  readonly kind: 'PERSONAL' | 'SHARED';
  readonly name: string | null;
  readonly role: 'VIEWER' | 'EDITOR' | 'MANAGER';
  readonly usedBytes: number;
  readonly quotaBytes: number;
  readonly entryCount: number;
  readonly maxEntries: number;
  readonly maxUploadBytes: number;
  readonly memberCount: number;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly createdAt: string;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly deletedAt: string | null;
  /** Whether the caller may create shared drives here; only in the list, in the personal drive. */
  readonly mayCreateDrives?: boolean | undefined;
  /** Whether searches find the content of files here; only in the list, in the personal drive. */
  readonly findsContent?: boolean | undefined;
}

export interface DriveTargetBody {
  readonly driveId: number;
  /** Absolute, `/`-separated logical path. */
  readonly path: string;
  /** If the name is taken: FAIL (the default), RENAME to the first free `name (2).ext`, or REPLACE: the existing entry moves to the recycle bin. */
  readonly onConflict?: 'FAIL' | 'RENAME' | 'REPLACE' | null | undefined;
}

export interface EntryDetails {
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
  readonly sha256: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** Only of a directory, at any depth; null if there are too many entries. */
  readonly totalSize?: number | null | undefined;
  /** Only of a directory, at any depth; null if there are too many entries. */
  readonly fileCount?: number | null | undefined;
  /** Only of a directory, at any depth; null if there are too many entries. */
  readonly directoryCount?: number | null | undefined;
}

export interface EntryRecord {
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
}

export interface ExtractBody {
  readonly fileId: number;
  /** The current path of the file. */
  readonly path: string;
  /** A second request with the same id gives the first task. */
  readonly correlationId?: string | null | undefined;
  /** If the name is taken: FAIL (the default), RENAME to the first free `name (2).ext`, or REPLACE: the existing entry moves to the recycle bin. */
  readonly onConflict?: 'FAIL' | 'RENAME' | 'REPLACE' | null | undefined;
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
    | null
    | undefined;
  /** Of a new directory for the content; none by default. */
  readonly folder?: string | null | undefined;
  /** Of an existing directory that gets the content; by default that of the archive. */
  readonly into?: string | null | undefined;
  /** The paths in the archive that are extracted, with everything below; all by default. */
  readonly entries?: readonly string[] | null | undefined;
}

export interface FileEventRecord {
  readonly id: number;
  readonly eventType: string;
  readonly fileId: number | null;
  /** Absolute, `/`-separated logical path. */
  readonly fromPath: string | null;
  /** Absolute, `/`-separated logical path. */
  readonly toPath: string | null;
  readonly clientId: string | null;
  readonly payload: {
    readonly filename: string;
    /** Absolute, `/`-separated logical path. */
    readonly path: string;
    readonly directory: boolean;
    readonly size: number;
    readonly contentType: string | null;
    /** Only of an upload through a folder link: the name given there. */
    readonly sender?: string | null | undefined;
  };
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly createdAt: string;
  /** Only in a shared drive: who made the change; null for a visitor. */
  readonly actorId?: number | null | undefined;
  /** Only in a shared drive: the name of the actor at that time. */
  readonly actorName?: string | null | undefined;
}

export interface FileVersion {
  readonly id: number;
  readonly size: number;
  readonly sha256: string | null;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly modifiedAt: string;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly replacedAt: string;
}

export interface Filesystem {
  readonly defaultPolicy: AdminPolicy;
  readonly policyCount: number;
  readonly storedObjectCount: number;
  readonly storedBytes: number;
  readonly dataDirectory: {
    readonly totalBytes: number;
    readonly freeBytes: number;
    readonly availableBytes: number;
    readonly minFreeBytes: number;
  };
  readonly objectsOnDataDirectory: boolean;
}

export interface FirstSteps {
  /** Whether the drive of the caller has content, also in its bin. */
  readonly file: boolean;
  /** Whether the caller has a share or folder link in their own drive. */
  readonly link: boolean;
  /** Whether the caller has an app password. */
  readonly device: boolean;
  /** Whether the caller has a second factor, as in security. */
  readonly protection: boolean;
  /** Whether anyone else has an account. */
  readonly people: boolean;
}

export interface FolderLinkBody {
  /** Null for the root of the drive. */
  readonly directoryId: number | null;
  readonly mode: 'VIEW' | 'UPLOAD' | 'BOTH';
  readonly title?: string | null | undefined;
  readonly note?: string | null | undefined;
  readonly password?: string | null | undefined;
  /** ISO-8601 date and time; without a zone it is UTC. */
  readonly expiresAt?: string | null | undefined;
  readonly maxFiles?: number | null | undefined;
  readonly maxBytes?: number | null | undefined;
}

export interface FolderLinkChange {
  readonly mode?: 'VIEW' | 'UPLOAD' | 'BOTH' | undefined;
  readonly title?: string | null | undefined;
  readonly note?: string | null | undefined;
  readonly password?: string | null | undefined;
  /** ISO-8601 date and time; without a zone it is UTC. */
  readonly expiresAt?: string | null | undefined;
  readonly maxFiles?: number | null | undefined;
  readonly maxBytes?: number | null | undefined;
}

export interface FolderLinkRecord {
  readonly id: number;
  readonly token: string;
  readonly directoryId: number;
  /** Null while it is in the recycle bin. */
  readonly directoryPath: string | null;
  readonly inBin: boolean;
  readonly mode: 'VIEW' | 'UPLOAD' | 'BOTH';
  readonly title: string;
  readonly note: string | null;
  readonly passwordProtected: boolean;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly expiresAt: string | null;
  readonly maxFiles: number | null;
  readonly maxBytes: number | null;
  readonly receivedFiles: number;
  readonly receivedBytes: number;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly createdAt: string;
  /** Only in a shared drive; null if the account is gone. */
  readonly createdBy?:
    | {
        readonly accountId: number;
        readonly displayName: string;
      }
    | null
    | undefined;
}

export interface FoundRecord {
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
  /** Only in texts: the passage with the words, each between U+E000 and U+E001; at most 200 characters without them; null if only the name has the words. */
  readonly snippet?: string | null | undefined;
}

export interface IceServers {
  readonly iceServers: readonly {
    readonly urls: readonly string[];
    readonly username?: string | undefined;
    readonly credential?: string | undefined;
  }[];
}

export interface ImportBody {
  /** Below the link, whose root is `/`. */
  readonly path: string;
  /** Absolute, `/`-separated logical path. */
  readonly targetPath?: string | null | undefined;
  /** If the name is taken: FAIL (the default), RENAME to the first free `name (2).ext`, or REPLACE: the existing entry moves to the recycle bin. */
  readonly onConflict?: 'FAIL' | 'RENAME' | 'REPLACE' | null | undefined;
}

export interface Instance {
  /** `Holdall` until an administrator names it. */
  readonly name: string;
  /** Plain text of a few lines. */
  readonly greeting: string | null;
  /** Changes with the logo, so what is there may be cached for ever. */
  readonly logoUrl: string | null;
}

export interface InstanceBody {
  readonly name?: string | null | undefined;
  readonly greeting?: string | null | undefined;
}

export interface Invitation {
  /** The display name of the administrator who created the invite. */
  readonly inviterName: string | null;
}

export interface InviteBody {
  readonly note?: string | null | undefined;
  /** ISO-8601 date and time; without a zone it is UTC. */
  readonly expiresAt?: string | null | undefined;
  readonly uses: number;
  /** The address that the invitation is mailed to. */
  readonly email?: string | null | undefined;
}

export interface InviteCode {
  readonly inviteCode: string;
}

export interface JobRunRecord {
  readonly name: string;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly endedAt: string;
  /** The end of the last run that succeeded. */
  readonly succeededAt: string | null;
  readonly durationSeconds: number;
  /** The runs that have failed so far. */
  readonly failures: number;
  /** Why the last run failed; null if it succeeded. */
  readonly error: string | null;
}

export interface JoinedTransfer {
  readonly sessionId: string;
  readonly pickupCode: string;
  readonly mode: 'ONLINE' | 'OFFLINE';
  readonly status: 'WAITING' | 'JOINED' | 'UPLOADING' | 'READY';
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly expiresAt: string;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly createdAt: string;
  readonly encrypted: boolean;
  readonly salt: string | null;
  readonly files: readonly {
    readonly id: string;
    readonly name: string;
    readonly encryptedName: string | null;
    readonly relativePath: string | null;
    readonly size: number;
    readonly contentType: string | null;
    readonly uploaded: boolean;
  }[];
  /** Identifies a peer; sent as X-Transfer-Token. */
  readonly peerToken?: string | undefined;
}

export interface LinkFilesNotification {
  readonly id: number;
  readonly kind: 'LINK_FILES';
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly at: string;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly readAt: string | null;
  readonly data: {
    readonly linkId: number;
    readonly title: string;
    readonly driveId: number;
    /** Null for the personal drive. */
    readonly driveName: string | null;
    readonly directoryId: number;
    readonly files: number;
    readonly bytes: number;
    readonly senders: readonly string[];
  };
}

export interface LinkStart {
  /** Where to send the browser; it is redirected to `/profile/security` at the end. */
  readonly url: string;
}

export interface LinkedEntry {
  readonly name: string;
  readonly path: string;
  readonly size: number;
  readonly contentType: string | null;
  readonly directory: boolean;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly modifiedAt: string;
  readonly thumbnailVersion: string | null;
  /** In pixels, turned as the orientation says. */
  readonly width: number | null;
  readonly height: number | null;
  /** Of a video, in seconds. */
  readonly duration: number | null;
}

export interface ListedFolderLink {
  readonly id: number;
  /** Null for a caller who may only read, if the link takes uploads. */
  readonly token: string | null;
  readonly directoryId: number;
  /** Null while it is in the recycle bin. */
  readonly directoryPath: string | null;
  readonly inBin: boolean;
  readonly mode: 'VIEW' | 'UPLOAD' | 'BOTH';
  readonly title: string;
  readonly note: string | null;
  readonly passwordProtected: boolean;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly expiresAt: string | null;
  readonly maxFiles: number | null;
  readonly maxBytes: number | null;
  readonly receivedFiles: number;
  readonly receivedBytes: number;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly createdAt: string;
  /** Only in a shared drive; null if the account is gone. */
  readonly createdBy?:
    | {
        readonly accountId: number;
        readonly displayName: string;
      }
    | null
    | undefined;
}

export interface LoginBody {
  readonly username: string;
  readonly password: string;
}

export interface LoginSessionRecord {
  readonly id: string;
  readonly client: 'desktop' | 'mobile';
  /** UUID. */
  readonly device: string | null;
  /** Of the last login or refresh. */
  readonly address: string | null;
  /** Of the last login or refresh. */
  readonly userAgent: string | null;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly createdAt: string;
  /** The last login or refresh. */
  readonly lastUsedAt: string;
  /** Whether it is the session of the request. */
  readonly current: boolean;
  /** Whether it has an event stream with `devices=true` now. */
  readonly here: boolean;
}

export interface LoginState {
  /** The same as accessToken. */
  readonly token: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Seconds until the access token expires. */
  readonly expiresIn: number;
  /** As in user. */
  readonly mustChangePassword: boolean;
  /** True while most calls are refused until the account has a second factor; absent otherwise. */
  readonly mustSetUpSecondFactor?: boolean | undefined;
  readonly user: User;
}

export interface MailOverview {
  readonly isOn: boolean;
  /** The address that mails come from; null if mail is off. */
  readonly from: string | null;
  /** Mails that will be sent, or tried again. */
  readonly waiting: number;
  /** When the mail that has waited longest was queued. */
  readonly oldestAt: string | null;
  /** The mails that failed last for good, the newest first. */
  readonly failed: readonly {
    readonly id: number;
    readonly kind: string;
    readonly address: string;
    /** ISO-8601, UTC, with milliseconds and Z. */
    readonly at: string;
    readonly error: string;
  }[];
  /** Why the last attempt failed, of all mails that were not sent. */
  readonly lastError: string | null;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly lastSentAt: string | null;
}

export interface Maintenance {
  /** The last run of `holdall backup`. */
  readonly backup: JobRunRecord | null;
  /** The last run of `holdall doctor`. */
  readonly doctor: JobRunRecord | null;
  /** The last run of `holdall doctor --deep`. */
  readonly deepDoctor: JobRunRecord | null;
  /** The last run of each maintenance job, by name. */
  readonly jobs: readonly JobRunRecord[];
}

export interface MaxEntriesBody {
  readonly maxEntries: number;
}

export interface MigrationBody {
  readonly sourcePolicyId: number;
  readonly targetPolicyId: number;
  /** A second request with the same id gives the first task. */
  readonly correlationId?: string | null | undefined;
}

export interface MobileRelease {
  /** A URL of this service. */
  readonly downloadUrl: string;
  readonly fileName: string;
  readonly versionName: string;
  readonly versionCode: number;
  readonly size: number;
  readonly sha256: string | null;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly releasedAt: string;
}

export interface NewAdminUser {
  readonly id: number;
  readonly username: string;
  readonly displayName: string;
  readonly email: string | null;
  readonly phoneNumber: string | null;
  readonly role: 'USER' | 'MODERATOR' | 'ADMIN';
  readonly banned: boolean;
  /** Whether the account and its data are being deleted. */
  readonly deleting: boolean;
  readonly storageUsedBytes: number;
  readonly storageQuotaBytes: number;
  readonly maxUploadSizeBytes: number;
  readonly maxEntries: number;
  readonly entryCount: number;
  readonly fileCount: number;
  /** Whether an authenticator app is set up. */
  readonly totp: boolean;
  readonly passkeys: number;
  readonly identities: readonly {
    readonly id: number;
    readonly issuer: string;
    /** ISO-8601, UTC, with milliseconds and Z. */
    readonly createdAt: string;
  }[];
  readonly hasPassword: boolean;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly createdAt: string;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly lastActiveAt: string | null;
  /** The generated password, only in this response. */
  readonly temporaryPassword: string | null;
}

export interface NewAppPassword {
  readonly id: number;
  readonly name: string;
  readonly scope: 'READ' | 'WRITE';
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly createdAt: string;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly expiresAt: string | null;
  /** Accurate to a minute. */
  readonly lastUsedAt: string | null;
  readonly password: string;
}

export interface NewCredential {
  readonly id: string;
  readonly rawId: string;
  readonly type: 'public-key';
  readonly response: {
    readonly clientDataJSON: string;
    readonly attestationObject: string;
    readonly transports?: readonly string[] | undefined;
  };
}

export interface NewPasskeyBody {
  readonly name: string;
  readonly credential: NewCredential;
}

export interface NewPasswordBody {
  readonly newPassword: string;
}

export interface NewUserBody {
  readonly username: string;
  readonly email: string;
  readonly phoneNumber: string;
  readonly password?: string | null | undefined;
}

export interface NotificationPage {
  readonly items: readonly (
    | DriveMemberNotification
    | LinkFilesNotification
    | TransferFetchedNotification
    | ShareEndedNotification
    | SecurityNotification
    | DriveFullNotification
    | TaskFailedNotification
    | ServiceFaultNotification
  )[];
  readonly total: number;
  readonly page: number;
  readonly size: number;
  /** Of all notifications, not only of this page. */
  readonly unread: number;
}

export interface NotificationSetting {
  readonly app: boolean;
  readonly mail: boolean;
  /** Whether mail is always sent and cannot be turned off. */
  readonly isMailFixed: boolean;
}

export interface NotificationSettings {
  readonly DRIVE_MEMBER: NotificationSetting;
  readonly LINK_FILES: NotificationSetting;
  readonly TRANSFER_FETCHED: NotificationSetting;
  readonly SHARE_ENDED: NotificationSetting;
  readonly SECURITY: NotificationSetting;
  readonly DRIVE_FULL: NotificationSetting;
  readonly TASK_FAILED: NotificationSetting;
  readonly SERVICE_FAULT: NotificationSetting;
}

export interface NotificationSettingsBody {
  readonly DRIVE_MEMBER?:
    | {
        readonly app: boolean;
        readonly mail: boolean;
      }
    | undefined;
  readonly LINK_FILES?:
    | {
        readonly app: boolean;
        readonly mail: boolean;
      }
    | undefined;
  readonly TRANSFER_FETCHED?:
    | {
        readonly app: boolean;
        readonly mail: boolean;
      }
    | undefined;
  readonly SHARE_ENDED?:
    | {
        readonly app: boolean;
        readonly mail: boolean;
      }
    | undefined;
  readonly SECURITY?:
    | {
        readonly app: boolean;
        readonly mail: boolean;
      }
    | undefined;
  readonly DRIVE_FULL?:
    | {
        readonly app: boolean;
        readonly mail: boolean;
      }
    | undefined;
  readonly TASK_FAILED?:
    | {
        readonly app: boolean;
        readonly mail: boolean;
      }
    | undefined;
  readonly SERVICE_FAULT?:
    | {
        readonly app: boolean;
        readonly mail: boolean;
      }
    | undefined;
}

export interface OfferBody {
  /** The `id` of a session of `GET /api/user/sessions`. */
  readonly session: string;
}

export interface OfflineLimit {
  readonly offlineTransferStorageLimitBytes: number;
}

export interface OwnShareLink {
  readonly id: number;
  readonly token: string;
  readonly url: string;
  readonly filename: string;
  readonly size: number;
  readonly contentType: string | null;
  readonly directory: boolean;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly createdAt: string;
  readonly viewCount: number;
  readonly importCount: number;
  /** Only in a shared drive; null if the account is gone. */
  readonly createdBy?:
    | {
        readonly accountId: number;
        readonly displayName: string;
      }
    | null
    | undefined;
  readonly file: EntryRecord;
}

export interface OwnTransferRecord {
  readonly sessionId: string;
  /** Null for an app password that may only read. */
  readonly pickupCode: string | null;
  readonly mode: 'ONLINE' | 'OFFLINE';
  readonly status: 'WAITING' | 'JOINED' | 'UPLOADING' | 'READY';
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly expiresAt: string;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly createdAt: string;
  readonly encrypted: boolean;
  readonly salt: string | null;
  readonly files: readonly {
    readonly id: string;
    readonly name: string;
    readonly encryptedName: string | null;
    readonly relativePath: string | null;
    readonly size: number;
    readonly contentType: string | null;
    readonly uploaded: boolean;
  }[];
  /** Also where `files` is empty: the list would be too long with them. */
  readonly fileCount: number;
  readonly totalBytes: number;
}

export interface PartBody {
  readonly etag: string;
  readonly size: number;
}

export interface PasskeyLoginBody {
  readonly credential: UsedCredential;
}

export interface PasskeyRecord {
  readonly id: number;
  readonly name: string;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly createdAt: string;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly lastUsedAt: string | null;
}

export interface PolicyBody {
  readonly name: string;
  readonly type: 'LOCAL' | 'S3_COMPATIBLE';
  readonly bucketName?: string | null | undefined;
  readonly endpoint?: string | null | undefined;
  readonly region?: string | null | undefined;
  readonly prefix?: string | null | undefined;
  readonly credentialMode: 'NONE' | 'STATIC';
  readonly maxSizeBytes: number;
  readonly capabilities: {
    readonly directUpload?: boolean | undefined;
    readonly multipartUpload?: boolean | undefined;
    readonly signedDownloadUrl?: boolean | undefined;
    readonly serverProxyDownload?: boolean | undefined;
    readonly requiresCors?: boolean | undefined;
    readonly maxObjectSize?: number | undefined;
  };
  readonly enabled: boolean;
}

export interface PolicyStatusBody {
  readonly enabled: boolean;
}

export interface ProfileBody {
  readonly displayName?: string | undefined;
  readonly email?: string | null | undefined;
  readonly phoneNumber?: string | null | undefined;
  readonly bio?: string | null | undefined;
  /** BCP 47 language tag. */
  readonly preferredLanguage?: string | null | undefined;
  readonly firstStepsHidden?: boolean | undefined;
  /** Proves who changes the address, if the login is older than 15 minutes. */
  readonly password?: string | undefined;
}

export interface PublicFolderLink {
  readonly token: string;
  readonly mode: 'VIEW' | 'UPLOAD' | 'BOTH';
  readonly title: string;
  readonly note: string | null;
  readonly ownerName: string;
  /** Of the profile picture; absent without one, and until the password was entered. */
  readonly ownerAvatarUrl?: string | undefined;
  readonly passwordRequired: boolean;
  /** Whether the password is not required, or was entered. */
  readonly passwordVerified: boolean;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly expiresAt: string | null;
  /** Null: no limit. */
  readonly remainingFiles: number | null;
  /** Null: no limit. */
  readonly remainingBytes: number | null;
}

export interface PublicShareLink {
  readonly token: string;
  readonly url: string;
  readonly filename: string;
  readonly size: number;
  readonly contentType: string | null;
  readonly directory: boolean;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly createdAt: string;
  readonly ownerUsername: string;
  /** Of the profile picture; absent without one, and until the password was entered. */
  readonly ownerAvatarUrl?: string | undefined;
  /** For a folder: the number of files below it. */
  readonly fileCount?: number | undefined;
}

export interface PushState {
  readonly publicKey: string | null;
  readonly subscriptions: number;
  readonly current: boolean;
}

export interface PushSubscriptionBody {
  /** The `https` address at the push service of the browser. */
  readonly endpoint: string;
  readonly keys: {
    /** The public key, in base64url. */
    readonly p256dh: string;
    /** The shared secret, in base64url. */
    readonly auth: string;
  };
}

export interface QuotaBody {
  readonly storageQuotaBytes: number;
}

export interface ReadNotificationsBody {
  readonly ids?: readonly number[] | undefined;
  /** An id: also every notification up to this one. */
  readonly until?: number | undefined;
}

export interface ReceivedFile {
  /** As stored; where the mode is UPLOAD, as sent. */
  readonly name: string;
  readonly size: number;
}

export interface RecentRecord {
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
  /** Of a file that a visitor of a folder link sent. */
  readonly receivedThrough: {
    /** The title of the folder link. */
    readonly title: string;
    /** The name that the visitor gave. */
    readonly sender: string | null;
  } | null;
}

export interface RecoveryCodes {
  readonly recoveryCodes: readonly string[];
}

export interface RefreshBody {
  readonly refreshToken: string;
}

export interface RegisterBody {
  readonly username: string;
  readonly email: string;
  readonly phoneNumber: string;
  readonly password: string;
  readonly confirmPassword: string;
  readonly inviteCode: string;
  /** BCP 47 language tag. */
  readonly preferredLanguage?: string | undefined;
}

export interface RenameBody {
  readonly filename: string;
  /** If the name is taken: FAIL (the default), RENAME to the first free `name (2).ext`, or REPLACE: the existing entry moves to the recycle bin. */
  readonly onConflict?: 'FAIL' | 'RENAME' | 'REPLACE' | null | undefined;
}

export interface RequestOptions {
  readonly challenge: string;
  /** Milliseconds. */
  readonly timeout: number;
  readonly rpId: string;
  readonly userVerification: string;
}

export interface RoleBody {
  readonly role: 'USER' | 'MODERATOR' | 'ADMIN';
}

export interface SecondFactorBody {
  readonly ticket: string;
  /** 6 digits, or a recovery code. */
  readonly code: string;
}

export interface SecurityChange {
  readonly id: number;
  /** As in the audit log. */
  readonly action:
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
    | 'UPDATE_USER_PASSWORD'
    | 'RESET_USER_PASSWORD'
    | 'RESET_SECOND_FACTORS'
    | 'DELETE_IDENTITY';
  /** False for a change by an administrator or on the command line. */
  readonly byOwner: boolean;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly createdAt: string;
}

export interface SecurityNotification {
  readonly id: number;
  readonly kind: 'SECURITY';
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly at: string;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly readAt: string | null;
  readonly data: {
    /** A new login, or a change as in the audit log. */
    readonly event:
      | 'NEW_LOGIN'
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
      | 'UPDATE_USER_PASSWORD'
      | 'RESET_USER_PASSWORD'
      | 'RESET_SECOND_FACTORS'
      | 'DELETE_IDENTITY';
    /** What the client calls itself. */
    readonly program: string | null;
    readonly address: string | null;
  };
}

export interface ServiceFaultNotification {
  readonly id: number;
  readonly kind: 'SERVICE_FAULT';
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly at: string;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly readAt: string | null;
  readonly data: {
    readonly fault: 'DISK' | 'JOB' | 'DOCTOR' | 'BACKUP';
    /** The job, or a directory on the disk. */
    readonly name: string;
    readonly message: string;
  };
}

export interface SessionRecord {
  readonly sessionId: string;
  readonly objectKey: string;
  readonly directUpload: boolean;
  readonly multipartUpload: boolean;
  readonly uploadMode: string;
  readonly path: string;
  readonly filename: string;
  readonly contentType: string;
  readonly size: number;
  readonly storagePolicyId: number;
  readonly status: string;
  readonly chunkSize: number;
  readonly chunkCount: number;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly expiresAt: string;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly createdAt: string;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly updatedAt: string;
  /** The announced time of the content. */
  readonly modifiedAt: string | null;
  readonly strategy: {
    readonly prepareUrl?: string | undefined;
    readonly proxyContentUrl?: string | undefined;
    readonly proxyFormField?: string | undefined;
    readonly partPrepareUrlTemplate?: string | undefined;
    readonly partRecordUrlTemplate?: string | undefined;
    readonly completeUrl: string;
  };
  readonly fileId: number | null;
}

export interface SessionWithRuntime {
  readonly sessionId: string;
  readonly objectKey: string;
  readonly directUpload: boolean;
  readonly multipartUpload: boolean;
  readonly uploadMode: string;
  readonly path: string;
  readonly filename: string;
  readonly contentType: string;
  readonly size: number;
  readonly storagePolicyId: number;
  readonly status: string;
  readonly chunkSize: number;
  readonly chunkCount: number;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly expiresAt: string;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly createdAt: string;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly updatedAt: string;
  /** The announced time of the content. */
  readonly modifiedAt: string | null;
  readonly strategy: {
    readonly prepareUrl?: string | undefined;
    readonly proxyContentUrl?: string | undefined;
    readonly proxyFormField?: string | undefined;
    readonly partPrepareUrlTemplate?: string | undefined;
    readonly partRecordUrlTemplate?: string | undefined;
    readonly completeUrl: string;
  };
  readonly fileId: number | null;
  readonly runtime: {
    readonly phase: string;
    readonly uploadedBytes: number;
    readonly uploadedPartCount: number;
    readonly progressPercent: number;
    /** ISO-8601, UTC, with milliseconds and Z. */
    readonly lastUpdatedAt: string;
    /** ISO-8601, UTC, with milliseconds and Z. */
    readonly expiresAt: string;
  } | null;
}

export interface SettingsSnapshot {
  readonly registration: {
    readonly inviteCode: string | null;
    readonly defaultStorageQuotaBytes: number;
    readonly defaultMaxUploadSizeBytes: number;
    readonly defaultMaxEntries: number;
    readonly defaultDirectories: readonly string[];
  };
  readonly sessions: {
    readonly accessTokenSeconds: number;
    readonly refreshTokenSeconds: number;
    readonly devLogin: boolean;
    readonly rateLimits: boolean;
  };
  readonly drives: {
    readonly sharedDriveCreators: 'all' | 'admins' | 'off';
    /** That one account may have created. */
    readonly maxSharedDrives: number;
    readonly deletedDriveRetentionSeconds: number;
    readonly peopleSearch: 'known' | 'all';
  };
  readonly transfer: {
    readonly onlineSeconds: number;
    readonly offlineSeconds: number;
    readonly offlineTransferStorageLimitBytes: number;
    readonly iceServerCount: number;
  };
  readonly tasks: {
    readonly cleanupIntervalSeconds: number;
    readonly recycleRetentionSeconds: number;
    readonly uploadSessionSeconds: number;
    readonly sweepGraceSeconds: number;
  };
  readonly storage: {
    readonly type: 'LOCAL' | 'S3_COMPATIBLE';
    readonly defaultPolicyId: number;
    readonly downloadUrlSeconds: number;
    readonly accelRedirect: boolean;
  };
  readonly database: {
    readonly engine: 'sqlite' | 'postgres';
  };
  readonly timeZone: string;
  readonly version: string;
}

export interface ShareEndedNotification {
  readonly id: number;
  readonly kind: 'SHARE_ENDED';
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly at: string;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly readAt: string | null;
  readonly data: {
    readonly of: 'SHARE' | 'FOLDER_LINK';
    readonly id: number;
    readonly name: string;
    readonly driveId: number;
    readonly reason: 'USED_UP' | 'EXPIRES_SOON';
    /** Milliseconds since 1970. */
    readonly expiresAt: number | null;
  };
}

export interface ShareLink {
  readonly token: string;
  readonly url: string;
  readonly filename: string;
  readonly size: number;
  readonly contentType: string | null;
  readonly directory: boolean;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly createdAt: string;
}

export interface ShareSummary {
  readonly id: number;
  readonly token: string;
  readonly shareName: string;
  readonly ownerUsername: string;
  /** Of the profile picture; absent without one, and until the password was entered. */
  readonly ownerAvatarUrl?: string | undefined;
  readonly passwordRequired: boolean;
  readonly passwordVerified: boolean;
  readonly allowImport: boolean;
  readonly allowDownload: boolean;
  readonly maxDownloads: number | null;
  readonly downloadCount: number;
  readonly viewCount: number;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly expiresAt: string | null;
  readonly expired: boolean;
  readonly exhausted: boolean;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly createdAt: string;
  /** Only in a shared drive; null if the account is gone. */
  readonly createdBy?:
    | {
        readonly accountId: number;
        readonly displayName: string;
      }
    | null
    | undefined;
  readonly file?:
    | {
        readonly id: number;
        readonly filename: string;
        /** Absolute, `/`-separated logical path. */
        readonly path?: string | undefined;
        /** Absolute, `/`-separated logical path. */
        readonly parentPath?: string | undefined;
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
        readonly driveId?: number | undefined;
        /** Only in a shared drive: who last changed content, name or place; null if the account is gone. */
        readonly changedBy?:
          | {
              readonly accountId: number;
              readonly displayName: string;
            }
          | null
          | undefined;
      }
    | undefined;
}

export interface SignalBody {
  readonly type: string;
  /** Any JSON. */
  readonly payload?: unknown;
  readonly role?: string | null | undefined;
}

export interface SignalPage {
  readonly items: readonly SignalRecord[];
  readonly nextCursor: number;
}

export interface SignalRecord {
  readonly cursor: number;
  readonly from: 'sender' | 'receiver';
  readonly type: string;
  readonly payload: unknown;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly createdAt: string;
}

export interface SignedUrl {
  readonly url: string;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly expiresAt: string;
}

export interface StatusBody {
  readonly banned?: boolean | undefined;
  readonly status?: 'ACTIVE' | 'BANNED' | undefined;
}

export interface Summary {
  readonly totalUsers: number;
  /** Without deleted ones. */
  readonly totalSharedDrives: number;
  readonly totalFiles: number;
  readonly totalStorageBytes: number;
  readonly inviteCode: string | null;
  readonly requestCount: number;
  readonly requestTimeline: readonly {
    readonly hour: number;
    readonly label: string;
    readonly requestCount: number;
  }[];
  readonly dailyActiveUsers: readonly {
    readonly date: string;
    readonly label: string;
    readonly userCount: number;
    /** The first ones of `userCount`, by name. */
    readonly usernames: readonly string[];
  }[];
  readonly offlineTransferStorageBytes: number;
  readonly offlineTransferStorageLimitBytes: number;
}

export interface TargetBody {
  /** Absolute, `/`-separated logical path. */
  readonly path: string;
  /** If the name is taken: FAIL (the default), RENAME to the first free `name (2).ext`, or REPLACE: the existing entry moves to the recycle bin. */
  readonly onConflict?: 'FAIL' | 'RENAME' | 'REPLACE' | null | undefined;
}

export interface TaskFailedNotification {
  readonly id: number;
  readonly kind: 'TASK_FAILED';
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly at: string;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly readAt: string | null;
  readonly data: {
    readonly taskId: number;
    readonly type: string;
    readonly driveId: number;
    /** A sentence for people. */
    readonly error: string;
  };
}

export interface TaskRecord {
  readonly id: number;
  readonly userId: number | null;
  readonly type: string;
  readonly status: string;
  readonly correlationId: string | null;
  readonly errorMessage: string | null;
  readonly failureCategory: string | null;
  /** Depends on type and status. */
  readonly publicStateJson: Readonly<Record<string, unknown>>;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly createdAt: string;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly updatedAt: string;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly finishedAt: string | null;
}

export interface TemporaryPassword {
  readonly temporaryPassword: string;
}

export interface TicketBody {
  readonly ticket: string;
}

export interface TotpCodeBody {
  /** 6 digits, or a recovery code. */
  readonly code: string;
}

export interface TotpEnrolment {
  /** Base32, for authenticator apps. */
  readonly secret: string;
  /** What a QR code for authenticator apps contains. */
  readonly otpauthUri: string;
}

export interface TransferFetchedNotification {
  readonly id: number;
  readonly kind: 'TRANSFER_FETCHED';
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly at: string;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly readAt: string | null;
  readonly data: {
    readonly files: number;
    /** Of the first file; empty if it is encrypted. */
    readonly fileName: string;
  };
}

export interface TransferForPeer {
  readonly sessionId: string;
  readonly pickupCode: string;
  readonly mode: 'ONLINE' | 'OFFLINE';
  readonly status: 'WAITING' | 'JOINED' | 'UPLOADING' | 'READY';
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly expiresAt: string;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly createdAt: string;
  readonly encrypted: boolean;
  readonly salt: string | null;
  readonly files: readonly {
    readonly id: string;
    readonly name: string;
    readonly encryptedName: string | null;
    readonly relativePath: string | null;
    readonly size: number;
    readonly contentType: string | null;
    readonly uploaded: boolean;
  }[];
  /** Identifies a peer; sent as X-Transfer-Token. */
  readonly peerToken: string;
}

export interface TransferRecord {
  readonly sessionId: string;
  readonly pickupCode: string;
  readonly mode: 'ONLINE' | 'OFFLINE';
  readonly status: 'WAITING' | 'JOINED' | 'UPLOADING' | 'READY';
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly expiresAt: string;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly createdAt: string;
  readonly encrypted: boolean;
  readonly salt: string | null;
  readonly files: readonly {
    readonly id: string;
    readonly name: string;
    readonly encryptedName: string | null;
    readonly relativePath: string | null;
    readonly size: number;
    readonly contentType: string | null;
    readonly uploaded: boolean;
  }[];
}

export interface UnreadCount {
  readonly unread: number;
}

export interface UploadLimitBody {
  readonly maxUploadSizeBytes: number;
}

export interface UploadTarget {
  readonly direct: boolean;
  readonly uploadUrl: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly storageName: string | null;
}

export interface UsedCredential {
  readonly id: string;
  readonly rawId: string;
  readonly type: 'public-key';
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
    readonly userHandle?: string | null | undefined;
  };
}

export interface User {
  readonly id: number;
  readonly username: string;
  readonly displayName: string;
  readonly email: string | null;
  /** Whether mail to this address is known to reach the owner; false without an address. */
  readonly emailVerified: boolean;
  readonly phoneNumber: string | null;
  readonly bio: string | null;
  /** BCP 47 language tag. */
  readonly preferredLanguage: string | null;
  /** Whether the user has hidden the list of first steps. */
  readonly firstStepsHidden: boolean;
  readonly avatarUrl: string | null;
  readonly role: 'USER' | 'MODERATOR' | 'ADMIN';
  /** Whether every other call is refused until it is changed. */
  readonly mustChangePassword: boolean;
  /** ISO-8601, UTC, with milliseconds and Z. */
  readonly createdAt: string;
  readonly storageQuotaBytes: number;
  readonly storageUsedBytes: number;
  /** Of the recycle bin and of former versions, which do not count as used. */
  readonly keptBytes: number;
  readonly maxKeptBytes: number;
  readonly maxUploadSizeBytes: number;
  readonly maxEntries: number;
  /** Files and directories, also those in the recycle bin. */
  readonly entryCount: number;
}

export interface ZipDownloadBody {
  readonly fileIds: readonly number[];
  readonly name?: string | null | undefined;
}
