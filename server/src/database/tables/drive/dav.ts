import type { Generated } from 'kysely';
import type { Instant } from '../../../base/clock.ts';
import type { Flag } from '../../flag.ts';

/** A write lock of a WebDAV client. */
export interface DavLockTable {
  id: Generated<number>;
  /** A URI that nobody can guess. */
  token: string;
  /** The owner of the drive. */
  account_id: number;
  /** The root of the lock. */
  entry_id: number;
  is_exclusive: Flag;
  /** Whether it covers everything below the entry, too. */
  is_deep: Flag;
  /** What the client wrote about the owner of the lock, as XML. */
  owner_xml: string;
  expires_at: Instant;
  created_at: Instant;
}

/** The properties that WebDAV clients have stored with an entry. */
export interface DavPropertyTable {
  entry_id: number;
  /** The owner of the drive. */
  owner_id: number;
  /** What they count for, in bytes. */
  bytes: number;
  /** JSON: a list of `[namespace, name, value]`. The value is the whole element, as XML. */
  properties: string;
}
