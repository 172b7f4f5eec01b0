// How long both sides of a direct transfer wait. The web client and this library use the same times, because
// they can be the two sides of one transfer.

/** After this time without a direct connection, another way is used or offered. */
export const PATIENCE_MS = 8_000;
/** A receiver that is silent for this time after the line broke counts as gone. */
export const SILENCE_MS = 20_000;
/**
 * The same once both sides have tried for a while, because the pauses between attempts grow to 40 seconds.
 */
export const LATE_SILENCE_MS = 90_000;
/** A session is replaced this long before it expires, while a line is open to announce the new one. */
export const RENEWAL_LEAD_MS = 3 * 60_000;
/** The pause between two messages of the sender about its storing progress. */
export const STORED_PROGRESS_MS = 2_000;
/**
 * The time for a receiver to confirm that it knows the stored session. If it does not, it is gone, or is a
 * page of an older version that never confirms.
 */
export const FOLLOWS_WITHIN_MS = 30_000;
/** The pause before the receiver looks for the stored session again. */
export const STORED_POLL_MS = 3_000;
