import type { Generated } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { AppPasswordScope, ClientType, Role, SessionEnd } from '../../base/domain/accounts.ts';
import type { Flag } from '../flag.ts';

export interface AccountTable {
  id: Generated<number>;
  username: string;
  /** The username without regard to case. This one is unique. */
  folded_username: string;
  display_name: string;
  email: string | null;
  folded_email: string | null;
  phone_number: string | null;
  /** argon2id in PHC form; null for an account that only dev-login can open. */
  password_hash: string | null;
  /** Whether somebody else has chosen the password, so that the user must replace it before anything else. */
  must_change_password: Generated<Flag>;
  role: Role;
  banned: Flag;
  bio: string | null;
  preferred_language: string | null;
  avatar_blob_id: number | null;
  storage_quota_bytes: number;
  /** Sum of the sizes of the owner's live files. Only conditional updates change it. */
  storage_used_bytes: number;
  max_upload_size_bytes: number;
  /** Live files of the owner's drive, without directories. Changes together with `storage_used_bytes`. */
  file_count: Generated<number>;
  /**
   * Files and directories of the owner's drive and recycle bin, without the root of the drive. Changes
   * together with `storage_used_bytes`.
   */
  entry_count: Generated<number>;
  max_entries: Generated<number>;
  /** Bytes of the recycle bin and of former versions. Changes together with `storage_used_bytes`. */
  kept_bytes: Generated<number>;
  /**
   * When an administrator deleted the account. The row remains until everything that belongs to it is
   * deleted.
   */
  deleting_at: Generated<Instant | null>;
  created_at: Instant;
  updated_at: Instant;
}

/** A login session. One per account, client type and device: a new login of the same replaces it. */
export interface LoginSessionTable {
  id: string;
  account_id: number;
  client: ClientType;
  /** A UUID in lower case; empty for a client that names no device. */
  device: string;
  /** SHA-256 of the only refresh token that is valid now. */
  refresh_hash: string;
  refresh_expires_at: Instant;
  /** The address and the program of the last login or refresh. */
  address: string | null;
  user_agent: string | null;
  /** The last login or refresh. */
  last_used_at: Instant;
  created_at: Instant;
  /** Until then the session has an event stream that shows offers of transfers; null if it has none. */
  present_until: Instant | null;
  /** The stream that said so last. */
  present_by: string | null;
}

/** Why a login session ended. A client that still has its tokens can ask for it. */
export interface EndedSessionTable {
  id: string;
  account_id: number;
  /** SHA-256 of its last refresh token. */
  refresh_hash: string;
  cause: SessionEnd;
  /** When its end is forgotten. */
  expires_at: Instant;
}

/** A credential of a program that acts for an account, such as a synchronisation client. */
export interface AppPasswordTable {
  id: Generated<number>;
  account_id: number;
  /** A name by which the owner recognises it. */
  name: string;
  scope: AppPasswordScope;
  /** SHA-256. The password is random, so it needs neither a salt nor a slow hash. */
  password_hash: string;
  expires_at: Instant | null;
  /** Accurate to a minute, so that requests need not write. */
  last_used_at: Instant | null;
  created_at: Instant;
}

/** Who the owner of an account is at a provider of single sign-on (OpenID Connect). */
export interface IdentityTable {
  id: Generated<number>;
  account_id: number;
  /** The URL that names the provider. */
  issuer: string;
  /** What the provider knows the person by. It never changes, unlike names and e-mail addresses. */
  subject: string;
  created_at: Instant;
}

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
