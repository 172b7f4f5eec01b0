import type { Generated } from 'kysely';
import type { Instant } from '../../../base/clock.ts';

/** The secret of an authenticator app (RFC 6238). At most one for each account. */
export interface TotpTable {
  account_id: number;
  /** Encrypted with a key that is not in the database, unless the service's secret was generated there. */
  sealed_secret: string;
  /** The time step of the last code that was used. Codes of this step and of earlier ones are refused. */
  last_step: Generated<number>;
  /** Null until the owner has entered a code of the app. Before that, logins need no code. */
  confirmed_at: Instant | null;
  created_at: Instant;
}

/** A code that replaces one of the authenticator app. A used one is deleted. */
export interface RecoveryCodeTable {
  /** SHA-256. The code is random, so it needs neither a salt nor a slow hash. */
  code_hash: string;
  account_id: number;
}

/** A signed ticket that was used. Kept until the ticket expires, so that it cannot be used again. */
export interface UsedLoginTicketTable {
  id: string;
  expires_at: Instant;
}

/** A passkey (WebAuthn). Ids, keys and handles are base64url. */
export interface PasskeyTable {
  id: Generated<number>;
  account_id: number;
  /** A name by which the owner recognises it. */
  name: string;
  credential_id: string;
  /** In COSE form. */
  public_key: string;
  /** What the authenticator knows the account by. Random. */
  user_handle: string;
  /** How browsers reach the authenticator, with spaces between. */
  transports: string;
  /** The highest signature counter of a login; 0 for authenticators without one. */
  sign_count: number;
  last_used_at: Generated<Instant | null>;
  created_at: Instant;
}
