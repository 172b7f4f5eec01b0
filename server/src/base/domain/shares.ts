/** V2 is a share, LEGACY a share link of the older API. */
export type ShareKind = 'V2' | 'LEGACY';
