// The content of an OpenDocument text or presentation (OASIS ODF 1.3).
import { MAX_SLIDES } from '../src/common/document-frame.ts';
import { make, openOutside, PackagePictures } from './elements.ts';
import { DocumentError } from './frame.ts';
import { countOf, NS, parsePart } from './open-document.ts';
import type { Package } from './open-package.ts';

/** A small file can claim many empty cells and spaces. */
const MAX_REPEATED = 100;
const MAX_NODES = 200_000;
const MAX_DEPTH = 60;
/** So many repeated characters count as one more node. */
const TEXT_PER_NODE = 100;

export function renderOpenDocument(files: Package): HTMLElement {
  const xml = parsePart(files, 'content.xml');
  const writer = new Writer(files, xml);
  const slides = [...xml.getElementsByTagNameNS(NS.office, 'presentation')].flatMap(({ children }) =>
    [...children].filter(({ localName }) => localName === 'page'),
  );
  if (slides.length > 0) {
    return make('main', ...slides.slice(0, MAX_SLIDES).map((slide) => writer.write(slide, make('section'))));
  }
  const [text] = xml.getElementsByTagNameNS(NS.office, 'text');
  if (text === undefined) throw new DocumentError('damaged');
  return make('main', writer.write(text, make('article')));
}

/** Elements that are not part of what a reader sees. */
const UNSHOWN = new Set([
  'tracked-changes',
  'annotation',
  'annotation-end',
  'notes',
  'forms',
  'sequence-decls',
  'desc',
]);

interface TextStyle {
  readonly isBold: boolean;
  readonly isItalic: boolean;
  readonly isUnderlined: boolean;
}

class Writer {
  readonly #pictures: PackagePictures;
  readonly #styles = new Map<string, TextStyle>();
  readonly #numbered = new Set<string>();
  #left = MAX_NODES;

  constructor(files: Package, content: Document) {
    this.#pictures = new PackagePictures(files);
    if (files.has('styles.xml')) this.#readStyles(parsePart(files, 'styles.xml'));
    this.#readStyles(content);
  }

  /** Writes what the source contains into the target. @throws DocumentError */
  write<Target extends HTMLElement>(source: Element, target: Target, depth = 0): Target {
    if (depth > MAX_DEPTH) throw new DocumentError('too-large');
    for (const node of source.childNodes) {
      this.#spend(1);
      if (node instanceof Element) this.#writeElement(node, target, depth + 1);
      else if (node instanceof Text && isInline(source)) target.append(node.data.replaceAll(/\s+/g, ' '));
    }
    return target;
  }

  #spend(nodes: number): void {
    this.#left -= nodes;
    if (this.#left < 0) throw new DocumentError('too-large');
  }

  #writeElement(source: Element, target: HTMLElement, depth: number): void {
    const into = <Name extends keyof HTMLElementTagNameMap>(name: Name) => {
      const made = this.write(source, make(name), depth);
      target.append(made);
      return made;
    };
    switch (source.localName) {
      case 'h':
        return void into(HEADINGS[levelOf(source) - 1] ?? 'h6');
      case 'p':
        return void into(this.#nameOfParagraph(source));
      case 'span':
        return void target.append(this.#writeSpan(source, depth));
      case 'list':
        return void into(this.#numbered.has(styleOf(source, NS.text)) ? 'ol' : 'ul');
      case 'list-item':
      case 'list-header':
        return void into('li');
      case 'a':
        return void openOutside(into('a'), source.getAttributeNS(NS.xlink, 'href') ?? '');
      case 's':
        return void target.append(' '.repeat(repeatsOf(source)));
      case 'tab':
        return void target.append('\t');
      case 'line-break':
        return void target.append(make('br'));
      case 'table':
        return void into('table');
      case 'table-row':
        return void into('tr');
      case 'table-cell':
        return void this.#writeCell(source, target, depth);
      case 'image':
        return void this.#writePicture(source, target);
      case 'note-citation':
        return void into('sup');
      default:
        // Other elements group what they contain, or are a kind of text.
        if (!UNSHOWN.has(source.localName)) this.write(source, target, depth);
    }
  }

  /** The title of a slide is a heading, although it is written as a paragraph. */
  #nameOfParagraph(source: Element): 'h2' | 'p' {
    const frame = source.parentElement?.parentElement;
    return frame?.getAttributeNS(NS.presentation, 'class') === 'title' ? 'h2' : 'p';
  }

  #writeSpan(source: Element, depth: number): HTMLElement {
    const style = this.#styles.get(styleOf(source, NS.text));
    const span = this.write(source, make('span'), depth);
    if (style?.isBold === true) span.style.fontWeight = '600';
    if (style?.isItalic === true) span.style.fontStyle = 'italic';
    if (style?.isUnderlined === true) span.style.textDecoration = 'underline';
    return span;
  }

