// A PDF with an outline, with links, and with scripts that a viewer must not run.
import { joinObjects, type PdfPage, streamOf } from './pdf-files.ts';

interface Link {
  /** An action, such as `/A << /S /URI /URI (https://example.org/) >>`, or a destination. */
  readonly target: string;
  /** The distance from the bottom of the page. */
  readonly bottom: number;
}

/** The link leads to the top of a page, from 0. */
export function toPage(page: number): string {
  return `/Dest [${FIRST_PAGE + 2 * page} 0 R /XYZ null null null]`;
}

export function toUri(uri: string): string {
  return `/A << /S /URI /URI (${uri}) >>`;
}

/** The number of the object of the first page. */
const FIRST_PAGE = 5;

/**
 * @param links of the first page: each 300 by 20 points, at the left
 * @param chapters an outline with an entry for each, and the number of its page, from 0
 */
export function makeLinkedPdf(
  pages: readonly PdfPage[],
  links: readonly Link[],
  chapters: readonly (readonly [title: string, page: number])[],
): string {
  const first = FIRST_PAGE + 2 * pages.length;
  const annotations = links.map(
    ({ target, bottom }) =>
      `<< /Type /Annot /Subtype /Link /Rect [72 ${bottom} 372 ${bottom + 20}] /Border [0 0 0] ${target} >>`,
  );
  const items = chapters.map(([title, page], index) => {
    const next = index + 1 < chapters.length ? `/Next ${first + index + 1} 0 R` : '';
    return `<< /Title (${title}) /Parent 4 0 R ${toPage(page)} ${next} >>`;
  });
  return joinObjects([
    '<< /Type /Catalog /Pages 2 0 R /Outlines 4 0 R /OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> >>',
    `<< /Type /Pages /Count ${pages.length} /MediaBox [0 0 595 842] ` +
      `/Kids [${pages.map((_, index) => `${FIRST_PAGE + 2 * index} 0 R`).join(' ')}] /Resources << /Font << ` +
      '/Latin << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>',
    `[${annotations.join(' ')}]`,
    `<< /Type /Outlines /Count ${items.length} /First ${first} 0 R /Last ${first + items.length - 1} 0 R >>`,
    ...pages.flatMap(({ content }, index) => [
      `<< /Type /Page /Parent 2 0 R /Contents ${FIRST_PAGE + 1 + 2 * index} 0 R ` +
        `${index === 0 ? '/Annots 3 0 R' : ''} >>`,
      streamOf(content),
    ]),
    ...items,
  ]);
}
