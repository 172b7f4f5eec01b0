import type { ColumnTypes } from '../../migration.ts';

/** Settings, leases, the audit log, the figures of the overview, and the releases of the mobile app. */
export const administration = ({ id, integer, text }: ColumnTypes): readonly string[] => [
  `create table setting (
    name ${text} primary key,
    value ${text} not null,
    updated_at ${integer} not null
  )`,

  `create table lease (
    name ${text} primary key,
    holder ${text} not null,
    expires_at ${integer} not null
  )`,

  // How the last run of each maintenance job, of the backup and of the doctor ended, for administrators.
  `create table job_run (
    name ${text} primary key,
    ended_at ${integer} not null,
    duration_ms ${integer} not null,
    succeeded_at ${integer},
    failures ${integer} not null,
    error ${text}
  )`,

  // Faults that last or have ended recently, and when administrators were last told about them.
  `create table service_fault (
    name ${text} primary key,
    began_at ${integer} not null,
    notified_at ${integer} not null,
    ended_at ${integer}
  )`,

  // Never deleted. If the actor has no id, it is the command line.
  `create table audit (
    id ${id},
    actor_id ${integer} references account (id),
    actor ${text} not null,
    folded_actor ${text} not null,
    action ${text} not null,
    target_type ${text} not null,
    target_id ${text},
    target ${text} not null,
    summary ${text} not null,
    details ${text} not null,
    created_at ${integer} not null
  )`,
  'create index audit__action on audit (action, id)',
  'create index audit__target_type on audit (target_type, id)',
  'create index audit__target_id on audit (target_id, id)',

  // Counted in 15-minute buckets: in every time zone, hours and days consist of whole buckets.
  `create table request_count (
    quarter ${integer} primary key,
    requests ${integer} not null check (requests >= 0)
  )`,

  // `day` is in the time zone that the server had at that moment.
  `create table active_day (
    day ${text} not null,
    account_id ${integer} not null references account (id),
    primary key (day, account_id)
  )`,

  `create table mobile_release (
    id ${id},
    version_code ${integer} not null check (version_code > 0),
    version_name ${text} not null,
    file_name ${text} not null,
    blob_id ${integer} not null references blob (id),
    released_at ${integer} not null
  )`,
  'create unique index mobile_release__version_code on mobile_release (version_code)',
  'create unique index mobile_release__file_name on mobile_release (file_name)',
  'create index mobile_release__blob_id on mobile_release (blob_id)',
];
