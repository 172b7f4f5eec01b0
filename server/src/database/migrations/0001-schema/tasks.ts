import type { ColumnTypes } from '../../migration.ts';

export const tasks = ({ id, integer, text }: ColumnTypes): readonly string[] => [
  // A task has a lease exactly while it is RUNNING; the checks make any other state impossible.
  // No foreign key to the account, which may be gone before the tasks that it had in shared drives.
  `create table task (
    id ${id},
    drive_id ${integer} not null references drive (id),
    account_id ${integer},
    type ${text} not null check (type in ('ARCHIVE', 'EXTRACT', 'MEDIA_META', 'STORAGE_POLICY_MIGRATION')),
    status ${text} not null check (status in ('QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED')),
    entry_id ${integer},
    correlation_id ${text},
    is_automatic ${integer} not null default 0 check (is_automatic in (0, 1)),
    input ${text} not null,
    progress ${text} not null,
    attempt ${integer} not null,
    attempt_count ${integer} not null check (attempt_count >= 0),
    max_attempts ${integer} not null check (max_attempts > 0),
    unknown_failures ${integer} not null,
    worker ${text},
    started_at ${integer},
    heartbeat_at ${integer},
    lease_expires_at ${integer},
    run_at ${integer} not null,
    retry_delay_ms ${integer},
    last_failure_message ${text},
    last_failure_at ${integer},
    error_message ${text},
    failure_category ${text} check (failure_category in
      ('TRANSIENT_INFRASTRUCTURE', 'RATE_LIMITED', 'UNKNOWN', 'UNSUPPORTED_INPUT', 'DATA_STATE')),
    created_at ${integer} not null,
    updated_at ${integer} not null,
    finished_at ${integer},
    check ((status = 'RUNNING') = (worker is not null)),
    check (status <> 'RUNNING' or started_at is not null),
    check ((status = 'RUNNING') = (heartbeat_at is not null)),
    check ((status = 'RUNNING') = (lease_expires_at is not null)),
    check ((status in ('QUEUED', 'RUNNING')) = (finished_at is null))
  )`,
  `create unique index task__drive_id__correlation_id on task (drive_id, correlation_id)
    where correlation_id is not null`,
  'create index task__page on task (drive_id, id)',
  'create index task__account_id on task (account_id) where account_id is not null',
  // These find the drive whose turn it is and the time when the next task is due. The indexes on running
  // tasks have at most as many rows as there are workers.
  "create index task__queue on task (drive_id, run_at, id) where status = 'QUEUED'",
  'create index task__served on task (drive_id, started_at) where started_at is not null',
  "create index task__run_at on task (run_at) where status = 'QUEUED'",
  "create index task__running on task (drive_id) where status = 'RUNNING'",
  "create index task__started_at on task (started_at) where status = 'RUNNING'",
  "create index task__lease_expires_at on task (lease_expires_at) where status = 'RUNNING'",
  'create index task__finished_at on task (finished_at) where finished_at is not null',

  // For those filters of the administrators' task list that an index can narrow down. These indexes also
  // count tasks without reading rows.
  'create index task__status on task (status, id, type, drive_id)',
  'create index task__type on task (type, id)',
  'create index task__failure_category on task (failure_category, id) where failure_category is not null',

  // Limit unfinished tasks: one metadata task per file, and a maximum per account, which excludes automatic
  // tasks.
  `create unique index task__unfinished_media on task (entry_id)
    where type = 'MEDIA_META' and status in ('QUEUED', 'RUNNING')`,
  `create index task__media on task (entry_id) where type = 'MEDIA_META'`,
  `create index task__counted on task (account_id)
    where is_automatic = 0 and status in ('QUEUED', 'RUNNING')`,
];
