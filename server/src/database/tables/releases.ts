import type { Generated } from 'kysely';
import type { Instant } from '../../base/clock.ts';

/** An app package for phones that is currently published. */
export interface MobileReleaseTable {
  id: Generated<number>;
  /** The release with the highest code is the newest. */
  version_code: number;
  version_name: string;
  /** The name under which clients download it. */
  file_name: string;
  blob_id: number;
  released_at: Instant;
}
