import type { Migration } from '../migration.ts';

/* Links to directories for people without an account, who may view the content, upload files, or both. */
export const folderLinks: Migration = {
  name: '0026-folder-links',
  statements: ({ id, integer, text }) => [
    // Purging the directory deletes its links.
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
    // An upload in steps through a link. No foreign key: the link may be gone before the session has ended.
    `alter table upload_session add column folder_link_id ${integer}`,
    `alter table upload_session add column sender ${text}`,
    `create index upload_session__folder_link_id on upload_session (folder_link_id)
      where folder_link_id is not null and status in ('CREATED', 'UPLOADING', 'COMPLETING')`,
  ],
};
