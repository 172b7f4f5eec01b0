import type { SHARE_END_REASONS } from './notifications.ts';

/** V2 is a share, LEGACY a share link of the older API. */
export type ShareKind = 'V2' | 'LEGACY';
/** Why a share or a folder link ends. */
export type LinkEnding = (typeof SHARE_END_REASONS)[number];
