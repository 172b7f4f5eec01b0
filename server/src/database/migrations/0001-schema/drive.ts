import type { ColumnTypes } from '../../migration.ts';

/** Drives, their files and directories, and the events that report their changes. */
export const drive = ({ id, integer, text }: ColumnTypes): readonly string[] => [
  // Every transaction that changes a drive locks its row. A personal drive belongs to an account, a shared
  // drive to its members.
  `create table drive (
    id ${id},
    kind ${text} not null check (kind in ('PERSONAL', 'SHARED')),
    account_id ${integer} references account (id),
    name ${text},
    folded_name ${text},
    quota_bytes ${integer} not null check (quota_bytes > 0),
    used_bytes ${integer} not null default 0 check (used_bytes >= 0),
    max_upload_bytes ${integer} not null check (max_upload_bytes > 0),
    file_count ${integer} not null default 0 check (file_count >= 0),
    entry_count ${integer} not null default 0 check (entry_count >= 0),
    max_entries ${integer} not null check (max_entries > 0),
    kept_bytes ${integer} not null default 0,
    is_nearly_full ${integer} not null default 0 check (is_nearly_full in (0, 1)),
    member_count ${integer} not null default 0 check (member_count >= 0),
    creator_id ${integer},
    created_at ${integer} not null,
    named_at ${integer},
    deleted_at ${integer},
    check ((kind = 'PERSONAL') = (account_id is not null)),
    check ((kind = 'PERSONAL') = (name is null)),
    check (kind = 'SHARED' or deleted_at is null)
  )`,
  'create unique index drive__account_id on drive (account_id)',
  'create index drive__creator_id on drive (creator_id) where creator_id is not null',
  'create index drive__deleted_at on drive (deleted_at) where deleted_at is not null',

  // The members of shared drives.
  `create table drive_member (
    drive_id ${integer} not null references drive (id) on delete cascade,
    account_id ${integer} not null references account (id),
    role ${text} not null check (role in ('VIEWER', 'EDITOR', 'MANAGER')),
    added_by ${integer},
    since ${integer} not null,
    primary key (drive_id, account_id)
  )`,
  'create index drive_member__account_id on drive_member (account_id)',
  `create index drive_member__manager on drive_member (drive_id) where role = 'MANAGER'`,

  `create table entry (
    id ${id},
    drive_id ${integer} not null references drive (id),
    parent_id ${integer} references entry (id),
    name ${text} not null,
    folded_name ${text} not null,
    plain_name ${text},
    sort_name ${text} not null default '',
    is_directory ${integer} not null check (is_directory in (0, 1)),
    blob_id ${integer} references blob (id),
    size ${integer} not null check (size >= 0),
    content_type ${text},
    kind ${integer},
    child_count ${integer} not null default 0 check (child_count >= 0),
    copied_from ${integer},
    created_at ${integer} not null,
    updated_at ${integer} not null,
    modified_at ${integer} not null default 0,
    changed_by ${integer},
    taken_at ${integer},
    taken_local ${integer},
    is_starred ${integer} not null default 0 check (is_starred in (0, 1)),
    deleted_at ${integer},
    bin_root_id ${integer},
    bin_parent_path ${text},
    check ((is_directory = 1) = (blob_id is null)),
    check ((deleted_at is null) = (bin_root_id is null))
  )`,
  // Makes names unique within a directory. It needs no `where deleted_at is null`: an entry that is recycled
  // with its directory keeps its parent, which is recycled too, and the root entry in the bin has no parent.
  'create unique index entry__parent_id__name on entry (parent_id, name)',
  `create unique index entry__drive_id__root on entry (drive_id)
    where parent_id is null and deleted_at is null`,

  // One index per sort order of a page. Without it, a page of a directory with 100,000 entries sorts them
  // all, which blocks the event loop on SQLite for 40 ms instead of 0.1 ms. Each index adds about 4 µs to the
  // insertion of an entry.
  'create index entry__page_by_size on entry (parent_id, size, id)',
  'create index entry__page_by_update on entry (parent_id, updated_at, id)',
  'create index entry__page_by_creation on entry (parent_id, created_at, id)',
  `create index entry__recent on entry (drive_id, updated_at desc, id desc)
    where is_directory = 0 and deleted_at is null`,
  'create index entry__copied_from on entry (copied_from) where copied_from is not null',
  'create index entry__bin on entry (bin_root_id) where bin_root_id is not null',
  'create index entry__bin_root on entry (drive_id, deleted_at desc, id desc) where bin_root_id = id',
  'create index entry__bin_expiry on entry (deleted_at, id) where bin_root_id = id',
  // A search in content goes from texts to entries. It leaves out other drives and bins without reading rows.
  'create index entry__blob_id on entry (blob_id, drive_id, deleted_at) where blob_id is not null',
  'create index entry__page_by_modification on entry (parent_id, modified_at, id)',

  // The pictures and videos of a drive, in timeline order: by the local time where they were taken. The
  // index also has all columns of the conditions, so that counting reads no table rows.
  // `drive/timeline/queries.ts` repeats its expression and its conditions literally, because only then do the
  // planners use it.
  `create index entry__timeline on entry
      (drive_id, (coalesce(taken_local, taken_at, modified_at)) desc, id desc,
        taken_local, taken_at, modified_at, content_type, deleted_at)
    where deleted_at is null and (content_type >= 'image/' and content_type < 'image0'
      or content_type >= 'video/' and content_type < 'video0')`,

  // Lists by name use the order of the stored `sort_name`, in which numbers sort by their value.
  'create index entry__page on entry (parent_id, is_directory desc, sort_name, name, id)',
  'create index entry__page_by_name on entry (parent_id, sort_name, name, id)',

  // The drive's live names in order, with every column that search filters by, so that a scan reads no table
  // rows. It includes `deleted_at`, because only then does SQLite treat the index as covering. It has the
  // kind, which takes a byte or two, rather than the content type, with which a scan took a third longer.
  `create index entry__search on entry
      (drive_id, sort_name, id, is_directory, size, created_at, updated_at, parent_id, deleted_at,
        modified_at, kind, folded_name, plain_name)
    where deleted_at is null and parent_id is not null`,

  // Stars repeat the drive of their entry, so that an index has the order of a list.
  `create table star (
    entry_id ${integer} not null references entry (id) on delete cascade,
    account_id ${integer} not null references account (id),
    drive_id ${integer} not null,
    starred_at ${integer} not null,
    primary key (entry_id, account_id)
  )`,
  'create index star__account_id on star (account_id, drive_id, starred_at desc, entry_id desc)',

  // Directories whose pictures an account does not want in its timeline, and nobody else sees.
  `create table timeline_exclusion (
    entry_id ${integer} not null references entry (id) on delete cascade,
    account_id ${integer} not null references account (id),
    drive_id ${integer} not null,
    primary key (entry_id, account_id)
  )`,
  'create index timeline_exclusion__account_id on timeline_exclusion (account_id, drive_id)',

  `create table entry_metadata (
    entry_id ${integer} not null references entry (id) on delete cascade,
    name ${text} not null,
    value ${text} not null,
    primary key (entry_id, name)
  )`,

  // Versions repeat the drive of their file, so that an index finds the oldest versions in a drive.
  `create table file_version (
    id ${id},
    entry_id ${integer} not null references entry (id) on delete cascade,
    drive_id ${integer} not null,
    blob_id ${integer} not null references blob (id),
    size ${integer} not null check (size >= 0),
    modified_at ${integer} not null,
    replaced_at ${integer} not null
  )`,
  'create index file_version__entry_id on file_version (entry_id, id)',
  'create index file_version__blob_id on file_version (blob_id)',
  'create index file_version__replaced_at on file_version (replaced_at, id)',
  'create index file_version__drive_id on file_version (drive_id, replaced_at, id)',

  // An account's ticket ends with the login session or the app password that made it, and with the account's
  // membership. A visitor's ticket has paths below the link, but no ids. No foreign key to the link: once the link is gone, the ticket is
  // useless.
  `create table zip_ticket (
    token_hash ${text} primary key,
    drive_id ${integer} not null references drive (id),
    name ${text} not null,
    entry_ids ${text} not null,
    folder_link_id ${integer},
    paths ${text},
    account_id ${integer},
    session_id ${text},
    is_started ${integer} not null check (is_started in (0, 1)),
    expires_at ${integer} not null
  )`,
  'create index zip_ticket__drive_id on zip_ticket (drive_id, expires_at)',
  'create index zip_ticket__expires_at on zip_ticket (expires_at)',

  // There is no index on the time, because every change to a drive would have to write it. Old events are
  // found by their ids, which grow with time.
  `create table event (
    id ${id},
    drive_id ${integer} not null references drive (id),
    event_type ${text} not null,
    entry_id ${integer},
    from_path ${text},
    to_path ${text},
    client_id ${text},
    payload ${text} not null,
    created_at ${integer} not null,
    actor_id ${integer},
    actor_name ${text},
    reader_id ${integer}
  )`,
  'create index event__drive_id__id on event (drive_id, id)',
  // What the activity of a shared drive shows. `events/activity-queries.ts` repeats its conditions literally.
  `create index event__activity on event (drive_id, id)
    where reader_id is null and (actor_id is not null or actor_name is not null)`,
];
