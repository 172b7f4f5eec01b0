// PDFs with text in any script. The font is not in the file; only its mapping to Unicode is.
import { joinObjects, streamOf } from './pdf-files.ts';

interface UnicodePdf {
  /** The lines of each page. */
  readonly pages: readonly (readonly string[])[];
  /** The number of pages that the file declares. */
  readonly declaredPages?: number;
}

export function makeUnicodePdf({ pages, declaredPages = pages.length }: UnicodePdf): Buffer {
  const used = [...new Set(pages.flat().join(''))];
  const kids = pages.map((_, index) => `${5 + 2 * index} 0 R`).join(' ');
  return writePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${declaredPages} /Kids [${kids}] /MediaBox [0 0 595 842] /Resources << /Font << /F 3 0 R >> >> >>`,
    '<< /Type /Font /Subtype /Type0 /BaseFont /Any /Encoding /Identity-H /ToUnicode 4 0 R /DescendantFonts [' +
      '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Any /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) ' +
      '/Supplement 0 >> /FontDescriptor << /Type /FontDescriptor /FontName /Any /Flags 4 /FontBBox [0 0 1000 1000] ' +
      '/ItalicAngle 0 /Ascent 900 /Descent -200 /CapHeight 900 /StemV 90 >> >>] >>',
    streamOf(toUnicodeMap(used)),
    ...pages.flatMap((lines, index) => [
      `<< /Type /Page /Parent 2 0 R /Contents ${6 + 2 * index} 0 R >>`,
      streamOf(
        lines.map((line, row) => `BT /F 12 Tf 50 ${780 - 16 * row} Td <${toHex(line)}> Tj ET`).join('\n'),
      ),
    ]),
  ]);
}

/** @param objects the first one is the catalog */
export function writePdf(objects: readonly string[], trailer = ''): Buffer {
  return Buffer.from(joinObjects(objects, trailer), 'latin1');
}

function toUnicodeMap(characters: readonly string[]): string {
  const lines = characters.map((one) => `<${toHex(one)}> <${toHex(one)}>`);
  const blocks: string[] = [];
  for (let at = 0; at < lines.length; at += 100) {
    const block = lines.slice(at, at + 100);
    blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`);
  }
  return [
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap',
    '/CMapName /Own def /CMapType 2 def 1 begincodespacerange <0000> <ffff> endcodespacerange',
    ...blocks,
    'endcmap end end',
  ].join('\n');
}

function toHex(text: string): string {
  return Buffer.from(text, 'utf16le').swap16().toString('hex');
}
