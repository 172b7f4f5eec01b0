import type { Generated } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type {
  AppPasswordScope,
  ClientType,
  Role,
  SessionEnd,
  TokenKind,
} from '../../base/domain/accounts.ts';
import type { Flag } from '../flag.ts';

export interface AccountTable {
  id: Generated<number>;
  username: string;
  /** The case-folded username, which is unique. */
  folded_username: string;
  display_name: string;
  email: string | null;
  folded_email: string | null;
  /** When mail to the address was last known to reach the owner; null if that is not known. */
  email_verified_at: Generated<Instant | null>;
  phone_number: string | null;
  /** argon2id in PHC form; null for an account that only dev-login can open. */
  password_hash: string | null;
  /** Whether someone else chose the password. Then the user must replace it before doing anything else. */
  must_change_password: Generated<Flag>;
  role: Role;
  banned: Flag;
  bio: string | null;
  preferred_language: string | null;
  /** Whether the user has hidden the list of first steps. */
  first_steps_hidden: Generated<Flag>;
  avatar_blob_id: number | null;
  /**
   * When an administrator deleted the account. The row remains until everything that belongs to it is
   * deleted.
   */
  deleting_at: Generated<Instant | null>;
  created_at: Instant;
  updated_at: Instant;
}

/**
 * A login session. There is at most one per account, client type and device: a new login with the same three
 * replaces the old one.
 */
export interface LoginSessionTable {
  id: string;
  account_id: number;
  client: ClientType;
  /** A UUID in lower case; empty for a client that names no device. */
  device: string;
  /** SHA-256 of the only currently valid refresh token. */
  refresh_hash: string;
  refresh_expires_at: Instant;
  /** The address and user agent of the last login or refresh. */
  address: string | null;
  user_agent: string | null;
  /** When the last login or refresh was. */
  last_used_at: Instant;
  created_at: Instant;
  /**
   * Until this time, the session counts as having an event stream that shows transfer offers; null if it has
   * none.
   */
  present_until: Instant | null;
  /** The stream that last extended `present_until`. */
  present_by: string | null;
}

/** Why a login session ended. A client that still has its tokens can ask for it. */
export interface EndedSessionTable {
  id: string;
  account_id: number;
  /** SHA-256 of its last refresh token. */
  refresh_hash: string;
  cause: SessionEnd;
  /** After this time, the row is deleted. */
  expires_at: Instant;
}

/** A credential for an app that acts for an account, such as a sync client. */
export interface AppPasswordTable {
  id: Generated<number>;
  account_id: number;
  /** A name by which the owner recognises it. */
  name: string;
  scope: AppPasswordScope;
  /** SHA-256. The password is random, so it needs neither a salt nor a slow hash. */
  password_hash: string;
  expires_at: Instant | null;
  /** Accurate to a minute, so that most requests need not write. */
  last_used_at: Instant | null;
  created_at: Instant;
}

/** An account owner's identity at a single sign-on provider (OpenID Connect). */
export interface IdentityTable {
  id: Generated<number>;
  account_id: number;
  /** The URL that identifies the provider. */
  issuer: string;
  /** The provider's id for the person. Unlike names and e-mail addresses, it never changes. */
  subject: string;
  created_at: Instant;
}

/** A code that a limited number of people can register with, until it expires. */
export interface InviteTable {
  id: Generated<number>;
  code: string;
  note: string | null;
  /** The administrator who created it; the account may be gone. */
  creator_id: number | null;
  max_uses: number;
  used_count: Generated<number>;
  expires_at: Instant | null;
  created_at: Instant;
}

/** The attempts to guess a credential, counted by address, account or share. */
export interface CredentialAttemptTable {
  key: string;
  failures: number;
  /** Attempts that have started but not ended. */
  pending: number;
  /** After this time, the failures no longer count. */
  expires_at: Instant;
  /** Every attempt before this time is rejected. */
  blocked_until: Instant;
}

/** The secret of an authenticator app (RFC 6238). At most one per account. */
export interface TotpTable {
  account_id: number;
  /** Encrypted with a key that is not in the database, unless the server's secret was generated there. */
  sealed_secret: string;
  /** The time step of the last code that was used. Codes of this step and of earlier ones are rejected. */
  last_step: Generated<number>;
  /** Null until the owner has entered a code from the app. Before that, logins need no code. */
  confirmed_at: Instant | null;
  created_at: Instant;
}

/** A recovery code, which can replace a code from the authenticator app. It is deleted once used. */
export interface RecoveryCodeTable {
  /** SHA-256. The code is random, so it needs neither a salt nor a slow hash. */
  code_hash: string;
  account_id: number;
}

/** A used signed ticket. The row is kept until the ticket expires, so that it cannot be used again. */
export interface UsedLoginTicketTable {
  id: string;
  expires_at: Instant;
}

/** A token in a mail to the owner of an account. It is deleted once used. */
export interface AccountTokenTable {
  /** SHA-256. The token is random, so it needs neither a salt nor a slow hash. */
  token_hash: string;
  kind: TokenKind;
  account_id: number;
  /** The address that it was mailed to. It is good only while the account has this address. */
  folded_email: string;
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
  /** The random id by which the authenticator knows the account. */
  user_handle: string;
  /** How browsers reach the authenticator, separated by spaces. */
  transports: string;
  /** The highest signature counter of a login; 0 for authenticators without one. */
  sign_count: number;
  last_used_at: Generated<Instant | null>;
  created_at: Instant;
}
