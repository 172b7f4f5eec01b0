import type { Generated } from 'kysely';
import type { Instant } from '../../base/clock.ts';

/** A package for phones that is still served. */
export interface MobileReleaseTable {
  id: Generated<number>;
  /** By which the newest is known. */
  version_code: number;
  version_name: string;
  /** Under which it is served. */
  file_name: string;
  blob_id: number;
  released_at: Instant;
}
