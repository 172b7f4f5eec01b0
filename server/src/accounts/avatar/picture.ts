import { imageSize } from 'image-size';
import { Failure } from '../../base/failure.ts';

interface PictureFormat {
  readonly contentType: string;
  /** Other names that clients send. */
  readonly aliases: readonly string[];
  /** The names that `image-size` uses for the format. */
  readonly kinds: readonly string[];
}

/**
 * How many bytes of a picture are read. All formats can be recognised by their beginning, even after the
 * metadata of cameras. Reading more would be slow: `image-size` takes 0.6 s for a broken JPEG of 5 MiB.
 */
export const PICTURE_HEAD_BYTES = 512 * 1024;

/** The accepted formats. SVG is not accepted, since it can contain scripts. */
const FORMATS: readonly PictureFormat[] = [
  { contentType: 'image/jpeg', aliases: ['image/jpg', 'image/pjpeg'], kinds: ['jpg'] },
  { contentType: 'image/png', aliases: ['image/x-png', 'image/apng'], kinds: ['png'] },
  { contentType: 'image/gif', aliases: [], kinds: ['gif'] },
  { contentType: 'image/webp', aliases: [], kinds: ['webp'] },
  { contentType: 'image/avif', aliases: [], kinds: ['avif', 'heif'] },
  { contentType: 'image/heic', aliases: ['image/heif'], kinds: ['heic', 'heif'] },
  { contentType: 'image/bmp', aliases: ['image/x-ms-bmp', 'image/x-bmp'], kinds: ['bmp'] },
];

/** The content type in its usual spelling; undefined if the format is not accepted. */
export function findPictureType(declared: string): string | undefined {
  const type = declared.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return FORMATS.find(({ contentType, aliases }) => contentType === type || aliases.includes(type))
    ?.contentType;
}

/**
 * Checks the first {@link PICTURE_HEAD_BYTES} of a file and gives its content type.
 *
 * @throws Failure `rejected` if it is no picture, or not of the declared type
 */
export function checkPicture(head: Uint8Array, declared: string | null): string {
  // Needs a copy: `image-size` reads past the end of a view, into unrelated memory.
  const kind = findKind(new Uint8Array(head.subarray(0, PICTURE_HEAD_BYTES)));
  const format = FORMATS.find(
    ({ contentType, kinds }) => kinds.includes(kind) && (declared === null || contentType === declared),
  );
  if (format !== undefined) return format.contentType;
  throw new Failure(
    'rejected',
    `The file is not a picture${declared === null ? '' : ` of type ${declared}`}.`,
  );
}

function findKind(head: Uint8Array): string {
  try {
    const { width, height, type } = imageSize(head);
    if (width > 0 && height > 0 && type !== undefined) return type;
  } catch (error) {
    throw new Failure('rejected', 'The file is not a picture that can be read.', { cause: error });
  }
  throw new Failure('rejected', 'The file is not a picture that can be read.');
}
