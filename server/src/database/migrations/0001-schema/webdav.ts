import type { ColumnTypes } from '../../migration.ts';

export const webdav = ({ id, integer, text }: ColumnTypes): readonly string[] => [
  `create table dav_lock (
    id ${id},
    token ${text} not null,
    drive_id ${integer} not null references drive (id),
    entry_id ${integer} not null references entry (id) on delete cascade,
    account_id ${integer} not null,
    is_exclusive ${integer} not null check (is_exclusive in (0, 1)),
    is_deep ${integer} not null check (is_deep in (0, 1)),
    owner_xml ${text} not null,
    expires_at ${integer} not null,
    created_at ${integer} not null
  )`,
  'create unique index dav_lock__token on dav_lock (token)',
  'create index dav_lock__drive_id on dav_lock (drive_id, expires_at)',
  'create index dav_lock__entry_id on dav_lock (entry_id)',
  'create index dav_lock__expires_at on dav_lock (expires_at)',

  // All properties of an entry are in one row: counting or copying 100,000 small rows would take too long.
  `create table dav_property (
    entry_id ${integer} primary key references entry (id) on delete cascade,
    drive_id ${integer} not null references drive (id),
    bytes ${integer} not null,
    properties ${text} not null
  )`,
  'create index dav_property__drive_id on dav_property (drive_id, bytes)',
];
