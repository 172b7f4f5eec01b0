import type { Instant } from '../../../base/clock.ts';

/** The attempts to guess a credential, counted by address, account or share. */
export interface CredentialAttemptTable {
  key: string;
  failures: number;
  /** Attempts that have started and not ended. */
  pending: number;
  /** The failures no longer count after this time. */
  expires_at: Instant;
  /** Every attempt before this time is rejected. */
  blocked_until: Instant;
}
