import type { Generated } from 'kysely';
import type { Instant } from '../../base/clock.ts';

/** A mail that waits to be sent, or failed for good. Its row is deleted once it is sent. */
export interface MailTable {
  id: Generated<number>;
  /** The recipient; null for someone without an account. */
  account_id: number | null;
  address: string;
  kind: string;
  language: string;
  /**
   * A JSON object with what the letter says, encrypted because it may contain a token. Null once the mail has
   * failed.
   */
  sealed_data: string | null;
  created_at: Instant;
  /** Null once the mail has failed. */
  next_attempt_at: Instant | null;
  /** The number of attempts ever started. */
  attempts: Generated<number>;
  /** When the last attempt started; null before the first one. */
  attempted_at: Instant | null;
  /** When the last attempt failed, if there is no other; null while the mail waits. */
  failed_at: Instant | null;
  /** Why the last attempt failed, without secrets; null if it has not failed. */
  last_error: string | null;
}

/** How many mails an account got on one day. */
export interface MailCountTable {
  account_id: number;
  /** The start of the day in UTC. */
  day: Instant;
  /** Those that cannot be turned off. */
  mails: number;
  /** Those that can be turned off. */
  optional_mails: number;
}
