import { isTiff } from '../formats/media/containers.ts';
import { mediaTypeOf } from '../formats/media/media-types.ts';

/** Increase it whenever the same picture would get a different thumbnail. */
export const RENDERING = 1;

/** Larger pictures have no thumbnails. */
export const MAX_PICTURE_BYTES = 100_000_000;

/** Larger documents have no thumbnails. */
export const MAX_DOCUMENT_BYTES = 64 * 1_024 ** 2;

/** Larger videos have no thumbnails, because their bytes must be copied to a temporary file. */
const MAX_VIDEO_BYTES = 200_000_000;

/** The longest side of a thumbnail in pixels. Smaller pictures keep their size. */
export const THUMBNAIL_SIZES = [256, 1024, 2048] as const;
export type ThumbnailSize = (typeof THUMBNAIL_SIZES)[number];

/**
 * What a thumbnail shows: the picture itself, the preview in a raw photo, the picture of its first page that a
 * document contains, the drawn first page of a PDF, or a frame of a video.
 */
export type ThumbnailKind = 'picture' | 'raw' | 'document' | 'pdf' | 'video';

const MAX_BYTES: Readonly<Record<ThumbnailKind, number>> = {
  picture: MAX_PICTURE_BYTES,
  raw: MAX_PICTURE_BYTES,
  document: MAX_DOCUMENT_BYTES,
  pdf: MAX_DOCUMENT_BYTES,
  video: MAX_VIDEO_BYTES,
};

/**
 * The formats to decode, as far as the decoder supports them. SVG can contain a program, so it is never
 * allowed.
 */
const PICTURE_TYPES: readonly string[] = [
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/tiff',
  'image/heic',
  'image/heif',
];

/** Other names for the same formats, which some clients send. */
const OTHER_TYPES: readonly string[] = [
  'image/jpg',
  'image/pjpeg',
  'image/apng',
  'image/x-png',
  'image/heic-sequence',
  'image/heif-sequence',
];

const TYPES = new Set([...PICTURE_TYPES, ...OTHER_TYPES]);

const PDF_TYPE = /^application\/(?:x-)?pdf$/;

/** Documents that are ZIP archives: OpenDocument, Office Open XML and books. */
const DOCUMENT_TYPES = [
  /^application\/vnd\.oasis\.opendocument\./,
  /^application\/vnd\.openxmlformats-officedocument\./,
  /^application\/vnd\.ms-\w+\.\w+\.macroenabled\.12$/i,
  /^application\/epub\+zip$/,
];

/** Types that some clients send for files of every kind, or for every ZIP archive. */
const UNSPECIFIC_TYPE = /^(?:[^/]*|application\/(?:octet-stream|zip|x-zip|x-zip-compressed))$/;

/** The facts about a file that its record contains. */
export interface ThumbnailSource {
  readonly name: string;
  readonly contentType: string | null;
  readonly size: number;
  /** Null for a directory. */
  readonly blobId: number | null;
}

/** The kinds that need no other program or package. */
const ALWAYS: readonly ThumbnailKind[] = ['picture', 'raw', 'document'];

/** The kinds that this process can make. Set only at the start, because records depend on it. */
let available: ReadonlySet<ThumbnailKind> = new Set(ALWAYS);

export function setFurtherThumbnails(...kinds: readonly ('pdf' | 'video')[]): void {
  available = new Set([...ALWAYS, ...kinds]);
}

/**
 * A text that changes with the file's content, or null if the file cannot have a thumbnail. Only the bytes
 * show whether it really has one. They are not read here, because listings call this for every row.
 */
export function thumbnailVersionOf(source: ThumbnailSource): string | null {
  const { size, blobId } = source;
  if (blobId === null || size === 0) return null;
  const kind = thumbnailKindOf(source);
  return kind === undefined || size > MAX_BYTES[kind] ? null : `${RENDERING}-${blobId.toString(36)}`;
}

/** Undefined for files without a thumbnail, judging by type and name. */
export function thumbnailKindOf(source: ThumbnailSource): ThumbnailKind | undefined {
  const kind = kindOfType(typeOf(source));
  return kind !== undefined && available.has(kind) ? kind : undefined;
}

function kindOfType(type: string): ThumbnailKind | undefined {
  if (TYPES.has(type)) return 'picture';
  if (isTiff(type) || type === 'image/x-fuji-raf') return 'raw';
  if (type.startsWith('video/')) return 'video';
  if (PDF_TYPE.test(type)) return 'pdf';
  return DOCUMENT_TYPES.some((each) => each.test(type)) ? 'document' : undefined;
}

/**
 * The type of the file, or of its name if the type is unspecific. A file may get its extension after the
 * upload.
 */
function typeOf({ name, contentType }: ThumbnailSource): string {
  const [type = ''] = (contentType ?? '').split(';', 1);
  return UNSPECIFIC_TYPE.test(type) ? (mediaTypeOf(name) ?? '') : type;
}
