import type { EntryRecord } from '../../../api/contract.ts';
import type { DocumentFormat } from '../../../common/document-frame.ts';
import { isZip } from '../../entries/entry-kind.ts';

/** How a browser can show a file; `none` if it cannot. */
export type PreviewKind = 'picture' | 'video' | 'audio' | 'pdf' | DocumentFormat | 'text' | 'zip' | 'none';

/** Types that no current browser can show. */
const UNSHOWN_PICTURES = /^image\/(?:tiff|x-|vnd\.)/;
const SHOWN_ANYWAY = ['image/x-icon', 'image/vnd.microsoft.icon'];

/** Text types outside of `text/`. */
const TEXT_TYPES = [
  ...['json', 'xml', 'javascript', 'ecmascript', 'sql', 'toml', 'yaml', 'x-yaml', 'graphql', 'rtf'],
  ...['x-sh', 'x-csh', 'x-php', 'x-httpd-php', 'x-perl', 'x-tex', 'x-latex', 'x-subrip', 'typescript'],
].map((name) => `application/${name}`);

/** Extensions of text without a type, or with a misleading one. */
const TEXT_ENDINGS = new Set(
  [
    'ts mts cts tsx jsx vue svelte astro c h cc cpp hpp cs java kt kts scala go rs rb py pl lua r swift dart php',
    'sh bash zsh fish ps1 bat cmd sql graphql proto css scss sass less html htm xml svg json json5 jsonl yaml yml',
    'toml ini cfg conf env properties gradle md markdown rst adoc org tex txt text log csv tsv diff patch srt vtt',
    'gitignore gitattributes editorconfig dockerignore npmrc dockerfile makefile license readme',
  ]
    .join(' ')
    .split(' '),
);

const OPEN_XML = 'application/vnd.openxmlformats-officedocument.';

/** TypeScript shares its extension with MPEG transport streams, whose type it gets. */
const MAX_CODE_BYTES = 2_000_000;

export function toPreviewKind(
  file: Pick<EntryRecord, 'filename' | 'contentType' | 'directory' | 'size'>,
): PreviewKind {
  if (file.directory) return 'none';
  const type = file.contentType ?? '';
  const ending = endingOf(file.filename);
  if (ending === 'ts' && file.size <= MAX_CODE_BYTES) return 'text';
  const [family] = type.split('/');
  if (family === 'image')
    return UNSHOWN_PICTURES.test(type) && !SHOWN_ANYWAY.includes(type) ? 'none' : 'picture';
  if (family === 'video' || family === 'audio') return family;
  if (type === 'application/pdf') return 'pdf';
  if (ending === 'docx' || type === `${OPEN_XML}wordprocessingml.document`) return 'docx';
  if (ending === 'xlsx' || type === `${OPEN_XML}spreadsheetml.sheet`) return 'xlsx';
  if (isZip(file)) return 'zip';
  if (family === 'text' || TEXT_TYPES.includes(type) || /\+(?:json|xml)$/.test(type)) return 'text';
  return TEXT_ENDINGS.has(ending) ? 'text' : 'none';
}

/** The extension, or the whole name of a file without one. */
function endingOf(filename: string): string {
  return filename.slice(filename.lastIndexOf('.') + 1).toLowerCase();
}
