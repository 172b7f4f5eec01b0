import { ZIP_TYPES } from '../base/domain/file-kinds.ts';
import { isMediaType, mediaTypeOf } from '../formats/media/media-types.ts';

interface NamedFile {
  readonly name: string;
  readonly contentType: string | null;
}

const ZIP_EXTENSIONS =
  /\.(zip|jar|war|ear|aar|apk|aab|ipa|cbz|crx|epub|kmz|mcpack|mcworld|nupkg|odp|ods|odt|docx|pptx|sketch|vsix|whl|xlsx|xpi|3mf)$/i;

/** Whether the file may be a ZIP archive, judging by its name or type. The job checks the bytes. */
export function isArchiveFile({ name, contentType }: NamedFile): boolean {
  const type = withoutParameters(contentType);
  return ZIP_EXTENSIONS.test(name) || ZIP_TYPES.includes(type) || type.endsWith('+zip');
}

/** Whether the file is an image, video or audio file, judging by its name or type. */
export function isMediaFile({ name, contentType }: NamedFile): boolean {
  return isMediaType(contentType) || isMediaType(mediaTypeOf(name));
}

function withoutParameters(contentType: string | null): string {
  return contentType?.split(';', 1)[0] ?? '';
}
