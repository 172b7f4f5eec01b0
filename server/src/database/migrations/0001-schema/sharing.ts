import type { ColumnTypes } from '../../migration.ts';

/** Links for people without an account. Purging an entry deletes its links. */
export const sharing = ({ id, integer, text }: ColumnTypes): readonly string[] => [
  // Both kinds are in one table, so that an id is unique among all shares.
  `create table share (
    id ${id},
    kind ${text} not null check (kind in ('V2', 'LEGACY')),
    token ${text} not null,
    drive_id ${integer} not null references drive (id),
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
    creator_id ${integer},
    created_at ${integer} not null,
    ending_noted ${text} check (ending_noted in ('EXPIRES_SOON', 'USED_UP')),
    used_up_told_at ${integer},
    check (download_count <= max_downloads)
  )`,
  'create unique index share__token on share (token)',
  // An entry has at most one legacy link.
  `create unique index share__entry_id__legacy on share (entry_id) where kind = 'LEGACY'`,
  'create index share__entry_id on share (entry_id)',
  'create index share__drive_id on share (drive_id, kind, created_at desc, id desc)',
  // Finds the shares whose creators must be told that they expire soon.
  `create index share__expires_at on share (expires_at)
    where ending_noted is null and expires_at is not null`,

  // Links to directories, whose visitors may view the content, upload files, or both.
  `create table folder_link (
    id ${id},
    token ${text} not null,
    drive_id ${integer} not null references drive (id),
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
    creator_id ${integer},
    created_at ${integer} not null,
    ending_noted ${text} check (ending_noted in ('EXPIRES_SOON', 'USED_UP')),
    used_up_told_at ${integer},
    notified_at ${integer},
    tell_at ${integer},
    unnotified_files ${integer} not null default 0 check (unnotified_files >= 0),
    unnotified_bytes ${integer} not null default 0 check (unnotified_bytes >= 0),
    unnotified_senders ${text} not null default '[]'
  )`,
  'create unique index folder_link__token on folder_link (token)',
  'create index folder_link__entry_id on folder_link (entry_id)',
  'create index folder_link__drive_id on folder_link (drive_id, created_at desc, id desc)',
  // Find the links whose creators must be told that they expire soon, or that files arrived.
  `create index folder_link__expires_at on folder_link (expires_at)
    where ending_noted is null and expires_at is not null`,
  // The counts change with each received file, and so must not be in an index.
  'create index folder_link__tell_at on folder_link (tell_at) where tell_at is not null',
];

export const transfers = ({ integer, text }: ColumnTypes): readonly string[] => [
  // A session's row is deleted when the session ends. This frees its code and ends its offer to another
  // device. If a session has a salt, the sender's page encrypts its files.
  `create table transfer_session (
    id ${text} primary key,
    mode ${text} not null check (mode in ('ONLINE', 'OFFLINE')),
    status ${text} not null check (status in ('WAITING', 'JOINED', 'UPLOADING', 'READY')),
    pickup_code ${text} not null,
    account_id ${integer} references account (id),
    sender_hash ${text} not null,
    receiver_hash ${text},
    requires_token ${integer} not null check (requires_token in (0, 1)),
    salt ${text},
    offline_bytes ${integer} not null check (offline_bytes >= 0),
    file_count ${integer} not null default 0,
    text_bytes ${integer} not null default 0,
    last_cursor ${integer} not null,
    signal_count ${integer} not null check (signal_count >= 0),
    offered_to ${text},
    offered_by ${text},
    created_at ${integer} not null,
    expires_at ${integer} not null,
    fetched_at ${integer},
    check (mode = 'ONLINE' or account_id is not null),
    check (mode = 'OFFLINE' or offline_bytes = 0)
  )`,
  'create unique index transfer_session__pickup_code on transfer_session (pickup_code)',
  'create index transfer_session__expires_at on transfer_session (mode, expires_at)',
  'create index transfer_session__account_id on transfer_session (account_id, created_at)',
  `create index transfer_session__uploading on transfer_session (created_at)
    where mode = 'OFFLINE' and status = 'UPLOADING'`,
  'create index transfer_session__offered_to on transfer_session (offered_to) where offered_to is not null',

  `create table transfer_file (
    id ${text} primary key,
    session_id ${text} not null references transfer_session (id) on delete cascade,
    position ${integer} not null,
    name ${text} not null,
    relative_path ${text},
    size ${integer} not null check (size >= 0),
    content_type ${text},
    encrypted_name ${text},
    blob_id ${integer} references blob (id),
    is_fetched ${integer} not null default 0 check (is_fetched in (0, 1))
  )`,
  'create unique index transfer_file__session_id__position on transfer_file (session_id, position)',
  'create index transfer_file__unfetched on transfer_file (session_id) where is_fetched = 0',
  'create index transfer_file__blob_id on transfer_file (blob_id) where blob_id is not null',

  `create table transfer_signal (
    session_id ${text} not null references transfer_session (id) on delete cascade,
    cursor ${integer} not null,
    sent_by ${text} not null check (sent_by in ('sender', 'receiver')),
    message ${text} not null,
    created_at ${integer} not null,
    primary key (session_id, cursor)
  )`,
];
