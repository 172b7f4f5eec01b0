export type BlobKind = 'FILE' | 'AVATAR' | 'TRANSFER';
