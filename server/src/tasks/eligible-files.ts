import { isMediaType, mediaTypeOf } from '../formats/media/media-types.ts';

interface NamedFile {
  readonly name: string;
  readonly contentType: string | null;
}

/** What else is a zip, or is one below its own name. */
const ZIP_TYPES = [
  'application/zip',
  'application/x-zip',
  'application/x-zip-compressed',
  'application/java-archive',
  'application/vnd.android.package-archive',
];

const ZIP_EXTENSIONS =
  /\.(zip|jar|war|ear|aar|apk|aab|ipa|cbz|crx|epub|kmz|mcpack|mcworld|nupkg|odp|ods|odt|docx|pptx|sketch|vsix|whl|xlsx|xpi|3mf)$/i;

/** Whether it may be an archive that can be extracted, as far as name and type tell; its bytes have the last word. */
export function isArchiveFile({ name, contentType }: NamedFile): boolean {
  const type = bareType(contentType);
  return ZIP_EXTENSIONS.test(name) || ZIP_TYPES.includes(type) || type.endsWith('+zip');
}

/** Whether it may be a picture, a video or a sound, as far as name and type tell. */
export function isMediaFile({ name, contentType }: NamedFile): boolean {
  return isMediaType(contentType) || isMediaType(mediaTypeOf(name));
}

function bareType(contentType: string | null): string {
  return contentType?.split(';', 1)[0] ?? '';
}
