import { imageSize } from 'image-size';
import { Failure } from '../base/failure.ts';

interface Family {
  readonly contentType: string;
  /** What else people call it. */
  readonly aliases: readonly string[];
  /** What the reader of the bytes calls it. */
  readonly kinds: readonly string[];
}

/** Pictures made of pixels. No SVG: that is a document which can carry a script. */
const FAMILIES: readonly Family[] = [
  { contentType: 'image/jpeg', aliases: ['image/jpg', 'image/pjpeg'], kinds: ['jpg'] },
  { contentType: 'image/png', aliases: ['image/x-png', 'image/apng'], kinds: ['png'] },
  { contentType: 'image/gif', aliases: [], kinds: ['gif'] },
  { contentType: 'image/webp', aliases: [], kinds: ['webp'] },
  { contentType: 'image/avif', aliases: [], kinds: ['avif', 'heif'] },
  { contentType: 'image/heic', aliases: ['image/heif'], kinds: ['heic', 'heif'] },
  { contentType: 'image/bmp', aliases: ['image/x-ms-bmp', 'image/x-bmp'], kinds: ['bmp'] },
  { contentType: 'image/tiff', aliases: [], kinds: ['tiff'] },
];

/** The content type in its usual spelling; undefined when it names no kind of picture that we take. */
export function findPictureType(declared: string): string | undefined {
  const type = declared.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return FAMILIES.find(({ contentType, aliases }) => contentType === type || aliases.includes(type))
    ?.contentType;
}

/**
 * Looks at the bytes: they must be a picture, and of the declared type where one was declared. Gives the type.
 * @throws Failure `rejected`
 */
export function checkPicture(bytes: Uint8Array, declared: string | null): string {
  const kind = findKind(bytes);
  const family = FAMILIES.find(
    ({ contentType, kinds }) => kinds.includes(kind) && (declared === null || contentType === declared),
  );
  if (family !== undefined) return family.contentType;
  throw new Failure(
    'rejected',
    `The file is not a picture${declared === null ? '' : ` of type ${declared}`}.`,
  );
}

function findKind(bytes: Uint8Array): string {
  try {
    const { width, height, type } = imageSize(bytes);
    if (width > 0 && height > 0 && type !== undefined) return type;
  } catch (error) {
    throw new Failure('rejected', 'The file is not a picture that can be read.', { cause: error });
  }
  throw new Failure('rejected', 'The file is not a picture that can be read.');
}
