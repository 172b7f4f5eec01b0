// Small PDFs, written by hand: https://opensource.adobe.com/dc-acrobat-sdk-docs/pdfstandards/PDF32000_2008.pdf

/** A page of A4. */
export interface PdfPage {
  /** The operators that draw it. `/Latin` and `/Chinese` are fonts that the file does not contain, `/Scan` a picture. */
  readonly content: string;
}

const FONTS = [
  '/Latin << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  '/Chinese << /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /GBK-EUC-H /DescendantFonts [',
  '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo',
  '<< /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> /FontDescriptor << /Type /FontDescriptor',
  '/FontName /STSong-Light /Flags 6 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 900 /Descent -200',
  '/CapHeight 900 /StemV 90 >> >> ] >>',
].join(' ');

/** Eight rows of eight pixels in the encoding of fax machines: each row is like the one above, which is white. */
const SCAN = [
  '<< /Type /XObject /Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceGray /BitsPerComponent 1',
  '/Decode [1 0] /Filter [/ASCIIHexDecode /CCITTFaxDecode]',
  '/DecodeParms [null << /K -1 /Columns 8 /Rows 8 /EndOfBlock false >>] /Length 3 >> stream\nFF>\nendstream',
].join(' ');

/** @param more entries of the trailer */
export function makePdf(pages: readonly PdfPage[], more = ''): string {
  const kids = pages.map((_, index) => `${4 + 2 * index} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${kids}] /MediaBox [0 0 595 842] ` +
      `/Resources << /Font << ${FONTS} >> /XObject << /Scan 3 0 R >> >> >>`,
    SCAN,
    ...pages.flatMap(({ content }, index) => [
      `<< /Type /Page /Parent 2 0 R /Contents ${5 + 2 * index} 0 R >>`,
      streamOf(content),
    ]),
  ];
  return joinObjects(objects, more);
}

/** A PDF in Latin-1. @param objects the first one is the catalog @param more entries of the trailer */
export function joinObjects(objects: readonly string[], more = ''): string {
  let text = '%PDF-1.7\n';
  const places = objects.map((object, index) => {
    const place = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  return (
    `${text}xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}` +
    `trailer << /Root 1 0 R /Size ${size} ${more} >>\nstartxref\n${text.length}\n%%EOF\n`
  );
}

export function streamOf(content: string, more = ''): string {
  return `<< /Length ${content.length} ${more} >> stream\n${content}\nendstream`;
}

/** A page with one line of text. */
export function linePage(line: string): PdfPage {
  return { content: `BT /Latin 24 Tf 72 720 Td (${line}) Tj ET` };
}

/** Trailer entries that declare a password. Nothing else in the file is encrypted. */
export const ENCRYPTED = [
  '/ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>]',
  `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'4f'.repeat(32)}> /U <${'55'.repeat(32)}> >>`,
].join(' ');
