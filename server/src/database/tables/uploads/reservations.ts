import type { Generated } from 'kysely';
import type { Instant } from '../../../base/clock.ts';

/**
 * Bytes that a running request stores for an account, or has announced, and that are charged to nothing yet.
 */
export interface UploadReservationTable {
  id: string;
  owner_id: number;
  /** The OFFLINE transfer that the bytes are for; null for a file of the drive. */
  transfer_id: string | null;
  bytes: number;
  /** The folder link whose visitor uploads; null for the owner. The link may be gone. */
  folder_link_id: Generated<number | null>;
  /** The address of that visitor, as limits count it (`addressKeyOf`). */
  visitor_address: Generated<string | null>;
  /** The running request extends this. After a crash nobody does, and the reservation ends. */
  expires_at: Instant;
}
