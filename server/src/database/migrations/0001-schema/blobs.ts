import type { ColumnTypes } from '../../migration.ts';

/** Stored objects, the policies that decide where they are stored, and the migrations between policies. */
export const blobs = ({ id, integer, text }: ColumnTypes): readonly string[] => [
  `create table storage_policy (
    id ${id},
    name ${text} not null,
    type ${text} not null check (type in ('LOCAL', 'S3_COMPATIBLE')),
    bucket_name ${text},
    endpoint ${text},
    region ${text},
    prefix ${text} not null,
    credential_mode ${text} not null check (credential_mode in ('NONE', 'STATIC')),
    max_size_bytes ${integer} not null check (max_size_bytes > 0),
    direct_upload ${integer} not null check (direct_upload in (0, 1)),
    multipart_upload ${integer} not null check (multipart_upload in (0, 1)),
    signed_download_url ${integer} not null check (signed_download_url in (0, 1)),
    server_proxy_download ${integer} not null check (server_proxy_download in (0, 1)),
    requires_cors ${integer} not null check (requires_cors in (0, 1)),
    max_object_size ${integer} not null check (max_object_size > 0),
    enabled ${integer} not null check (enabled in (0, 1)),
    is_default ${integer} not null check (is_default in (0, 1)),
    created_at ${integer} not null,
    updated_at ${integer} not null,
    check (enabled = 1 or is_default = 0)
  )`,
  'create unique index storage_policy__default on storage_policy (is_default) where is_default = 1',
  // If two policies shared a location, each would treat the other's objects as orphans.
  `create unique index storage_policy__place on storage_policy
    (type, coalesce(bucket_name, ''), coalesce(endpoint, ''), prefix)`,
  'create unique index storage_policy__name on storage_policy (name)',

  // The policy has no foreign key, because policies are never deleted. Once the removal of a blob's bytes has
  // begun, nothing may refer to the blob. The last check enforces that.
  `create table blob (
    id ${id},
    object_key ${text} not null,
    policy_id ${integer} not null default 1,
    kind ${text} not null check (kind in ('FILE', 'AVATAR', 'TRANSFER')),
    size ${integer} not null check (size >= 0),
    sha256 ${text},
    crc32 ${integer},
    content_type ${text},
    reference_count ${integer} not null check (reference_count >= 0),
    created_by ${integer} not null,
    created_at ${integer} not null,
    unreferenced_at ${integer},
    removing_at ${integer},
    check (removing_at is null or reference_count = 0)
  )`,
  'create unique index blob__object_key on blob (object_key)',
  'create index blob__unreferenced_at on blob (unreferenced_at) where unreferenced_at is not null',
  'create index blob__unchecked on blob (id) where sha256 is null',
  // Leaves out the first policy, which most blobs belong to, so that most uploads do not write this index.
  'create index blob__policy_id on blob (policy_id, id) where policy_id > 1',

  // The totals of all blobs up to an id. The few blobs after it are added when the total is read.
  `create table blob_total (
    through_id ${integer} not null,
    objects ${integer} not null check (objects >= 0),
    bytes ${integer} not null check (bytes >= 0)
  )`,
  'insert into blob_total (through_id, objects, bytes) values (0, 0, 0)',

  // The keys of orphaned objects that a sweep has removed. An upload whose object was stored long ago checks
  // here before it refers to the object.
  `create table removed_object (
    object_key ${text} not null primary key,
    expires_at ${integer} not null
  )`,
  'create index removed_object__expires_at on removed_object (expires_at)',

  `create table blob_relocation (
    id ${id},
    task_id ${integer} not null,
    source_policy_id ${integer} not null references storage_policy (id),
    target_policy_id ${integer} not null references storage_policy (id),
    last_blob_id ${integer} not null,
    status ${text} not null check (status in ('COPYING', 'SWITCHED', 'ABANDONED')),
    clean_after ${integer} not null,
    created_at ${integer} not null,
    check (source_policy_id <> target_policy_id)
  )`,
  // At most one policy migration is COPYING.
  `create unique index blob_relocation__status on blob_relocation (status) where status = 'COPYING'`,

  // No foreign key to the blob, which may be deleted before its copy is removed.
  `create table blob_move (
    relocation_id ${integer} not null references blob_relocation (id),
    blob_id ${integer} not null,
    source_key ${text} not null,
    target_key ${text} not null,
    size ${integer} not null,
    sha256 ${text},
    crc32 ${integer},
    copied ${integer} not null check (copied in (0, 1)),
    unused ${integer} not null check (unused in (0, 1)),
    primary key (relocation_id, blob_id)
  )`,
  'create index blob_move__source_key on blob_move (source_key)',
  'create index blob_move__target_key on blob_move (target_key)',
];
