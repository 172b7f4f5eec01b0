import type { Instant } from '../../../base/clock.ts';

/** Bytes that a running request stores for an account, or has announced, and that are charged to nothing yet. */
export interface UploadReservationTable {
  id: string;
  owner_id: number;
  /** The OFFLINE transfer that the bytes are for; null for a file of the drive. */
  transfer_id: string | null;
  bytes: number;
  /** The running request extends this. After a crash nobody does, and the reservation ends. */
  expires_at: Instant;
}
