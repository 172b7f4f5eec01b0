/** The longest side in pixels of the picture that is drawn of a page, or taken from a video. */
export const DRAWN_SIDE = 1_024;
