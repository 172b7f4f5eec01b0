// What the client and the frame that shows a document say to each other. The frame is a page of its own in a
// sandbox (`web/document-frames`), because it handles files that nobody has checked.

/** The formats with a frame. */
export type DocumentFormat = 'docx' | 'xlsx';

/** The first message of the client, with the document itself. */
export interface FrameOrder {
  readonly bytes: ArrayBuffer;
  readonly isDark: boolean;
  /** For numbers and dates. */
  readonly language: string;
  /** Says that only the first rows are shown. */
  readonly cutNotice: string;
  /** Says that a sheet has no cells. */
  readonly emptyNotice: string;
  /** Names the choice of a sheet. */
  readonly sheetsLabel: string;
}

/** What the frame says. */
export type FrameNews =
  /** It waits for the document. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'shown' }
  | { readonly kind: 'failed'; readonly reason: DocumentFault }
  /** A key that the client handles, because a frame keeps its own keys to itself. */
  | { readonly kind: 'key'; readonly key: FrameKey };

/** Why a document cannot be shown. */
export type DocumentFault = 'damaged' | 'too-large';

const FRAME_KEYS = ['Escape', 'ArrowLeft', 'ArrowRight'] as const;
type FrameKey = (typeof FRAME_KEYS)[number];

export function isFrameKey(key: unknown): key is FrameKey {
  return FRAME_KEYS.some((known) => known === key);
}

/** The limits of the table that shows a sheet. */
export const MAX_ROWS = 1_000;
export const MAX_COLUMNS = 60;
