import type { Migration } from '../migration.ts';

/* What the properties of WebDAV clients and the files of transfers take, so that it can be limited for each drive. */
export const chargedTexts: Migration = {
  name: '0041-charged-texts',
  statements: ({ integer }) => [
    // No foreign key: the row goes with its entry.
    `alter table dav_property add column owner_id ${integer} not null default 0`,
    `alter table dav_property add column bytes ${integer} not null default 0`,
    `update dav_property set
      owner_id = (select entry.owner_id from entry where entry.id = dav_property.entry_id),
      bytes = 64 + octet_length(namespace) + octet_length(name) + octet_length(value)`,
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
