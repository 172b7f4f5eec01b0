// Minimal presentations, OpenDocument files and books, written by hand.
import { type ForgedEntry, forgeZip } from '../zip/zip-forge.ts';
import { part } from './office-files.ts';

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main';
const SLIDES = 'http://schemas.openxmlformats.org/presentationml/2006/main';
const PRESENTATION_TYPE = 'application/vnd.openxmlformats-officedocument.presentationml.presentation';

type Relations = Readonly<Record<string, readonly [type: string, target: string]>>;

/** The part that says what another part refers to. */
export function relationsPart(name: string, relations: Relations): ForgedEntry {
  const each = Object.entries(relations).map(
    ([id, [type, target]]) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return part(name, `${HEAD}<Relationships>${each.join('')}</Relationships>`);
}

interface Slide {
  readonly lines: readonly string[];
  readonly notes?: string;
  /** The whole part of the slide, instead of its lines. */
  readonly xml?: string;
}

/**
 * A presentation whose parts are numbered against the order of its slides.
 * @param more other files of the archive
 */
export function makePptx(slides: readonly Slide[], more: readonly ForgedEntry[] = []): Buffer {
  const numbers = slides.map((_, index) => slides.length - index);
  const lines = (texts: readonly string[]) =>
    texts.map((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`).join('');
  const slide = (kind: string, texts: readonly string[]) =>
    `${HEAD}<p:${kind} xmlns:p="${SLIDES}" xmlns:a="${DRAWING}"><p:txBody>${lines(texts)}</p:txBody></p:${kind}>`;
  const list = numbers.map((number) => `<p:sldId id="${300 - number}" r:id="r${number}"/>`).join('');
  return forgeZip([
    part(
      '[Content_Types].xml',
      `${HEAD}<Types><Override PartName="/ppt/presentation.xml" ContentType="${PRESENTATION_TYPE}.main+xml"/></Types>`,
    ),
    relationsPart('_rels/.rels', { r1: ['officeDocument', 'ppt/presentation.xml'] }),
    part(
      'ppt/presentation.xml',
      `${HEAD}<p:presentation xmlns:p="${SLIDES}" xmlns:r="${OFFICE}"><p:sldIdLst>${list}</p:sldIdLst></p:presentation>`,
    ),
    relationsPart(
      'ppt/_rels/presentation.xml.rels',
      Object.fromEntries(numbers.map((number) => [`r${number}`, ['slide', `slides/slide${number}.xml`]])),
    ),
    ...more,
    ...slides.flatMap(({ lines: texts, notes, xml }, index) => {
      const number = numbers[index];
      const own = part(`ppt/slides/slide${number}.xml`, xml ?? slide('sld', texts));
      if (notes === undefined) return [own];
      return [
        own,
        relationsPart(`ppt/slides/_rels/slide${number}.xml.rels`, {
          n: ['notesSlide', `../notesSlides/notes${number}.xml`],
        }),
        part(`ppt/notesSlides/notes${number}.xml`, slide('notes', [notes])),
      ];
    }),
  ]);
}

export type OpenDocumentKind = 'text' | 'spreadsheet' | 'presentation';

/** The prefixes in XML, and the names of their namespaces. */
const OPEN_DOCUMENT = {
  ...{ office: 'office', text: 'text', table: 'table', draw: 'drawing', presentation: 'presentation' },
  ...{ style: 'style', fo: 'xsl-fo-compatible', svg: 'svg-compatible' },
};

/**
 * @param body the elements in the body
 * @param more other files of the archive
 * @param styles elements before the body
 */
export function makeOpenDocument(
  kind: OpenDocumentKind,
  body: string,
  more: readonly ForgedEntry[] = [],
  styles = '',
): Buffer {
  const names = Object.entries(OPEN_DOCUMENT)
    .map(([prefix, name]) => `xmlns:${prefix}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
    .join(' ');
  return forgeZip([
    { name: 'mimetype', content: `application/vnd.oasis.opendocument.${kind}` },
    part(
      'content.xml',
      `${HEAD}<office:document-content ${names} xmlns:xlink="http://www.w3.org/1999/xlink">${styles}<office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    ),
    ...more,
  ]);
}

interface Chapter {
  readonly name: string;
  readonly page: string;
}

/**
 * A book whose chapters are in the order of the list, although the manifest has them in another one.
 * @param extra more items of the manifest
 */
export function makeEpub(
  title: string,
  chapters: readonly Chapter[],
  more: readonly ForgedEntry[] = [],
  extra = '',
): Buffer {
  const items = chapters.map(
    ({ name }) => `<item id="${name}" href="text/${encodeURIComponent(name)}.xhtml"/>`,
  );
  const order = chapters.map(({ name }) => `<itemref idref="${name}"/>`);
  return forgeZip([
    { name: 'mimetype', content: 'application/epub+zip' },
    part(
      'META-INF/container.xml',
      `${HEAD}<container><rootfiles><rootfile full-path="book/main.opf"/></rootfiles></container>`,
    ),
    part(
      'book/main.opf',
      `${HEAD}<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>${title}</dc:title></metadata>` +
        `<manifest>${items.reverse().join('')}${extra}</manifest><spine>${order.join('')}</spine></package>`,
    ),
    ...chapters.map(({ name, page }) => part(`book/text/${name}.xhtml`, page)),
    ...more,
  ]);
}
