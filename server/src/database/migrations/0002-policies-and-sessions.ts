import type { Migration } from '../migration.ts';

/** 16 TiB, the initial limit of a policy on the local disk. */
const LOCAL_LIMIT = 16 * 1024 ** 4;

export const policiesAndSessions: Migration = {
  name: '0002-policies-and-sessions',
  statements: ({ id, integer, text }) => [
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

    // If two policies shared a location, each would take the other's objects for orphans.
    `create unique index storage_policy__place on storage_policy
      (type, coalesce(bucket_name, ''), coalesce(endpoint, ''), prefix)`,

    // Everything stored before policies existed is on the local disk.
    `insert into storage_policy (name, type, prefix, credential_mode, max_size_bytes, direct_upload,
        multipart_upload, signed_download_url, server_proxy_download, requires_cors, max_object_size,
        enabled, is_default, created_at, updated_at)
      select 'Local disk', 'LOCAL', '', 'NONE', ${LOCAL_LIMIT}, 0, 0, 1, 1, 0, ${LOCAL_LIMIT}, 1, 1, min(created_at), min(created_at)
      from blob having count(*) > 0`,

    // The default is that first policy, also for what an older instance still stores while this one starts. A
    // column added with a foreign key could not have a default, and policies are never deleted anyway.
    `alter table blob add column policy_id ${integer} not null default 1`,
    'create index blob__unchecked on blob (id) where sha256 is null',
    `alter table upload_ticket add column stored_policy_id ${integer} not null default 1`,

    `create table upload_session (
      id ${text} primary key,
      owner_id ${integer} not null references account (id),
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
      entry_id ${integer},
      created_at ${integer} not null,
      updated_at ${integer} not null,
      expires_at ${integer} not null
    )`,
    'create unique index upload_session__object_key on upload_session (object_key)',
    'create index upload_session__stored_key on upload_session (stored_key) where stored_key is not null',
    'create index upload_session__tail_key on upload_session (tail_key) where tail_key is not null',
    `create index upload_session__open on upload_session (owner_id, expires_at, size)
      where status in ('CREATED', 'UPLOADING', 'COMPLETING')`,
    `create index upload_session__expiry on upload_session (expires_at)
      where status in ('CREATED', 'UPLOADING', 'COMPLETING')`,
    `create index upload_session__ended on upload_session (updated_at)
      where status in ('COMPLETED', 'CANCELLED', 'EXPIRED', 'FAILED')`,
    'create index upload_session__created_at on upload_session (created_at)',

    `create table upload_part (
      session_id ${text} not null references upload_session (id) on delete cascade,
      part_index ${integer} not null,
      etag ${text} not null,
      size ${integer} not null,
      primary key (session_id, part_index)
    )`,
  ],
};
