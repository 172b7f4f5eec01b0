/** How decoding a picture went. */
export const NOT_DECODED = 0;
export const DECODED = 1;
