// How long both sides of a direct transfer wait. The web client and this library follow the same times,
// because they talk to each other.

/** After this long without a direct connection, another way is taken or offered. */
export const PATIENCE_MS = 8_000;
/** A receiver from whom nothing was heard for this long after the line broke is gone. */
export const SILENCE_MS = 20_000;
/** The same once both sides try for longer: the pauses between their attempts grow to 40 seconds. */
export const LATE_SILENCE_MS = 90_000;
/** A session is replaced this long before it expires, as long as a line is open to announce it. */
export const RENEWAL_LEAD_MS = 3 * 60_000;
/** The pause between two messages of the sender about how much it has stored. */
export const STORED_PROGRESS_MS = 2_000;
/**
 * A receiver that has not said by then that it knows the stored session is gone, or is a page of an older
 * version that does not say so.
 */
export const FOLLOWS_WITHIN_MS = 30_000;
/** The pause before the receiver looks for the stored session again. */
export const STORED_POLL_MS = 3_000;
