export type PolicyType = 'LOCAL' | 'S3_COMPATIBLE';

export type CredentialMode = 'NONE' | 'STATIC';
