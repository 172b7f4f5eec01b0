// The messages between the client and the frame that shows a document. The frame is a separate sandboxed page
// (`web/document-frames`), because it handles untrusted files.

/** The formats that a frame can show. */
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
  /** The accessible name of the sheet selection. */
  readonly sheetsLabel: string;
}

/** The messages of the frame. */
export type FrameNews =
  /** The frame is ready to receive the document. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'shown' }
  | { readonly kind: 'failed'; readonly reason: DocumentFault }
  /** A key press for the client. Without this message, the client would not notice keys in the frame. */
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
