// The messages between the client and the frame that shows a document. The frame is a separate sandboxed page
// (`web/document-frames`), because it handles untrusted files.

/** The frame for each format that can be shown. */
const FRAMES = {
  docx: 'docx',
  xlsx: 'xlsx',
  ods: 'xlsx',
  odt: 'pages',
  odp: 'pages',
  pptx: 'pages',
  epub: 'epub',
} as const;

export type DocumentFormat = keyof typeof FRAMES;

export function isDocumentFormat(kind: string): kind is DocumentFormat {
  return Object.hasOwn(FRAMES, kind);
}

export function frameOf(format: DocumentFormat): (typeof FRAMES)[DocumentFormat] {
  return FRAMES[format];
}

/** The largest file of a format that is shown, in bytes. It takes many times its size in memory. */
export function maxBytesOf(format: DocumentFormat): number {
  return format === 'epub' || format === 'pptx' || format === 'odp' ? 64_000_000 : 20_000_000;
}

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
  readonly labels: FrameLabels;
}

/** Texts of books and presentations. */
export interface FrameLabels {
  readonly contents: string;
  readonly previousChapter: string;
  readonly nextChapter: string;
  readonly smaller: string;
  readonly larger: string;
  /** Says in the place of a chapter that it cannot be shown. */
  readonly brokenChapter: string;
  /** Says that only the first slides are shown. */
  readonly cutSlides: string;
}

/** So many slides are shown. */
export const MAX_SLIDES = 500;

/** The messages of the frame. */
export type FrameNews =
  /** The frame is ready to receive the document. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'shown' }
  | { readonly kind: 'failed'; readonly reason: DocumentFault }
  /** A key press for the client. Without this message, the client would not notice keys in the frame. */
  | { readonly kind: 'key'; readonly key: FrameKey };

/** Why a document cannot be shown. */
export type DocumentFault = 'damaged' | 'too-large' | 'protected';

const FAULT_KEYS = { damaged: 'damaged', 'too-large': 'tooLarge', protected: 'protectedBook' } as const;

/** The message key for a fault. */
export function faultKeyOf(fault: DocumentFault): (typeof FAULT_KEYS)[DocumentFault] {
  return FAULT_KEYS[fault];
}

const FRAME_KEYS = ['Escape', 'ArrowLeft', 'ArrowRight'] as const;
type FrameKey = (typeof FRAME_KEYS)[number];

export function isFrameKey(key: unknown): key is FrameKey {
  return FRAME_KEYS.some((known) => known === key);
}

/** The limits of the table that shows a sheet. */
export const MAX_ROWS = 1_000;
export const MAX_COLUMNS = 60;
