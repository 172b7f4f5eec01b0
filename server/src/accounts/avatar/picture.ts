import { imageSize } from 'image-size';
import { Failure } from '../../base/failure.ts';

interface Family {
  readonly contentType: string;
  /** What else people call it. */
  readonly aliases: readonly string[];
  /** What the reader of the bytes calls it. */
  readonly kinds: readonly string[];
}

/**
 * How much of a picture is looked at. All of these say what they are at their beginning, metadata of cameras
 * included; and the reader takes its time over a long JPEG that is none (0.6 s for 5 MiB).
 */
export const PICTURE_HEAD_BYTES = 512 * 1024;

/** Pictures made of pixels. No SVG: that is a document which can carry a script. */
const FAMILIES: readonly Family[] = [
  { contentType: 'image/jpeg', aliases: ['image/jpg', 'image/pjpeg'], kinds: ['jpg'] },
  { contentType: 'image/png', aliases: ['image/x-png', 'image/apng'], kinds: ['png'] },
  { contentType: 'image/gif', aliases: [], kinds: ['gif'] },
  { contentType: 'image/webp', aliases: [], kinds: ['webp'] },
  { contentType: 'image/avif', aliases: [], kinds: ['avif', 'heif'] },
  { contentType: 'image/heic', aliases: ['image/heif'], kinds: ['heic', 'heif'] },
  { contentType: 'image/bmp', aliases: ['image/x-ms-bmp', 'image/x-bmp'], kinds: ['bmp'] },
];

/** The content type in its usual spelling; undefined when it names no kind of picture that we take. */
export function findPictureType(declared: string): string | undefined {
  const type = declared.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return FAMILIES.find(({ contentType, aliases }) => contentType === type || aliases.includes(type))
    ?.contentType;
}

/**
 * Looks at the first {@link PICTURE_HEAD_BYTES}: they must be a picture's, and of the declared type where one was
 * declared. Gives the type.
 *
 * @throws Failure `rejected`
 */
export function checkPicture(head: Uint8Array, declared: string | null): string {
  // A copy in memory of its own: the reader looks past the end of a view, into what lies behind it.
  const kind = findKind(new Uint8Array(head.subarray(0, PICTURE_HEAD_BYTES)));
  const family = FAMILIES.find(
    ({ contentType, kinds }) => kinds.includes(kind) && (declared === null || contentType === declared),
  );
  if (family !== undefined) return family.contentType;
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
