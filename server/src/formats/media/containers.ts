const HEIF_TYPES: readonly string[] = ['image/avif', 'image/heic', 'image/heif'];

/** Pictures in boxes of the ISO base media format. */
export function isHeif(type: string): boolean {
  return HEIF_TYPES.includes(type);
}

/** Raw files of cameras whose container is that of TIFF, or differs from it in two bytes. */
const RAW_TYPES: readonly string[] = [
  ...['adobe-dng', 'canon-cr2', 'epson-erf', 'hasselblad-3fr', 'hasselblad-fff', 'kodak-dcr', 'kodak-k25'],
  ...['kodak-kdc', 'leaf-mos', 'leica-rwl', 'mamiya-mef', 'nikon-nef', 'nikon-nrw', 'olympus-orf'],
  ...['panasonic-rw2', 'pentax-pef', 'phaseone-iiq', 'samsung-srw', 'sony-arw', 'sony-sr2', 'sony-srf'],
  'gopro-gpr',
].map((name) => `image/x-${name}`);

/** Whether the file has directories of tags, as in TIFF. */
export function isTiff(type: string): boolean {
  return type === 'image/tiff' || RAW_TYPES.includes(type);
}
