import type { Generated } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { PolicyMigrationStatus } from '../../base/domain/policy-migrations.ts';
import type { Flag } from '../flag.ts';

/**
 * COPYING: copies are made, and no blob has changed. SWITCHED: the blobs lie at the target, and the objects at the source
 * are left to remove. ABANDONED: the copies are.
 */

/** The moving of all blobs of one storage policy to another. At most one is COPYING. */
export interface PolicyMigrationTable {
  id: Generated<number>;
  task_id: number;
  source_policy_id: number;
  target_policy_id: number;
  /** The newest blob when it began: later ones stay. */
  last_blob_id: number;
  status: PolicyMigrationStatus;
  /** Nothing that is left is removed before. */
  clean_after: Instant;
  created_at: Instant;
}

/** One blob's copy, from before its first byte is written until what is left of the two objects is removed. */
export interface BlobCopyTable {
  relocation_id: number;
  blob_id: number;
  source_key: string;
  target_key: string;
  size: number;
  /** Of the copy, as it was read again; null until then. */
  sha256: string | null;
  crc32: number | null;
  copied: Flag;
  /** Set with the switch where the blob was gone by then: nobody has taken the copy. */
  unused: Flag;
}
