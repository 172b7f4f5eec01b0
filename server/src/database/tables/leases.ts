import type { Instant } from '../../base/clock.ts';

/** Which instance may do something alone, and until when. */
export interface LeaseTable {
  name: string;
  holder: string;
  expires_at: Instant;
}
