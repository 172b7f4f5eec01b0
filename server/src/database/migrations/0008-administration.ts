import type { Migration } from '../migration.ts';

export const administration: Migration = {
  name: '0008-administration',
  statements: ({ id, integer, text }) => [
    // Never deleted. An actor without an id is the command line.
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

    // Counted per quarter of an hour: in every time zone hours and days consist of whole quarters.
    `create table request_count (
      quarter ${integer} primary key,
      requests ${integer} not null check (requests >= 0)
    )`,
    // The day in the server's time zone at that moment.
    `create table active_day (
      day ${text} not null,
      account_id ${integer} not null references account (id),
      primary key (day, account_id)
    )`,
    // Separate from the account, whose row is locked by every transaction that changes the drive.
    `create table last_activity (
      account_id ${integer} primary key references account (id),
      active_at ${integer} not null
    )`,

    `alter table account add column file_count ${integer} not null default 0 check (file_count >= 0)`,
    `update account set file_count = (
      select count(*) from entry
      where entry.owner_id = account.id and entry.is_directory = 0 and entry.deleted_at is null
    )`,

    // The sum of all blobs up to an id. The few blobs after it are added when the total is read.
    `create table blob_total (
      through_id ${integer} not null,
      objects ${integer} not null check (objects >= 0),
      bytes ${integer} not null check (bytes >= 0)
    )`,
    'insert into blob_total (through_id, objects, bytes) values (0, 0, 0)',

    // The filters of the administrators' task list that an index can narrow down. They also count without
    // reading rows.
    'create index task__status on task (status, id, type, owner_id)',
    'create index task__type on task (type, id)',
    'create index task__failure_category on task (failure_category, id) where failure_category is not null',

    'create unique index storage_policy__name on storage_policy (name)',
    // Leaves out the first policy, which most blobs belong to, so that most uploads do not write this index.
    'create index blob__policy_id on blob (policy_id, id) where policy_id > 1',
  ],
};
