/*
 * Decodes HEIC with libheif, compiled to WebAssembly, because `sharp` comes without a decoder for HEVC. It
 * runs in a thread, because its calls block and the decoder process must keep watching its memory.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parentPort } from 'node:worker_threads';
import libheif from 'libheif-js/libheif-wasm/libheif.js';
import { toTiff } from './tiff.ts';

export interface HeifRequest {
  /** The longest side of the thumbnail in pixels. */
  readonly size: number;
  readonly picture: Uint8Array;
}

/** An upright, uncompressed TIFF; undefined if the bytes cannot be decoded as a picture. */
export type HeifAnswer = Uint8Array | undefined;

/** A decoded picture takes 8 bytes per pixel, so this many pixels fit into the memory limit of a process. */
const MAX_PIXELS = 100_000_000;

/** An embedded thumbnail with another aspect ratio shows something else, or is not upright. */
const MAX_RATIO_DIFFERENCE = 0.02;

// Enumeration values from the library's C header.
const RGB = 1;
const INTERLEAVED_RGB = 10;
const INTERLEAVED_RGBA = 11;
const INTERLEAVED = 10;
/** The size of the library's struct `heif_error`, whose first number is 0 for success. */
const ERROR_BYTES = 12;

/** The C functions in use. Pointers and sizes are numbers. A struct is returned through the first pointer. */
interface Libheif {
  readonly HEAPU8: Uint8Array;
  readonly HEAPU32: Uint32Array;
  _malloc(bytes: number): number;
  _heif_context_alloc(): number;
  _heif_context_free(context: number): void;
  _heif_context_read_from_memory_without_copy(
    ...call: [error: number, context: number, bytes: number, length: number, options: number]
  ): void;
  _heif_context_get_primary_image_handle(error: number, context: number, handle: number): void;
  _heif_context_has_sequence(context: number): number;
  _heif_context_get_track(context: number, id: number): number;
  _heif_track_get_image_resolution(error: number, track: number, width: number, height: number): void;
  _heif_track_decode_next_image(
    ...call: [error: number, track: number, image: number, space: number, chroma: number, options: number]
  ): void;
  _heif_track_release(track: number): void;
  _heif_image_handle_get_width(handle: number): number;
  _heif_image_handle_get_height(handle: number): number;
  _heif_image_handle_has_alpha_channel(handle: number): number;
  _heif_image_handle_get_raw_color_profile_size(handle: number): number;
  _heif_image_handle_get_raw_color_profile(error: number, handle: number, profile: number): void;
  _heif_image_handle_get_list_of_thumbnail_IDs(handle: number, ids: number, count: number): number;
  _heif_image_handle_get_thumbnail(error: number, handle: number, id: number, thumbnail: number): void;
  _heif_image_handle_release(handle: number): void;
  _heif_decode_image(
    ...call: [error: number, handle: number, image: number, space: number, chroma: number, options: number]
  ): void;
  _heif_image_get_width(image: number, channel: number): number;
  _heif_image_get_height(image: number, channel: number): number;
  _heif_image_get_plane_readonly2(image: number, channel: number, stride: number): number;
  _heif_image_release(image: number): void;
  _free(place: number): void;
}

// The package's types describe an ES module, but it is a function in a CommonJS module.
const library = (libheif as unknown as (options: { wasmBinary: Uint8Array }) => Libheif)({
  wasmBinary: readFileSync(fileURLToPath(import.meta.resolve('libheif-js/libheif-wasm/libheif.wasm'))),
});

/** The memory where functions put their results: an error, and after it a value. */
const scratch = library._malloc(ERROR_BYTES + 4);
const result = scratch + ERROR_BYTES;

parentPort?.on('message', ({ size, picture }: HeifRequest) => {
  const answer: HeifAnswer = decode(picture, size);
  parentPort?.postMessage(answer, answer === undefined ? [] : [answer.buffer as ArrayBuffer]);
});

function decode(picture: Uint8Array, size: number): HeifAnswer {
  const bytes = library._malloc(picture.length);
  if (bytes === 0) return undefined;
  library.HEAPU8.set(picture, bytes);
  const context = library._heif_context_alloc();
  try {
    library._heif_context_read_from_memory_without_copy(scratch, context, bytes, picture.length, 0);
    if (hasFailed()) return undefined;
    library._heif_context_get_primary_image_handle(scratch, context, result);
    return hasFailed() ? decodeSequence(context) : decodeStill(numberAt(result), size);
  } finally {
    library._heif_context_free(context);
    library._free(bytes);
  }
}

