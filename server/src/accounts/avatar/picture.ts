import { Failure } from '../../base/failure.ts';
import { findDimensions } from '../../formats/media/image-dimensions.ts';
import { findMediaType, SIGNATURE_BYTES } from '../../formats/media/media-signatures.ts';
import type { RangedBytes } from '../../formats/ranged-bytes.ts';

interface PictureFormat {
  readonly contentType: string;
  /** Other names that clients send. */
  readonly aliases: readonly string[];
  /** The types that may be detected from the first bytes of such a file. */
  readonly found: readonly string[];
}

/** The accepted formats. SVG is not accepted, since it can contain scripts. */
const FORMATS: readonly PictureFormat[] = [
  { contentType: 'image/jpeg', aliases: ['image/jpg', 'image/pjpeg'], found: ['image/jpeg'] },
  { contentType: 'image/png', aliases: ['image/x-png', 'image/apng'], found: ['image/png'] },
  { contentType: 'image/gif', aliases: [], found: ['image/gif'] },
  { contentType: 'image/webp', aliases: [], found: ['image/webp'] },
  { contentType: 'image/avif', aliases: [], found: ['image/avif', 'image/heif'] },
  { contentType: 'image/heic', aliases: ['image/heif'], found: ['image/heic', 'image/heif'] },
  { contentType: 'image/bmp', aliases: ['image/x-ms-bmp', 'image/x-bmp'], found: ['image/bmp'] },
];

/** The content type in its usual spelling; undefined if the format is not accepted. */
export function findPictureType(declared: string): string | undefined {
  const type = declared.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return FORMATS.find(({ contentType, aliases }) => contentType === type || aliases.includes(type))
    ?.contentType;
}

/**
 * Checks that a file is a picture in an accepted format that declares a size. Returns its content type. The
 * first bytes determine the format, and only the reader of that format sees the file. It reads few bytes, at
 * most 64 KiB at a time.
 *
 * @throws Failure `rejected` if it is not a picture, or not of the declared type
 */
export async function checkPicture(bytes: RangedBytes, declared: string | null): Promise<string> {
  const head = await bytes.read(0, SIGNATURE_BYTES);
  const type = findMediaType(head ?? new Uint8Array(), '');
  const format = FORMATS.find(
    ({ contentType, found }) =>
      type !== undefined && found.includes(type) && (declared === null || contentType === declared),
  );
  if (type === undefined || format === undefined) {
    throw new Failure(
      'rejected',
      `The file is not a picture${declared === null ? '' : ` of type ${declared}`}.`,
    );
  }
  if ((await findDimensions(type, bytes)) !== undefined) return format.contentType;
  throw new Failure('rejected', 'The file is not a picture that can be read.');
}
