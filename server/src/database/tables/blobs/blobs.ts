import type { Generated } from 'kysely';
import type { Instant } from '../../../base/clock.ts';
import type { BlobKind } from '../../../base/domain/blobs.ts';

/** A stored object and the number of rows that refer to it. */
export interface BlobTable {
  id: Generated<number>;
  object_key: string;
  policy_id: number;
  kind: BlobKind;
  size: number;
  sha256: string | null;
  crc32: number | null;
  content_type: string | null;
  reference_count: number;
  created_by: number;
  created_at: Instant;
  /** When the count became 0. */
  unreferenced_at: Instant | null;
  /** Set before the bytes are removed, and never reset. From then on the blob takes no new reference. */
  removing_at: Instant | null;
}

/** An orphaned object that a sweep has removed. No blob may refer to it. */
export interface RemovedObjectTable {
  object_key: string;
  /** No upload that stored it is still running then. */
  expires_at: Instant;
}

/** A single row: the number of objects and bytes of all blobs with an id up to `through_id`. */
export interface BlobTotalTable {
  through_id: number;
  objects: number;
  bytes: number;
}
