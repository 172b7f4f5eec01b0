import type { ColumnTypes } from '../../migration.ts';

export const uploads = ({ integer, text }: ColumnTypes): readonly string[] => [
  `create table upload_ticket (
    object_key ${text} primary key,
    account_id ${integer} not null references account (id),
    max_bytes ${integer} not null,
    content_type ${text},
    stored_key ${text},
    stored_policy_id ${integer} not null default 1,
    size ${integer},
    sha256 ${text},
    crc32 ${integer},
    created_at ${integer} not null,
    expires_at ${integer} not null
  )`,
  'create index upload_ticket__account_id on upload_ticket (account_id, created_at)',
  'create index upload_ticket__expires_at on upload_ticket (expires_at)',
  'create index upload_ticket__stored_key on upload_ticket (stored_key) where stored_key is not null',

  // No foreign keys to the account, the folder link and the transfer, which may be gone before the session is
  // deleted.
  `create table upload_session (
    id ${text} primary key,
    drive_id ${integer} not null references drive (id),
    account_id ${integer},
    kind ${text} not null check (kind in ('SESSION', 'LEGACY')),
    mode ${text} not null check (mode in ('PROXY', 'DIRECT_SINGLE', 'DIRECT_MULTIPART')),
    status ${text} not null check (status in
      ('CREATED', 'UPLOADING', 'COMPLETING', 'COMPLETED', 'CANCELLED', 'EXPIRED', 'FAILED')),
    policy_id ${integer} not null references storage_policy (id),
    object_key ${text} not null,
    upload_id ${text},
    directory_path ${text},
    filename ${text},
    content_type ${text} not null,
    size ${integer} not null check (size >= 0),
    chunk_size ${integer} not null,
    chunk_count ${integer} not null,
    received_bytes ${integer} not null,
    received_parts ${integer} not null,
    tail_key ${text},
    sent_bytes ${integer} not null,
    stored_key ${text},
    stored_size ${integer},
    sha256 ${text},
    crc32 ${integer},
    attempts ${integer} not null,
    writer ${text},
    writer_until ${integer} not null,
    next_writer ${text},
    client_metadata ${text},
    modified_at ${integer},
    folder_link_id ${integer},
    sender ${text},
    visitor_address ${text},
    on_conflict ${text} not null default 'FAIL',
    transfer_id ${text},
    transfer_file_id ${text},
    ends_at ${integer},
    entry_id ${integer},
    created_at ${integer} not null,
    updated_at ${integer} not null,
    expires_at ${integer} not null
  )`,
  'create unique index upload_session__object_key on upload_session (object_key)',
  'create index upload_session__stored_key on upload_session (stored_key) where stored_key is not null',
  'create index upload_session__tail_key on upload_session (tail_key) where tail_key is not null',
  `create index upload_session__expiry on upload_session (expires_at)
    where status in ('CREATED', 'UPLOADING', 'COMPLETING')`,
  `create index upload_session__ended on upload_session (updated_at)
    where status in ('COMPLETED', 'CANCELLED', 'EXPIRED', 'FAILED')`,
  'create index upload_session__created_at on upload_session (created_at)',
  `create index upload_session__folder_link_id on upload_session (folder_link_id)
    where folder_link_id is not null and status in ('CREATED', 'UPLOADING', 'COMPLETING')`,
  // The sums that limit a drive's open sessions read only this index. It includes the status because SQLite
  // checks the condition again.
  `create index upload_session__open
    on upload_session (drive_id, expires_at, size, folder_link_id, visitor_address, status)
    where status in ('CREATED', 'UPLOADING', 'COMPLETING')`,
  `create index upload_session__account_id on upload_session (account_id)
    where account_id is not null`,
  `create index upload_session__transfer_id on upload_session (transfer_id)
    where transfer_id is not null and status in ('CREATED', 'UPLOADING', 'COMPLETING')`,

  `create table upload_part (
    session_id ${text} not null references upload_session (id) on delete cascade,
    part_index ${integer} not null,
    etag ${text} not null,
    size ${integer} not null,
    primary key (session_id, part_index)
  )`,

  // Reservations by visitors of folder links limit other visitors, but not the owner. No foreign keys to the
  // transfer and the link, which may end while bytes are still arriving.
  `create table upload_reservation (
    id ${text} primary key,
    drive_id ${integer} not null references drive (id),
    transfer_id ${text},
    bytes ${integer} not null check (bytes >= 0),
    folder_link_id ${integer},
    visitor_address ${text},
    expires_at ${integer} not null
  )`,
  'create index upload_reservation__drive_id on upload_reservation (drive_id, expires_at, bytes)',
];
