import type { EntryRecord } from '../../../../../client/src/client.ts';
import { type DocumentFormat, isDocumentFormat } from '../../../common/document-frame.ts';
import { isZip, kindOf } from '../../entries/entry-kind.ts';

/** How a browser can show a file; `none` if it cannot. */
export type PreviewKind = 'picture' | 'video' | 'audio' | 'pdf' | DocumentFormat | 'text' | 'zip' | 'none';

/** Types that no current browser can show. */
const UNSHOWN_PICTURES = /^image\/(?:tiff|x-|vnd\.)/;
/** Types that few or no browsers can show, but that the service converts to a picture: also raw photos. */
const RENDERED_PICTURES = /^image\/(?:tiff|hei[cf]|x-(?!png))/;
const SHOWN_ANYWAY = ['image/x-icon', 'image/vnd.microsoft.icon'];

/** Text types that do not begin with `text/`. */
const TEXT_TYPES = [
  ...['json', 'xml', 'javascript', 'ecmascript', 'sql', 'toml', 'yaml', 'x-yaml', 'graphql', 'rtf'],
  ...['x-sh', 'x-csh', 'x-php', 'x-httpd-php', 'x-perl', 'x-tex', 'x-latex', 'x-subrip', 'typescript'],
].map((name) => `application/${name}`);

/** Extensions of text files whose media type is missing or misleading. */
const TEXT_ENDINGS = new Set(
  [
    'ts mts cts tsx jsx vue svelte astro c h cc cpp hpp cs java kt kts scala go rs rb py pl lua r swift dart php',
    'sh bash zsh fish ps1 bat cmd sql graphql proto css scss sass less html htm xml svg json json5 jsonl yaml yml',
    'toml ini cfg conf env properties gradle md markdown rst adoc org tex txt text log csv tsv diff patch srt vtt',
    'gitignore gitattributes editorconfig dockerignore npmrc dockerfile makefile license readme',
    'ndjson geojson ipynb plist reg inf url desktop service timer socket mount lock tf tfvars hcl nix cmake mk',
    'eml mbox ics vcf vbs vb bas asm clj hs erl ex exs ml jl dart zig sol sbv ass ssa lrc cue m3u m3u8 pls opml',
    'bib textile wiki po pot pem crt csr pub asc awk sed vhd puml mmd dot gv gpx kml webmanifest map cnf rc',
  ]
    .join(' ')
    .split(' '),
);

/** Playlists and Go modules. They are text, although their extensions have an audio or video type. */
const TEXT_NAMES = /(?:\.(?:m3u8?|pls)|^go\.(?:mod|sum|work))$/i;

/** Files of unknown kinds up to this size are loaded to see whether they are text. */
const MAX_UNKNOWN_BYTES = 262_144;

const OPEN_XML = 'application/vnd.openxmlformats-officedocument.';
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument.';
const DOCUMENT_TYPES: ReadonlyMap<string, DocumentFormat> = new Map([
  [`${OPEN_XML}wordprocessingml.document`, 'docx'],
  [`${OPEN_XML}spreadsheetml.sheet`, 'xlsx'],
  [`${OPEN_XML}presentationml.presentation`, 'pptx'],
  [`${OPEN_DOCUMENT}text`, 'odt'],
  [`${OPEN_DOCUMENT}spreadsheet`, 'ods'],
  [`${OPEN_DOCUMENT}presentation`, 'odp'],
  ['application/epub+zip', 'epub'],
]);

/** TypeScript files get the type of MPEG transport streams, which have the same extension but are larger. */
const MAX_CODE_BYTES = 2_000_000;

type Previewed = Pick<EntryRecord, 'filename' | 'contentType' | 'directory' | 'size'> &
  Partial<Pick<EntryRecord, 'thumbnailVersion'>>;

/** Whether the large thumbnail must be shown instead of the file. */
export function needsRendition(file: Pick<EntryRecord, 'contentType' | 'thumbnailVersion'>): boolean {
  return file.thumbnailVersion !== null && RENDERED_PICTURES.test(file.contentType ?? '');
}

export function toPreviewKind(file: Previewed): PreviewKind {
  if (file.directory) return 'none';
  const type = file.contentType ?? '';
  const ending = endingOf(file.filename);
  if (ending === 'ts' && file.size <= MAX_CODE_BYTES) return 'text';
  if (TEXT_NAMES.test(file.filename)) return 'text';
  const [family] = type.split('/');
  if (family === 'image') {
    const isShown = !UNSHOWN_PICTURES.test(type) || SHOWN_ANYWAY.includes(type);
    return isShown || file.thumbnailVersion != null ? 'picture' : 'none';
  }
  if (family === 'video' || family === 'audio') return family;
  if (type === 'application/pdf') return 'pdf';
  if (isDocumentFormat(ending)) return ending;
  const format = DOCUMENT_TYPES.get(type);
  if (format !== undefined) return format;
  if (isZip(file)) return 'zip';
  if (family === 'text' || TEXT_TYPES.includes(type) || /\+(?:json|xml)$/.test(type)) return 'text';
  if (TEXT_ENDINGS.has(ending)) return 'text';
  const isUnknown = type === '' || type === 'application/octet-stream';
  return isUnknown && kindOf(file) === 'other' && file.size <= MAX_UNKNOWN_BYTES ? 'text' : 'none';
}

/** The extension, or the whole name of a file without one. */
function endingOf(filename: string): string {
  return filename.slice(filename.lastIndexOf('.') + 1).toLowerCase();
}
