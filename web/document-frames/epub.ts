// Shows a book chapter by chapter. It runs in a sandbox without an origin. Its content security policy lets nothing
// else run or load.
import type { FrameOrder } from '../src/common/document-frame.ts';
import { type Book, type ContentsItem, readBook, readChapter, resolve } from './book.ts';
import { hasForeignUrl, make, openOutside, removeUnsafe, toPictureUrl } from './elements.ts';
import { runFrame } from './frame.ts';
import { Archive } from './open-package.ts';

const SIZES = [0.75, 0.875, 1, 1.125, 1.25, 1.5, 1.75, 2];
/** Of one chapter. */
const MAX_PICTURES = 500;
/** Of one chapter. */
const MAX_STYLE_BYTES = 1_000_000;
const XLINK = 'http://www.w3.org/1999/xlink';
/** The contents are over the chapter. The style sheet contains the same condition. */
const NARROW = '(max-width: 48em)';
/** Applies to the chapters of any book. */
const OWN_STYLE = `:host { color: var(--front); overflow-wrap: anywhere; }
img, svg { max-width: 100%; height: auto; }
table { display: block; max-width: 100%; overflow: auto; }
pre { white-space: pre-wrap; }
a[href] { color: var(--link); }`;
/** In the dark, the colours of the book would be unreadable. */
const DARK_STYLE = ':not(a, img, svg, svg *) { color: inherit !important; background: none !important; }';

runFrame(async (order) => {
  const archive = await Archive.open(order.bytes);
  const reader = new Reader(archive, await readBook(archive), order).listen();
  await reader.show(0);
});

class Reader {
  readonly #archive: Archive;
  readonly #book: Book;
  readonly #order: FrameOrder;
  readonly #place = make('main');
  readonly #host = make('article');
  readonly #shadow = this.#host.attachShadow({ mode: 'open' });
  readonly #status = make('span');
  readonly #previous = make('button');
  readonly #next = make('button');
  readonly #toggle = make('button');
  readonly #contents = make('nav');
  #chapter = 0;
  #size = SIZES.indexOf(1);
  /** The pictures of the chapter by their files. One that cannot be shown has no URL. */
  readonly #pictures = new Map<string, { readonly url: string | undefined; readonly size: number }>();
  /** Counts the calls that show a chapter, of which only the last one counts. */
  #turn = 0;

