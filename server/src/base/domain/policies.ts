export type PolicyType = 'LOCAL' | 'S3_COMPATIBLE';

/** Whether requests to the store need credentials. The credentials themselves come from the environment. */
export type CredentialMode = 'NONE' | 'STATIC';
