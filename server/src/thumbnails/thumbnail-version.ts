import { mediaTypeOf } from '../formats/media/media-types.ts';

/** Increase it whenever the same picture would get a different thumbnail. */
export const RENDERING = 1;

/** Larger files have no thumbnails. */
export const MAX_PICTURE_BYTES = 100_000_000;

/** The longest side of a thumbnail in pixels. Smaller pictures keep their size. */
export const THUMBNAIL_SIZES = [256, 1024, 2048] as const;
export type ThumbnailSize = (typeof THUMBNAIL_SIZES)[number];

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

/** The facts about a file that its record contains. */
export interface ThumbnailSource {
  readonly name: string;
  readonly contentType: string | null;
  readonly size: number;
  /** Null for a directory. */
  readonly blobId: number | null;
}

/** Larger videos have no thumbnails, because their bytes must be copied to a temporary file. */
const MAX_VIDEO_BYTES = 200_000_000;

/** Whether this process makes thumbnails of videos. Set only at the start, because records depend on it. */
let hasVideos = false;

export function setVideoThumbnails(isOn: boolean): void {
  hasVideos = isOn;
}

/**
 * A text that changes with the file's content, or null if the file cannot have a thumbnail. Only the bytes
 * show whether it really has one. They are not read here, because listings call this for every row.
 */
export function thumbnailVersionOf(source: ThumbnailSource): string | null {
  const { size, blobId } = source;
  if (blobId === null || size === 0) return null;
  const maxBytes = isVideo(source)
    ? hasVideos
      ? MAX_VIDEO_BYTES
      : 0
    : isPicture(source)
      ? MAX_PICTURE_BYTES
      : 0;
  return size > maxBytes ? null : `${RENDERING}-${blobId.toString(36)}`;
}

function isPicture(source: ThumbnailSource): boolean {
  return TYPES.has(typeOf(source));
}

export function isVideo(source: ThumbnailSource): boolean {
  return typeOf(source).startsWith('video/');
}

/**
 * The type of the file, or of its name if the type is unspecific. A file may get its extension after the
 * upload.
 */
function typeOf({ name, contentType }: ThumbnailSource): string {
  const [type = ''] = (contentType ?? '').split(';', 1);
  return !type.includes('/') || type === 'application/octet-stream' ? (mediaTypeOf(name) ?? '') : type;
}
