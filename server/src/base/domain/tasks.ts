export type TaskType = 'ARCHIVE' | 'EXTRACT' | 'MEDIA_META' | 'STORAGE_POLICY_MIGRATION';

export type TaskStatus = 'QUEUED' | 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELLED';

export type FailureCategory =
  | 'TRANSIENT_INFRASTRUCTURE'
  | 'RATE_LIMITED'
  | 'UNKNOWN'
  | 'UNSUPPORTED_INPUT'
  | 'DATA_STATE';
