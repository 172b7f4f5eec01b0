export type TaskType = 'ARCHIVE' | 'EXTRACT' | 'MEDIA_META' | 'STORAGE_POLICY_MIGRATION';

export type TaskStatus = 'QUEUED' | 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELLED';

/** Why an attempt failed, which decides whether and when it is retried. */
export type FailureCategory =
  | 'TRANSIENT_INFRASTRUCTURE'
  | 'RATE_LIMITED'
  | 'UNKNOWN'
  | 'UNSUPPORTED_INPUT'
  | 'DATA_STATE';
