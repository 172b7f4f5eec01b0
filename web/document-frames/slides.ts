// The content of the slides of a presentation, in their order (ECMA-376 part 1, section 19).
import { MAX_SLIDES } from '../src/common/document-frame.ts';
import { make, openOutside, PackagePictures } from './elements.ts';
import { DocumentError } from './frame.ts';
import { parsePart } from './open-document.ts';
import type { Package } from './open-package.ts';

const MAX_DEPTH = 30;
/** Of all slides together. */
const MAX_NODES = 200_000;
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PRESENTATION = 'ppt/presentation.xml';

/** @param cutNotice says that only the first slides are shown */
export function renderSlides(files: Package, cutNotice: string): HTMLElement {
  const targets = readTargets(files, PRESENTATION);
  const references = [...parsePart(files, PRESENTATION).getElementsByTagNameNS('*', 'sldId')];
  const found = references
    .map((each) => targets.get(relationOf(each, 'id'))?.target)
    .filter((name) => name !== undefined && files.has(name)) as readonly string[];
  // A valid presentation has each slide once.
  const names = [...new Set(found)];
  const writer = new Writer(files);
  const slides = names.slice(0, MAX_SLIDES).map((name) => writer.writeSlide(name));
  const notice = names.length > MAX_SLIDES ? [make('p', cutNotice)] : [];
  return make('main', ...notice, ...slides);
}

interface Relation {
  /** The name of a file, or an address. */
  readonly target: string;
  readonly isExternal: boolean;
}

/** What a part refers to, by the ids of its relations. */
function readTargets(files: Package, part: string): ReadonlyMap<string, Relation> {
  const slash = part.lastIndexOf('/') + 1;
  const name = `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`;
  if (!files.has(name)) return new Map();
  const all = [...parsePart(files, name).getElementsByTagNameNS('*', 'Relationship')];
  return new Map(
    all.map((relation) => {
      const target = relation.getAttribute('Target') ?? '';
      const isExternal = relation.getAttribute('TargetMode') === 'External';
      const url = isExternal ? null : URL.parse(target, `https://package.invalid/${part}`);
      return [relation.getAttribute('Id') ?? '', { target: url?.pathname.slice(1) ?? target, isExternal }];
    }),
  );
}

function relationOf(element: Element | undefined, name: string): string {
  return element?.getAttributeNS(RELATIONS, name) ?? element?.getAttribute(`r:${name}`) ?? '';
}

class Writer {
  readonly #files: Package;
  readonly #pictures: PackagePictures;
  /** Of the current slide. */
  #targets: ReadonlyMap<string, Relation> = new Map();
  #left = MAX_NODES;

  constructor(files: Package) {
    this.#files = files;
    this.#pictures = new PackagePictures(files);
  }

  /** @throws DocumentError */
  writeSlide(name: string): HTMLElement {
    this.#targets = readTargets(this.#files, name);
    const section = make('section');
    this.#write(parsePart(this.#files, name).documentElement, section, 0);
    // A title may come after other texts in the file, but never for a reader.
    const title = section.querySelector('h2');
    if (title !== null) section.prepend(title);
    return section;
  }

  #spendNode(): void {
    this.#left -= 1;
    if (this.#left < 0) throw new DocumentError('too-large');
  }

  #write(source: Element, target: HTMLElement, depth: number): void {
    if (depth > MAX_DEPTH) throw new DocumentError('too-large');
    for (const child of source.children) {
      this.#spendNode();
      if (child.localName === 'txBody') this.#writeText(child, target, isTitle(source));
      else if (child.localName === 'blip') this.#writePicture(child, target);
      else if (child.localName === 'tbl') this.#writeTable(child, target);
      else if (child.localName !== 'Fallback') this.#write(child, target, depth + 1);
    }
  }

  #writeText(source: Element, target: HTMLElement, asTitle: boolean): void {
    for (const paragraph of childrenOf(source, 'p')) {
      this.#spendNode();
      const made = make(asTitle ? 'h2' : 'p');
      const level = Number(childrenOf(paragraph, 'pPr')[0]?.getAttribute('lvl') ?? 0);
      if (level > 0 && level < 9) made.style.marginInlineStart = `${1.5 * level}em`;
      for (const run of paragraph.children) this.#writeRun(run, made);
      if (made.childNodes.length > 0) target.append(made);
    }
  }

  #writeRun(run: Element, target: HTMLElement): void {
    this.#spendNode();
    if (run.localName === 'br') return void target.append(make('br'));
    const text = childrenOf(run, 't')[0]?.textContent ?? '';
    if (text === '') return;
    const [properties] = childrenOf(run, 'rPr');
    const [click] = properties === undefined ? [] : childrenOf(properties, 'hlinkClick');
    const relation = this.#targets.get(relationOf(click, 'id'));
    const span = make(relation?.isExternal === true ? 'a' : 'span', text);
    if (span instanceof HTMLAnchorElement) openOutside(span, relation?.target ?? '');
    if (properties?.getAttribute('b') === '1') span.style.fontWeight = '600';
    if (properties?.getAttribute('i') === '1') span.style.fontStyle = 'italic';
    target.append(span);
  }

  #writePicture(blip: Element, target: HTMLElement): void {
    const name = this.#targets.get(relationOf(blip, 'embed'))?.target ?? '';
    const url = this.#pictures.urlOf(name);
    if (url === undefined) return;
    const picture = make('img');
    picture.src = url;
    const shape = blip.parentElement?.parentElement;
    picture.alt = shape?.getElementsByTagNameNS('*', 'cNvPr')[0]?.getAttribute('descr') ?? '';
    target.append(picture);
  }

  #writeTable(source: Element, target: HTMLElement): void {
    const table = make('table');
    for (const row of childrenOf(source, 'tr')) {
      this.#spendNode();
      const line = table.insertRow();
      for (const cell of childrenOf(row, 'tc')) {
        this.#spendNode();
        const [text] = childrenOf(cell, 'txBody');
        if (text !== undefined) this.#writeText(text, line.insertCell(), false);
      }
    }
    target.append(table);
  }
}

function childrenOf(element: Element, name: string): readonly Element[] {
  return [...element.children].filter(({ localName }) => localName === name);
}

function isTitle(shape: Element): boolean {
  const type = shape.getElementsByTagNameNS('*', 'ph')[0]?.getAttribute('type') ?? '';
  return type === 'title' || type === 'ctrTitle';
}
