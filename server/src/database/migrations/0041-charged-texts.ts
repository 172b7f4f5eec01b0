import type { Migration } from '../migration.ts';

/*
 * What the properties of WebDAV clients and the files of transfers take, so that it can be limited. The properties of
 * an entry become one row: a hundred thousand small ones would take too long to count or to copy.
 */
export const chargedTexts: Migration = {
  name: '0041-charged-texts',
  statements: ({ integer, text }, engine) => [
    'alter table dav_property rename to old_dav_property',
    `create table dav_property (
      entry_id ${integer} primary key references entry (id) on delete cascade,
      owner_id ${integer} not null references account (id),
      bytes ${integer} not null,
      properties ${text} not null
    )`,
    `insert into dav_property (entry_id, owner_id, bytes, properties)
      select entry_id, owner_id, 256 + octet_length(properties), properties
      from (
        select entry_id, ${LIST[engine]} as properties from old_dav_property group by entry_id
      ) as listed join entry on entry.id = listed.entry_id`,
    'drop table old_dav_property',
    'create index dav_property__owner_id on dav_property (owner_id, bytes)',

    `alter table transfer_session add column file_count ${integer} not null default 0`,
    `alter table transfer_session add column text_bytes ${integer} not null default 0`,
    `update transfer_session set
      file_count = (select count(*) from transfer_file where session_id = transfer_session.id),
      text_bytes = (
        select coalesce(sum(100 + octet_length(name) + coalesce(octet_length(encrypted_name), 0)
          + coalesce(octet_length(relative_path), 0) + coalesce(octet_length(content_type), 0)), 0)
        from transfer_file where session_id = transfer_session.id)`,
  ],
};

/** A JSON list of the properties of one entry. */
const LIST = {
  sqlite: 'json_group_array(json_array(namespace, name, value))',
  postgres: 'cast(json_agg(json_build_array(namespace, name, value)) as text)',
} as const;
