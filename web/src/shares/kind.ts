/** What people call a kind of file. */
export type Kind = 'folder' | 'image' | 'video' | 'audio' | 'pdf' | 'archive' | 'sheet' | 'text' | 'file';

const BY_TYPE: readonly (readonly [RegExp, Kind])[] = [
  [/^image\//, 'image'],
  [/^video\//, 'video'],
  [/^audio\//, 'audio'],
  [/^application\/pdf\b/, 'pdf'],
  [/zip|x-tar|x-7z|rar|x-bzip|x-xz|zstd/, 'archive'],
  [/spreadsheet|ms-excel|^text\/csv/, 'sheet'],
  [/^text\/|json|xml|word|opendocument\.text|rtf/, 'text'],
];

export function kindOf(contentType: string | null, isDirectory: boolean): Kind {
  if (isDirectory) return 'folder';
  return BY_TYPE.find(([type]) => type.test(contentType ?? ''))?.[1] ?? 'file';
}
