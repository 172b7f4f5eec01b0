import type { ColumnTypes } from '../../migration.ts';

/** Links for people without an account. Purging an entry deletes its links. */
export const sharing = ({ id, integer, text }: ColumnTypes): readonly string[] => [
  // Both kinds are in one table, so that an id identifies one share.
  `create table share (
    id ${id},
    kind ${text} not null check (kind in ('V2', 'LEGACY')),
    token ${text} not null,
    owner_id ${integer} not null references account (id),
    entry_id ${integer} not null references entry (id) on delete cascade,
    share_name ${text},
    password_hash ${text},
    expires_at ${integer},
    max_downloads ${integer} check (max_downloads > 0),
    allow_import ${integer} not null check (allow_import in (0, 1)),
    allow_download ${integer} not null check (allow_download in (0, 1)),
    download_count ${integer} not null check (download_count >= 0),
    view_count ${integer} not null check (view_count >= 0),
    last_accessed_at ${integer},
    created_at ${integer} not null,
    check (download_count <= max_downloads)
  )`,
  'create unique index share__token on share (token)',
  // An entry has at most one legacy link.
  `create unique index share__entry_id__legacy on share (entry_id) where kind = 'LEGACY'`,
  'create index share__entry_id on share (entry_id)',
  'create index share__owner_id on share (owner_id, kind, created_at desc, id desc)',

  // Links to directories, whose visitors may view the content, upload files, or both.
  `create table folder_link (
    id ${id},
    token ${text} not null,
    owner_id ${integer} not null references account (id),
    entry_id ${integer} not null references entry (id) on delete cascade,
    mode ${text} not null check (mode in ('VIEW', 'UPLOAD', 'BOTH')),
    title ${text} not null,
    note ${text},
    password_hash ${text},
    expires_at ${integer},
    max_files ${integer} check (max_files > 0),
    max_bytes ${integer} check (max_bytes > 0),
    received_files ${integer} not null default 0 check (received_files >= 0),
    received_bytes ${integer} not null default 0 check (received_bytes >= 0),
    created_at ${integer} not null
  )`,
  'create unique index folder_link__token on folder_link (token)',
  'create index folder_link__entry_id on folder_link (entry_id)',
  'create index folder_link__owner_id on folder_link (owner_id, created_at desc, id desc)',
];
