import type { Migration } from '../migration.ts';

export const shares: Migration = {
  name: '0003-shares',
  statements: ({ id, integer, text }) => [
    // Both kinds are in one table, so that an id identifies one share. Purging an entry deletes its shares.
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
  ],
};
