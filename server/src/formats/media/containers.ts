const HEIF_TYPES: readonly string[] = ['image/avif', 'image/heic', 'image/heif'];

/** Whether the picture consists of boxes of the ISO base media format. */
export function isHeif(type: string): boolean {
  return HEIF_TYPES.includes(type);
}

/** Camera raw files that are TIFF files, or differ from TIFF in two bytes. */
const RAW_TYPES: readonly string[] = [
  ...['adobe-dng', 'canon-cr2', 'epson-erf', 'hasselblad-3fr', 'hasselblad-fff', 'kodak-dcr', 'kodak-k25'],
  ...['kodak-kdc', 'leaf-mos', 'leica-rwl', 'mamiya-mef', 'nikon-nef', 'nikon-nrw', 'olympus-orf'],
  ...['panasonic-rw2', 'pentax-pef', 'phaseone-iiq', 'samsung-srw', 'sony-arw', 'sony-sr2', 'sony-srf'],
  'gopro-gpr',
].map((name) => `image/x-${name}`);

/** Whether the file has directories of tags, like TIFF. */
export function isTiff(type: string): boolean {
  return type === 'image/tiff' || RAW_TYPES.includes(type);
}