  constructor(archive: Archive, book: Book, order: FrameOrder) {
    [this.#archive, this.#book, this.#order] = [archive, book, order];
    // Focusable, because the keyboard can scroll only focusable elements.
    this.#place.tabIndex = 0;
    this.#place.append(this.#host);
    this.#fillContents();
    document.body.replaceChildren(this.#makeBar(), this.#contents, this.#place);
  }

  /**
   * Shows a chapter, or says in its place that it cannot be shown.
   * @param fragment a place in the chapter, with its `#`
   */
  async show(chapter: number, fragment = ''): Promise<void> {
    const name = this.#book.chapters[chapter];
    if (name === undefined) return;
    this.#turn += 1;
    const turn = this.#turn;
    this.#releasePictures();
    // Buttons that are pressed meanwhile count from here.
    this.#chapter = chapter;
    const dark = this.#order.isDark ? DARK_STYLE : '';
    let styles = '';
    let content: readonly Node[];
    try {
      const page = await readChapter(this.#archive, name);
      styles = await this.#readStyles(page, name);
      removeUnsafe(page);
      const body = page.querySelector('body') ?? page.documentElement;
      await this.#loadPictures(body, name, turn);
      this.#prepareLinks(body, name);
      const lang = page.documentElement.getAttribute('xml:lang') ?? page.documentElement.lang;
      if (turn === this.#turn) this.#host.lang = lang || this.#order.language;
      content = [...body.childNodes].map((node) => document.importNode(node, true));
    } catch {
      content = [make('p', this.#order.labels.brokenChapter)];
    }
    if (turn !== this.#turn) return;
    this.#shadow.replaceChildren(make('style', styles, OWN_STYLE, dark), ...content);
    this.#tellPlace(chapter);
    this.#place.scrollTo(0, 0);
    if (fragment.length > 1) this.#shadow.getElementById(fragment.slice(1))?.scrollIntoView();
  }

  #tellPlace(chapter: number): void {
    this.#previous.disabled = chapter === 0;
    this.#next.disabled = chapter === this.#book.chapters.length - 1;
    this.#status.textContent = `${chapter + 1} / ${this.#book.chapters.length}`;
  }

  #makeBar(): HTMLElement {
    const { labels } = this.#order;
    const smaller = button('A−', labels.smaller, () => this.#resize(-1));
    const larger = button('A+', labels.larger, () => this.#resize(1));
    this.#previous.textContent = labels.previousChapter;
    this.#previous.addEventListener('click', () => void this.show(this.#chapter - 1));
    this.#next.textContent = labels.nextChapter;
    this.#next.addEventListener('click', () => void this.show(this.#chapter + 1));
    this.#status.setAttribute('role', 'status');
    this.#toggle.textContent = labels.contents;
    this.#toggle.addEventListener('click', () => this.#expandContents(this.#contents.hidden !== false));
    this.#expandContents(false);
    const bar = make('header');
    if (this.#book.contents.length > 0) bar.append(this.#toggle);
    bar.append(smaller, larger, this.#previous, this.#status, this.#next);
    return bar;
  }

  #expandContents(isOpen: boolean): void {
    this.#contents.hidden = !isOpen;
    this.#toggle.setAttribute('aria-expanded', String(isOpen));
  }

  #fillContents(): void {
    const list = make('ul');
    for (const item of this.#book.contents) {
      const entry = button(item.title, item.title, () => {
        this.#open(item);
        if (!matchMedia(NARROW).matches) return;
        this.#expandContents(false);
        this.#place.focus();
      });
      entry.style.paddingInlineStart = `${12 + 16 * item.depth}px`;
      list.append(make('li', entry));
    }
    this.#contents.append(list);
    this.#contents.setAttribute('aria-label', this.#order.labels.contents);
  }

  #open({ target }: Pick<ContentsItem, 'target'>): void {
    const [file = '', ...rest] = target.split('#');
    const chapter = this.#book.chapters.indexOf(file);
    if (chapter !== -1) void this.show(chapter, `#${rest.join('#')}`);
  }

  #resize(step: 1 | -1): void {
    this.#size = Math.max(0, Math.min(SIZES.length - 1, this.#size + step));
    this.#host.style.zoom = String(SIZES[this.#size]);
  }

  /** The styles of the book, without anything that would have to be loaded. */
  async #readStyles(page: Document, name: string): Promise<string> {
    const styles: string[] = [];
    const read = new Set<string>();
    let left = MAX_STYLE_BYTES;
    for (const element of page.querySelectorAll('link[rel~="stylesheet"], style')) {
      const file =
        element.localName === 'link' ? resolve(name, element.getAttribute('href') ?? '')?.file : undefined;
      element.remove();
      if (file !== undefined && read.has(file)) continue;
      const style = file === undefined ? element.textContent : await this.#readStyle(file, left);
      if (file !== undefined) read.add(file);
      left -= style.length;
      if (left < 0) break;
      styles.push(style);
    }
    const all = styles.join('\n').replaceAll(/@(?:import|charset|namespace)[^;{}]*;?/gi, '');
    const safe = all.replaceAll(/url\((?:\s*(?:"[^"]*"|'[^']*'))?[^)]*\)?/gi, 'none');
    return hasForeignUrl(safe) ? '' : safe;
  }

  /** A style sheet, or nothing if it is missing, damaged or too large. */
  async #readStyle(file: string, limit: number): Promise<string> {
    try {
      const bytes = await this.#archive.read(file, limit);
      this.#archive.release(bytes.byteLength);
      return new TextDecoder().decode(bytes);
    } catch {
      return '';
    }
  }

  async #loadPictures(body: Element, name: string, turn: number): Promise<void> {
    for (const picture of body.querySelectorAll('img, image, use, source, picture')) {
      const address =
        picture.getAttribute('src') ??
        picture.getAttribute('href') ??
        picture.getAttributeNS(XLINK, 'href') ??
        '';
      for (const attribute of ['src', 'srcset', 'href', 'xlink:href']) picture.removeAttribute(attribute);
      picture.removeAttributeNS(XLINK, 'href');
      const isShown = picture.localName === 'img' || picture.localName === 'image';
      const file = isShown ? resolve(name, address)?.file : undefined;
      const url = file === undefined ? undefined : await this.#urlOf(file, turn);
      if (url !== undefined) picture.setAttribute(picture.localName === 'img' ? 'src' : 'href', url);
    }
  }

  /** The URL of a picture. Undefined if it cannot be shown, or another chapter is wanted meanwhile. */
  async #urlOf(file: string, turn: number): Promise<string | undefined> {
    if (turn !== this.#turn) return undefined;
    const known = this.#pictures.get(file);
    if (known !== undefined) return known.url;
    if (!this.#archive.has(file) || this.#pictures.size === MAX_PICTURES) return undefined;
    const bytes = await this.#archive.read(file).catch(() => new Uint8Array());
    const url = turn === this.#turn && bytes.length > 0 ? toPictureUrl(file, bytes) : undefined;
    // The bytes live as long as their URL.
    if (url === undefined) this.#archive.release(bytes.length);
    if (turn === this.#turn) this.#pictures.set(file, { url, size: url === undefined ? 0 : bytes.length });
    return url;
  }

  #releasePictures(): void {
    for (const { url, size } of this.#pictures.values()) {
      if (url !== undefined) URL.revokeObjectURL(url);
      this.#archive.release(size);
    }
    this.#pictures.clear();
  }

  #prepareLinks(body: Element, name: string): void {
    // Areas of pictures and formulas would lead this frame elsewhere.
    for (const element of body.querySelectorAll('area, math, math :not(a)')) element.removeAttribute('href');
    for (const link of body.querySelectorAll('a')) this.#prepareLink(link, name);
  }

  #prepareLink(link: Element, name: string): void {
    const address = link.getAttribute('href') ?? link.getAttributeNS(XLINK, 'href') ?? '';
    const target = resolve(name, address);
    link.removeAttribute('href');
    link.removeAttributeNS(XLINK, 'href');
    if (address === '') return;
    if (target === undefined) return void openOutside(link, address);
    if (!this.#book.chapters.includes(target.file)) return;
    link.setAttribute('href', '#');
    link.setAttribute('data-target', target.file + target.fragment);
  }

  /** Follows the links of the book, whose elements are copied for each chapter. */
  listen(): this {
    this.#shadow.addEventListener('click', (event) => {
      const link = event.target instanceof Element ? event.target.closest('[data-target]') : null;
      if (link === null) return;
      event.preventDefault();
      this.#open({ target: link.getAttribute('data-target') ?? '' });
    });
    return this;
  }
}

function button(text: string, label: string, onClick: () => void): HTMLButtonElement {
  const made = make('button', text);
  if (label !== text) {
    made.setAttribute('aria-label', label);
    made.title = label;
  }
  made.addEventListener('click', onClick);
  return made;
}
