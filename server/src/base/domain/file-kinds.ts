/** The kinds of files that people look for. The database stores their positions, so a new one comes last. */
export const FILE_KINDS = ['IMAGE', 'VIDEO', 'AUDIO', 'DOCUMENT', 'ARCHIVE', 'OTHER'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** Types of ZIP archives, including formats that are ZIP archives under another name. */
export const ZIP_TYPES: readonly string[] = [
  'application/zip',
  'application/x-zip',
  'application/x-zip-compressed',
  'application/java-archive',
  'application/vnd.android.package-archive',
];

/** Media types, without parameters, or beginnings of them. */
interface TypeList {
  readonly beginnings: readonly string[];
  readonly types: readonly string[];
}

/** The kinds that have a list of types. Files of all other types, and without a type, are `OTHER`. */
type ListedKind = Exclude<FileKind, 'OTHER'>;
export const LISTED_KINDS: readonly ListedKind[] = FILE_KINDS.filter((kind) => kind !== 'OTHER');

/** No type is in two lists. */
export const TYPES_OF_KIND: Readonly<Record<ListedKind, TypeList>> = {
  IMAGE: { beginnings: ['image/'], types: [] },
  VIDEO: { beginnings: ['video/'], types: [] },
  AUDIO: { beginnings: ['audio/'], types: [] },
  DOCUMENT: {
    beginnings: [
      'text/',
      'application/vnd.oasis.opendocument.',
      'application/vnd.openxmlformats-officedocument.',
      'application/vnd.ms-excel',
      'application/vnd.ms-powerpoint',
      'application/vnd.ms-word',
    ],
    types: [
      'application/epub+zip',
      'application/json',
      'application/msword',
      'application/pdf',
      'application/postscript',
      'application/rtf',
      'application/vnd.amazon.ebook',
      'application/vnd.apple.keynote',
      'application/vnd.apple.numbers',
      'application/vnd.apple.pages',
      'application/vnd.comicbook+zip',
      'application/vnd.comicbook-rar',
      'application/vnd.ms-xpsdocument',
      'application/vnd.visio',
      'application/x-abiword',
      'application/x-cbr',
      'application/x-fictionbook+xml',
      'application/x-mobipocket-ebook',
      'application/x-mspublisher',
      'application/x-tex',
      'application/xhtml+xml',
      'application/xml',
      'application/yaml',
    ],
  },
  ARCHIVE: {
    beginnings: [],
    types: [
      ...ZIP_TYPES,
      'application/gzip',
      'application/vnd.ms-cab-compressed',
      'application/vnd.rar',
      'application/x-7z-compressed',
      'application/x-ace-compressed',
      'application/x-arj',
      'application/x-bzip',
      'application/x-bzip2',
      'application/x-compress',
      'application/x-compressed-tar',
      'application/x-cpio',
      'application/x-gtar',
      'application/x-gzip',
      'application/x-lzh-compressed',
      'application/x-lzip',
      'application/x-lzma',
      'application/x-rar',
      'application/x-rar-compressed',
      'application/x-stuffit',
      'application/x-tar',
      'application/x-xz',
      'application/zstd',
    ],
  },
};

/** The kind of a file by its media type, which may have parameters. */
export function kindOfType(contentType: string | null): FileKind {
  const [type = ''] = (contentType ?? '').split(';', 1);
  const isOfKind = (kind: ListedKind) => {
    const { beginnings, types } = TYPES_OF_KIND[kind];
    return beginnings.some((beginning) => type.startsWith(beginning)) || types.includes(type);
  };
  return LISTED_KINDS.find(isOfKind) ?? 'OTHER';
}