/** Decodes the embedded thumbnail if it is large enough, because that takes a hundredth of the time. */
function decodeStill(primary: number, size: number): HeifAnswer {
  const thumbnail = findThumbnail(primary, size);
  try {
    const small = thumbnail === undefined ? undefined : decodeHandle(thumbnail, primary);
    return small ?? decodeHandle(primary, primary);
  } finally {
    if (thumbnail !== undefined) library._heif_image_handle_release(thumbnail);
    library._heif_image_handle_release(primary);
  }
}

function findThumbnail(primary: number, size: number): number | undefined {
  if (library._heif_image_handle_get_list_of_thumbnail_IDs(primary, result, 1) < 1) return undefined;
  library._heif_image_handle_get_thumbnail(scratch, primary, numberAt(result), result);
  if (hasFailed()) return undefined;
  const thumbnail = numberAt(result);
  const [small, large] = [sidesOf(thumbnail), sidesOf(primary)];
  const difference = Math.abs(small.width / small.height / (large.width / large.height) - 1);
  if (Math.max(small.width, small.height) >= size && difference <= MAX_RATIO_DIFFERENCE) return thumbnail;
  library._heif_image_handle_release(thumbnail);
  return undefined;
}

/** @param primary the picture whose colour profile is used, because embedded thumbnails have none */
function decodeHandle(handle: number, primary: number): HeifAnswer {
  const { width, height } = sidesOf(handle);
  if (!isAllowed(width, height)) return undefined;
  const hasAlpha = library._heif_image_handle_has_alpha_channel(handle) !== 0;
  const chroma = hasAlpha ? INTERLEAVED_RGBA : INTERLEAVED_RGB;
  library._heif_decode_image(scratch, handle, result, RGB, chroma, 0);
  return hasFailed() ? undefined : takeImage(numberAt(result), hasAlpha ? 4 : 3, readProfile(primary));
}

/** Decodes the first picture of a file that has only a track of pictures. */
function decodeSequence(context: number): HeifAnswer {
  if (library._heif_context_has_sequence(context) === 0) return undefined;
  // 0 means the first track of pictures.
  const track = library._heif_context_get_track(context, 0);
  if (track === 0) return undefined;
  try {
    // The width and the height have 16 bits each.
    library._heif_track_get_image_resolution(scratch, track, result, result + 2);
    if (hasFailed() || !isAllowed(numberAt(result) & 0xffff, numberAt(result) >>> 16)) return undefined;
    library._heif_track_decode_next_image(scratch, track, result, RGB, INTERLEAVED_RGB, 0);
    return hasFailed() ? undefined : takeImage(numberAt(result), 3, undefined);
  } finally {
    library._heif_track_release(track);
  }
}

/** Copies the pixels, and releases the image. */
function takeImage(image: number, channels: 3 | 4, profile: Uint8Array | undefined): HeifAnswer {
  try {
    const width = library._heif_image_get_width(image, INTERLEAVED);
    const height = library._heif_image_get_height(image, INTERLEAVED);
    const plane = library._heif_image_get_plane_readonly2(image, INTERLEAVED, result);
    if (plane === 0 || !isAllowed(width, height)) return undefined;
    const stride = numberAt(result);
    const rowOf = (row: number) =>
      library.HEAPU8.subarray(plane + row * stride, plane + row * stride + width * channels);
    return toTiff({ width, height, channels, profile, rowOf });
  } finally {
    library._heif_image_release(image);
  }
}

/** Reads the colour profile. Apple's cameras record the colours of their screens instead of sRGB. */
function readProfile(handle: number): Uint8Array | undefined {
  const length = library._heif_image_handle_get_raw_color_profile_size(handle);
  const place = length === 0 ? 0 : library._malloc(length);
  if (place === 0) return undefined;
  library._heif_image_handle_get_raw_color_profile(scratch, handle, place);
  const profile = hasFailed() ? undefined : library.HEAPU8.slice(place, place + length);
  library._free(place);
  return profile;
}

function sidesOf(handle: number): { readonly width: number; readonly height: number } {
  return {
    width: library._heif_image_handle_get_width(handle),
    height: library._heif_image_handle_get_height(handle),
  };
}

function isAllowed(width: number, height: number): boolean {
  return width > 0 && height > 0 && width * height <= MAX_PIXELS;
}

function hasFailed(): boolean {
  return numberAt(scratch) !== 0;
}

function numberAt(place: number): number {
  return library.HEAPU32[place / 4] ?? 0;
}
