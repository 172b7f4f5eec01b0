/** How decoding a picture went. */
export const NOT_DECODED = 0;
export const DECODED = 1;

/** Added to the size of the thumbnail if the file is a raw photo. */
export const OF_RAW = 2 ** 16;
