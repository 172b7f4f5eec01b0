import type { FileEventRecord } from '../generated/records.ts';

/**
 * What `Events.watch` gives. `cursor` is where to go on, also in another run of the program; it counts once
 * the event has been dealt with.
 */
export type DriveEvent =
  /** The stream is open. Whatever happens from now on will arrive: the moment to list the drive. */
  | { readonly kind: 'ready'; readonly cursor: number }
  /** Something changed. */
  | { readonly kind: 'change'; readonly cursor: number; readonly change: FileEventRecord }
  /** Changes are missing, because the cursor was too old: list the drive again. The stream goes on. */
  | { readonly kind: 'resync'; readonly cursor: number };
