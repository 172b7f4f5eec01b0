export type PolicyType = 'LOCAL' | 'S3_COMPATIBLE';

/** Whether requests to the store need credentials. The credentials themselves come from the environment. */
export type CredentialMode = 'NONE' | 'STATIC';

/**
 * COPYING: objects are copied and no blob has changed. SWITCHED: the blobs refer to the target, and the
 * source objects remain to be removed. ABANDONED: the migration failed or was cancelled, and the copies
 * remain to be removed.
 */
export type PolicyMigrationStatus = 'COPYING' | 'SWITCHED' | 'ABANDONED';

/**
 * The kind of rows that may refer to a blob: entries (and releases), accounts, or files of OFFLINE transfers.
 */
export type BlobKind = 'FILE' | 'AVATAR' | 'TRANSFER';
