import type { Generated } from 'kysely';
import type { Instant } from '../../../base/clock.ts';
import type { PolicyMigrationStatus } from '../../../base/domain/policy-migrations.ts';
import type { Flag } from '../../flag.ts';

/*
 * A policy migration copies all blobs of one storage policy to another. The SQL tables still have their first
 * names: `blob_relocation` is the migration, `blob_move` is the copy of one blob.
 *
 * COPYING: objects are copied, and no blob has changed yet.
 * SWITCHED: the blobs refer to the target; the objects at the source remain to be removed.
 * ABANDONED: the migration failed or was cancelled; the copies remain to be removed.
 */

/** One policy migration (`blob_relocation`). At most one is COPYING. */
export interface PolicyMigrationTable {
  id: Generated<number>;
  task_id: number;
  source_policy_id: number;
  target_policy_id: number;
  /** The newest blob when the migration began. Later blobs are not migrated. */
  last_blob_id: number;
  status: PolicyMigrationStatus;
  /** The remaining objects are not removed before this time. */
  clean_after: Instant;
  created_at: Instant;
}

/**
 * The copy of one blob (`blob_move`). The row exists from before the first byte of the copy is written until
 * the object that is no longer needed has been removed.
 */
export interface BlobCopyTable {
  relocation_id: number;
  blob_id: number;
  source_key: string;
  target_key: string;
  size: number;
  /** The checksum of the copy, computed by reading it back; null until then. */
  sha256: string | null;
  crc32: number | null;
  copied: Flag;
  /** 1 if the blob no longer existed when the migration switched, so that nothing refers to the copy. */
  unused: Flag;
}
