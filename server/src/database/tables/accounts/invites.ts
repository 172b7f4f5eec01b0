import type { Generated } from 'kysely';
import type { Instant } from '../../../base/clock.ts';

/** A code with which so many people can register, until it expires. */
export interface InviteTable {
  id: Generated<number>;
  code: string;
  note: string | null;
  max_uses: number;
  used_count: Generated<number>;
  expires_at: Instant | null;
  created_at: Instant;
}
