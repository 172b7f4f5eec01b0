/**
 * What the rows are that may refer to a blob: entries (and releases), accounts, or files of OFFLINE
 * transfers.
 */
export type BlobKind = 'FILE' | 'AVATAR' | 'TRANSFER';
