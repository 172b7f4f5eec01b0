import { Mime } from 'mime';
import otherTypes from 'mime/types/other.js';
import standardTypes from 'mime/types/standard.js';

// What people keep in a drive and the registries do not name (where no type is registered: the one that
// browsers and desktop systems agree on), or name for something hardly anybody means, as RLS services for
// `.rs`. Scripts are text: a type that makes a server or a desktop run them does no good here.
const OWN_TYPES: Record<string, string[]> = {
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
    ...['swift', 'tsx', 'vue'],
  ],
};

const types = new Mime(standardTypes, otherTypes).define(OWN_TYPES, true);

/**
 * The media type that the extension of a file name stands for; null where there is none or nobody knows it.
 */
export function mediaTypeOf(fileName: string): string | null {
  // A file named `zip` is no archive, and `.env` is no extension but a hidden file.
  return fileName.lastIndexOf('.') > 0 ? types.getType(fileName) : null;
}

/** Whether it is a picture, a video or a sound. */
export function isMediaType(type: string | null): boolean {
  return type !== null && /^(?:image|video|audio)\//.test(type);
}
