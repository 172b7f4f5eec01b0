import type { EntryRecord } from '../../../../client/src/client.ts';
import { endingOf, kindOf } from '../entries/entry-kind.ts';

/** The kind of a file in the user's terms. Each has a text, which usually includes the format. */
type Purpose = (typeof FORMATS)[number][0] | 'text' | 'file' | 'plain';

export interface FileType {
  readonly purpose: Purpose;
  /** The name of the format, the same in every language; empty if the text does not include one. */
  readonly format: string;
}

/** Formats, with their media types and extensions. */
const FORMATS = [
  ['picture', 'JPEG', 'image/jpeg jpg jpeg'],
  ['picture', 'WebP', 'image/webp webp'],
  ['picture', 'ICO', 'image/x-icon image/vnd.microsoft.icon ico'],
  ['picture', 'Photoshop', 'image/vnd.adobe.photoshop psd'],
  ['video', 'QuickTime', 'video/quicktime mov'],
  ['video', 'Matroska', 'video/x-matroska video/matroska mkv'],
  ['video', 'WebM', 'video/webm webm'],
  ['video', 'AVI', 'video/x-msvideo avi'],
  ['audio', 'MP3', 'audio/mpeg mp3'],
  ['audio', 'M4A', 'audio/mp4 m4a'],
  ['archive', 'Zip', 'application/zip application/x-zip-compressed zip'],
  ['archive', '7-Zip', 'application/x-7z-compressed 7z'],
  ['archive', 'RAR', 'application/vnd.rar application/x-rar-compressed rar'],
  ['archive', 'Tar', 'application/x-tar tar'],
  ['archive', 'Gzip', 'application/gzip application/x-gzip gz tgz'],
  ['archive', 'Bzip2', 'application/x-bzip2 bz2'],
  ['archive', 'XZ', 'application/x-xz xz'],
  ['archive', 'Zstandard', 'application/zstd zst'],
  ['document', 'PDF', 'application/pdf pdf'],
  [
    'document',
    'Word',
    'application/msword application/vnd.openxmlformats-officedocument.wordprocessingml.document doc docx',
  ],
  ['document', 'OpenDocument', 'application/vnd.oasis.opendocument.text odt'],
  ['document', 'RTF', 'application/rtf text/rtf rtf'],
  ['document', 'Markdown', 'text/markdown md'],
  ['document', 'EPUB', 'application/epub+zip epub'],
  ['document', 'Pages', 'application/vnd.apple.pages pages'],
  [
    'spreadsheet',
    'Excel',
    'application/vnd.ms-excel application/vnd.openxmlformats-officedocument.spreadsheetml.sheet xls xlsx',
  ],
  ['spreadsheet', 'OpenDocument', 'application/vnd.oasis.opendocument.spreadsheet ods'],
  ['spreadsheet', 'CSV', 'text/csv csv'],
  ['spreadsheet', 'Numbers', 'application/vnd.apple.numbers numbers'],
  [
    'presentation',
    'PowerPoint',
    'application/vnd.ms-powerpoint application/vnd.openxmlformats-officedocument.presentationml.presentation ppt pptx',
  ],
  ['presentation', 'OpenDocument', 'application/vnd.oasis.opendocument.presentation odp'],
  ['presentation', 'Keynote', 'application/vnd.apple.keynote key'],
] as const;

const KNOWN: ReadonlyMap<string, FileType> = new Map(
  FORMATS.flatMap(([purpose, format, names]) => names.split(' ').map((name) => [name, { purpose, format }])),
);

const FAMILIES = { image: 'picture', video: 'video', audio: 'audio' } as const;

/** The type of a file in the user's terms, derived from its media type or else from its name. */
export function fileTypeOf(file: Pick<EntryRecord, 'filename' | 'contentType'>): FileType {
  const ending = endingOf(file.filename);
  const named: FileType = { purpose: 'file', format: ending.toUpperCase() };
  // The name decides for code: TypeScript, for example, has the extension of a video format.
  if (kindOf({ ...file, directory: false }) === 'code') return named;
  const [contentType = ''] = (file.contentType ?? '').toLowerCase().split(';');
  const [family, format = ''] = contentType.trim().split('/');
  const known = KNOWN.get(contentType.trim());
  if (known !== undefined) return known;
  if (family === 'image' || family === 'video' || family === 'audio') {
    return { purpose: FAMILIES[family], format: shortNameOf(format) };
  }
  const knownByName = KNOWN.get(ending);
  if (knownByName !== undefined) return knownByName;
  if (family === 'text' && ['', 'txt', 'log', 'ini', 'conf'].includes(ending)) {
    return { purpose: 'text', format: '' };
  }
  return ending === '' ? { purpose: 'plain', format: '' } : named;
}

/** For example, `CR2` for `x-canon-cr2` and `SVG` for `svg+xml`. */
function shortNameOf(format: string): string {
  return format.replace(/\+.*$/, '').split(/[-.]/).at(-1)?.toUpperCase() ?? '';
}
