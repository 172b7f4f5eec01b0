import type { EntryRecord } from '../../../../client/src/client.ts';

/** The kind of a file in the user's terms, derived from its name and type. */
export type EntryKind =
  | ('folder' | 'image' | 'video' | 'audio' | 'pdf' | 'archive')
  | ('text' | 'document' | 'sheet' | 'slides' | 'code' | 'other');

type Named = Pick<EntryRecord, 'filename' | 'contentType' | 'directory'>;

const BY_ENDING: readonly (readonly [EntryKind, string])[] = [
  ['pdf', 'pdf'],
  ['archive', 'zip 7z rar tar gz tgz bz2 xz zst'],
  ['document', 'doc docx odt rtf pages'],
  ['sheet', 'xls xlsx ods csv tsv numbers'],
  ['slides', 'ppt pptx odp key'],
  ['code', 'js mjs ts tsx jsx json html css py rb go rs c h cpp java kt swift sh sql xml yml yaml toml'],
  ['text', 'txt md log ini conf'],
];

const KINDS = new Map(
  BY_ENDING.flatMap(([kind, endings]) => endings.split(' ').map((ending) => [ending, kind])),
);

export function kindOf({ filename, contentType, directory }: Named): EntryKind {
  if (directory) return 'folder';
  const [family] = (contentType ?? '').split('/');
  const byName = KINDS.get(endingOf(filename));
  // TypeScript files have the same extension as MPEG transport streams, so their type says video.
  if (byName === 'code') return byName;
  if (family === 'image' || family === 'video' || family === 'audio') return family;
  if (byName !== undefined) return byName;
  if (contentType === 'application/pdf') return 'pdf';
  return family === 'text' ? 'text' : 'other';
}

/** Whether the thumbnail shows a page, which must not be cropped, instead of a picture or a video. */
export function hasPage(entry: Named): boolean {
  return !['image', 'video'].includes(kindOf(entry));
}

/** Extensions of other formats that are ZIP archives, the same as in the service. */
const ZIP_ENDINGS = new Set(
  [
    'zip zipx jar war ear aar apk apks xapk aab ipa cbz crx epub kmz mcpack mcworld nupkg odp ods odt odg docx docm',
    'dotx pptx xlsx xlsm xps sketch vsix whl xpi 3mf kra pages',
  ]
    .join(' ')
    .split(' '),
);
const ZIP_TYPES =
  /^application\/(?:(?:x-)?zip(?:-compressed)?|java-archive|vnd\.android\.package-archive|.+\+zip)$/;

/** Whether the service can extract the file, judging by its name and type. */
export function canExtract({ filename, contentType, directory }: Named): boolean {
  const [type = ''] = (contentType ?? '').split(';', 1);
  return !directory && (ZIP_ENDINGS.has(endingOf(filename)) || ZIP_TYPES.test(type));
}

/** Whether the viewer lists the content of the file. */
export function isZip({ filename, contentType, directory }: Named): boolean {
  return !directory && (endingOf(filename) === 'zip' || contentType === 'application/zip');
}

/** The part of a name that a rename selects: the name without its extension. */
export function stemLength({ filename, directory }: Named): number {
  const dot = filename.lastIndexOf('.');
  return directory || dot <= 0 ? filename.length : dot;
}

/** The extension in lower case; empty if there is none. */
export function endingOf(filename: string): string {
  const dot = filename.lastIndexOf('.');
  return dot <= 0 ? '' : filename.slice(dot + 1).toLowerCase();
}