  #writeCell(source: Element, target: HTMLElement, depth: number): void {
    const before = this.#left;
    const cell = this.write(source, make('td'), depth);
    const count = countOf(source, 'number-columns-repeated', MAX_REPEATED);
    cell.colSpan = countOf(source, 'number-columns-spanned', MAX_REPEATED);
    cell.rowSpan = countOf(source, 'number-rows-spanned', MAX_REPEATED);
    target.append(cell);
    if (count === 1) return;
    // Repeated cells in repeated cells multiply, and so do long texts.
    const cost = 1 + before - this.#left + Math.floor(cell.textContent.length / TEXT_PER_NODE);
    for (let at = 1; at < count; at += 1) {
      this.#spend(cost);
      target.append(cell.cloneNode(true));
    }
  }

  #writePicture(source: Element, target: HTMLElement): void {
    const name = (source.getAttributeNS(NS.xlink, 'href') ?? '').replace(/^\.\//, '');
    const url = this.#pictures.urlOf(name);
    if (url === undefined) return;
    const picture = make('img');
    const frame = source.parentElement;
    picture.src = url;
    picture.alt = frame?.getElementsByTagNameNS(NS.svg, 'title')[0]?.textContent ?? '';
    const width = frame?.getAttributeNS(NS.svg, 'width') ?? '';
    if (/^\d+(?:\.\d+)?(?:cm|mm|in|pt)$/.test(width)) picture.style.width = width;
    target.append(picture);
  }

  #readStyles(xml: Document): void {
    for (const properties of xml.getElementsByTagNameNS(NS.style, 'text-properties')) {
      const name = properties.parentElement?.getAttributeNS(NS.style, 'name') ?? '';
      const valueIn = (namespace: string, property: string) => properties.getAttributeNS(namespace, property);
      this.#styles.set(name, {
        isBold: valueIn(NS.fo, 'font-weight') === 'bold',
        isItalic: valueIn(NS.fo, 'font-style') === 'italic',
        isUnderlined: !['none', null].includes(valueIn(NS.style, 'text-underline-style')),
      });
    }
    for (const list of xml.getElementsByTagNameNS(NS.text, 'list-style')) {
      const name = list.getAttributeNS(NS.style, 'name') ?? '';
      if (list.firstElementChild?.localName === 'list-level-style-number') this.#numbered.add(name);
    }
  }
}

const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const;
/** Elements whose own text is shown. In others, it is the formatting of the file. */
const INLINE = new Set(['p', 'h', 'span', 'a', 'note-citation']);

function isInline({ localName, parentElement }: Element): boolean {
  return INLINE.has(localName) || (parentElement !== null && INLINE.has(parentElement.localName));
}

function levelOf(heading: Element): number {
  return Number(heading.getAttributeNS(NS.text, 'outline-level') ?? 1);
}

function styleOf(element: Element, namespace: string): string {
  return element.getAttributeNS(namespace, 'style-name') ?? '';
}

function repeatsOf(spaces: Element): number {
  const count = Number(spaces.getAttributeNS(NS.text, 'c') ?? 1);
  return Number.isInteger(count) && count > 0 ? Math.min(count, MAX_REPEATED) : 1;
}
