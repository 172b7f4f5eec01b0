import { Mime } from 'mime';
import otherTypes from 'mime/types/other.js';
import standardTypes from 'mime/types/standard.js';
import { type FileKind, kindOfType } from '../../base/domain/file-kinds.ts';

const AUDIO_TYPES: Record<string, string[]> = {
  'audio/ac3': ['ac3'],
  'audio/amr-wb': ['awb'],
  'audio/eac3': ['eac3'],
  'audio/flac': ['flac'],
  // Apple's audio books and ringtones.
  'audio/mp4': ['alac', 'm4p', 'm4r'],
  'audio/mpeg': ['mpa'],
  'audio/x-ape': ['ape'],
  'audio/x-dff': ['dff'],
  'audio/x-dsf': ['dsf'],
  'audio/x-gsm': ['gsm'],
  'audio/x-it': ['it'],
  'audio/x-musepack': ['mpc'],
  'audio/x-tak': ['tak'],
  'audio/x-tta': ['tta'],
  'audio/x-wavpack': ['wv'],
  'audio/3gpp': ['3ga'],
  'audio/wav': ['rf64', 'wave'],
};

const PICTURE_TYPES: Record<string, string[]> = {
  'image/avif': ['avifs'],
  'image/heic': ['hic'],
  'image/heif': ['hif'],
  'image/icns': ['icns'],
  // Includes 3D pictures, of which the first image is shown, and pictures of Insta360.
  'image/jpeg': ['insp', 'jfi', 'jfif', 'jif', 'jps', 'mpo', 'pjp', 'pjpeg'],
  'image/jp2': ['j2c', 'j2k', 'jpc'],
  'image/openraster': ['ora'],
  'image/png': ['pns'],
  'image/qoi': ['qoi'],
  'image/vnd.adobe.photoshop': ['psb'],
  'image/vnd.ms-photo': ['hdp'],
  'image/vnd.radiance': ['hdr'],
  'image/x-adobe-dng': ['dng'],
  'image/x-canon-cr2': ['cr2'],
  'image/x-canon-cr3': ['cr3'],
  'image/x-canon-crw': ['crw'],
  'image/x-epson-erf': ['erf'],
  'image/x-exr': ['exr'],
  'image/x-fuji-raf': ['raf'],
  'image/x-gopro-gpr': ['gpr'],
  'image/x-hasselblad-3fr': ['3fr'],
  'image/x-hasselblad-fff': ['fff'],
  'image/x-kodak-dcr': ['dcr'],
  'image/x-kodak-k25': ['k25'],
  'image/x-kodak-kdc': ['kdc'],
  'image/x-leaf-mos': ['mos'],
  'image/x-leica-rwl': ['rwl'],
  'image/x-mamiya-mef': ['mef'],
  'image/x-minolta-mrw': ['mrw'],
  'image/x-nikon-nef': ['nef'],
  'image/x-nikon-nrw': ['nrw'],
  'image/x-olympus-orf': ['orf', 'ori'],
  'image/x-panasonic-rw2': ['rw2'],
  'image/x-pentax-pef': ['pef', 'ptx'],
  'image/x-phaseone-iiq': ['iiq'],
  'image/x-portable-anymap': ['pam'],
  'image/x-samsung-srw': ['srw'],
  'image/x-sigma-x3f': ['x3f'],
  'image/x-sony-arw': ['arw'],
  'image/x-sony-sr2': ['sr2'],
  'image/x-sony-srf': ['srf'],
  'image/x-win-bitmap': ['cur'],
  'image/x-xcf': ['xcf'],
};

const VIDEO_TYPES: Record<string, string[]> = {
  // Discs, receivers and camcorders.
  'video/mp2t': ['m2t', 'm2ts', 'mts', 'tp', 'trp'],
  'video/mpeg': ['mod', 'mp2v', 'mpv', 'tod', 'vob'],
  // Includes cameras' small preview copies, and videos of Insta360 and GoPro.
  'video/mp4': ['360', 'insv', 'lrv'],
  'video/h265': ['265', 'h265', 'hevc'],
  'video/h264': ['264'],
  'video/ogg': ['ogm'],
  'video/vnd.rn-realvideo': ['rm', 'rmvb'],
  'video/x-amv': ['amv'],
  'video/x-dv': ['dif', 'dv'],
  'video/x-mjpeg': ['mjpeg', 'mjpg'],
  'video/x-ms-wtv': ['dvr-ms', 'wtv'],
  'video/x-msvideo': ['divx', 'xvid'],
  'video/x-yuv4mpeg': ['y4m'],
};

// Extensions that the registries lack or assign to a rare format (`.rs` to RLS services, `.dcr` to Director).
// Where no type is registered, this is the one that browsers and desktop systems agree on. Scripts are plain
// text, so that no server or desktop runs them because of their type.
const ADDITIONAL_TYPES: Record<string, string[]> = {
  'application/gzip': ['tgz'],
  'application/vnd.comicbook+zip': ['cbz'],
  'application/vnd.sqlite3': ['sqlite', 'sqlite3'],
  'application/x-bzip2': ['tbz', 'tbz2'],
  'application/x-ios-app': ['ipa'],
  'application/x-xz': ['txz'],
  'application/zstd': ['tzst', 'zst'],
  'application/vnd.apple.mpegurl': ['m3u'],
  'application/vnd.ms-project': ['mpp'],
  'application/x-android-app-bundle': ['aab'],
  'application/x-lz4': ['lz4'],
  'application/x-lzip': ['lz'],
  'application/x-lzma': ['lzma'],
  ...AUDIO_TYPES,
  ...PICTURE_TYPES,
  ...VIDEO_TYPES,
  'text/javascript': ['cjs'],
  'text/plain': [
    ...['bash', 'bat', 'cmd', 'cs', 'go', 'gradle', 'kt', 'php', 'properties', 'ps1', 'py', 'rb', 'rs', 'sh'],
    ...['swift', 'ts', 'tsx', 'vue'],
  ],
};

const types = new Mime(standardTypes, otherTypes).define(ADDITIONAL_TYPES, true);

/** The media type of a file name's extension; null if it has none or an unknown one. */
export function mediaTypeOf(fileName: string): string | null {
  // Go's module file has the same extension as camcorder videos.
  if (fileName === 'go.mod' || fileName.endsWith('/go.mod')) return 'text/plain';
  // `zip` alone is not an extension, and neither is `.env`, a hidden file.
  return fileName.lastIndexOf('.') > 0 ? types.getType(fileName) : null;
}

const MEDIA_KINDS: readonly FileKind[] = ['IMAGE', 'VIDEO', 'AUDIO'];

/** Whether the type is of a picture, a video or audio. */
export function isMediaType(type: string | null): boolean {
  return MEDIA_KINDS.includes(kindOfType(type));
}
