import { Mime } from 'mime';
import otherTypes from 'mime/types/other.js';
import standardTypes from 'mime/types/standard.js';
import { type FileKind, kindOfType } from '../../base/domain/file-kinds.ts';

// Types of extensions that are missing in the registries, or that the registries give to a rare format (`.rs`
// to RLS services). Where no type is registered, it is the one that browsers and desktop systems agree on.
// Scripts are plain text, so that no server or desktop runs them because of their type.
const ADDITIONAL_TYPES: Record<string, string[]> = {
  'application/gzip': ['tgz'],
  'application/vnd.comicbook+zip': ['cbz'],
  'application/vnd.sqlite3': ['sqlite', 'sqlite3'],
  'application/x-bzip2': ['tbz2'],
  'application/x-ios-app': ['ipa'],
  'application/x-xz': ['txz'],
  'application/zstd': ['zst'],
  'audio/flac': ['flac'],
  'image/x-canon-cr2': ['cr2'],
  'image/x-canon-cr3': ['cr3'],
  'image/x-fuji-raf': ['raf'],
  'image/x-nikon-nef': ['nef'],
  'image/x-olympus-orf': ['orf'],
  'image/x-panasonic-rw2': ['rw2'],
  'image/x-sony-arw': ['arw'],
  'text/javascript': ['cjs'],
  'text/plain': [
    ...['bash', 'bat', 'cmd', 'cs', 'go', 'gradle', 'kt', 'php', 'properties', 'ps1', 'py', 'rb', 'rs', 'sh'],
    ...['swift', 'ts', 'tsx', 'vue'],
  ],
};

const types = new Mime(standardTypes, otherTypes).define(ADDITIONAL_TYPES, true);

/** The media type of a file name's extension; null if it has none or an unknown one. */
export function mediaTypeOf(fileName: string): string | null {
  // `zip` alone is not an extension, and neither is `.env`, a hidden file.
  return fileName.lastIndexOf('.') > 0 ? types.getType(fileName) : null;
}

const MEDIA_KINDS: readonly FileKind[] = ['IMAGE', 'VIDEO', 'AUDIO'];

/** Whether the type is of a picture, a video or audio. */
export function isMediaType(type: string | null): boolean {
  return MEDIA_KINDS.includes(kindOfType(type));
}
