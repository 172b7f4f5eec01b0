// Reads the structure of an EPUB: its chapters in reading order, and its contents (EPUB 3.3).
import { DocumentError } from './frame.ts';
import type { Archive } from './open-package.ts';

const MAX_CHAPTERS = 2_000;
const MAX_CONTENTS = 2_000;
const MAX_DEPTH = 6;
/** Elements take many times the size of their text. */
const MAX_TEXT_BYTES = 5_000_000;
const EPUB = 'http://www.idpf.org/2007/ops';

export interface ContentsItem {
  readonly title: string;
  /** From 0. */
  readonly depth: number;
  /** The file of the archive, with a fragment if it is a place in it. */
  readonly target: string;
}

export interface Book {
  readonly title: string;
  /** The files of the chapters, in reading order. */
  readonly chapters: readonly string[];
  readonly contents: readonly ContentsItem[];
}

/** @throws DocumentError */
export async function readBook(archive: Archive): Promise<Book> {
  const container = await readXml(archive, 'META-INF/container.xml');
  const path = first(container, 'rootfile')?.getAttribute('full-path') ?? '';
  const main = await readXml(archive, path);
  const items = new Map(
    [...main.getElementsByTagNameNS('*', 'item')].map((item) => [item.getAttribute('id') ?? '', item]),
  );
  const fileOf = (item: Element | undefined) => resolve(path, item?.getAttribute('href') ?? '')?.file;
  const chapters: string[] = [];
  for (const reference of main.getElementsByTagNameNS('*', 'itemref')) {
    const file = fileOf(items.get(reference.getAttribute('idref') ?? ''));
    if (file === undefined || !archive.has(file) || reference.getAttribute('linear') === 'no') continue;
    if (chapters.length < MAX_CHAPTERS) chapters.push(file);
  }
  if (chapters.length === 0) throw new DocumentError('damaged');
  await checkProtection(archive, chapters);
  const navigation = [...items.values()].find((item) =>
    (item.getAttribute('properties') ?? '').split(/\s+/).includes('nav'),
  );
  const old = items.get(first(main, 'spine')?.getAttribute('toc') ?? '');
  const contents = await readContents(archive, fileOf(navigation), fileOf(old));
  return { title: first(main, 'title')?.textContent.trim() ?? '', chapters, contents };
}

/** Some shops encrypt the chapters. Other encrypted files are fonts, which are not needed. */
async function checkProtection(archive: Archive, chapters: readonly string[]): Promise<void> {
  const name = 'META-INF/encryption.xml';
  if (!archive.has(name)) return;
  const xml = await readXml(archive, name);
  const files = [...xml.getElementsByTagNameNS('*', 'CipherReference')].map((each) =>
    each.getAttribute('URI'),
  );
  const isProtected = files.some((file) => file !== null && chapters.includes(decode(file)));
  if (isProtected) throw new DocumentError('protected');
}

/** A book with damaged contents is shown without them. */
async function readContents(
  archive: Archive,
  navigation: string | undefined,
  old: string | undefined,
): Promise<readonly ContentsItem[]> {
  try {
    if (navigation !== undefined && archive.has(navigation)) {
      const page = await readChapter(archive, navigation);
      const navs = [...page.getElementsByTagNameNS('*', 'nav')];
      const toc = navs.find(
        (nav) => (nav.getAttributeNS(EPUB, 'type') ?? nav.getAttribute('epub:type')) === 'toc',
      );
      const list = toc ?? navs[0];
      if (list !== undefined) return listLinks(list, navigation);
    }
    if (old !== undefined && archive.has(old)) return listPoints(await readXml(archive, old), old);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
  }
  return [];
}

function listLinks(nav: Element, file: string): readonly ContentsItem[] {
  return [...nav.getElementsByTagNameNS('*', 'a')].slice(0, MAX_CONTENTS).flatMap((link) => {
    let depth = -1;
    for (let at = link.parentElement; at !== null && at !== nav; at = at.parentElement) {
      if (at.localName === 'ol' && depth < MAX_DEPTH) depth += 1;
    }
    return toItem(link.textContent, Math.max(0, depth), file, link.getAttribute('href'));
  });
}

function listPoints(xml: Document, file: string): readonly ContentsItem[] {
  return [...xml.getElementsByTagNameNS('*', 'navPoint')].slice(0, MAX_CONTENTS).flatMap((point) => {
    let depth = 0;
    for (
      let at = point.parentElement;
      at?.localName === 'navPoint' && depth < MAX_DEPTH;
      at = at.parentElement
    ) {
      depth += 1;
    }
    const parts = [...point.children];
    const label = parts.find(({ localName }) => localName === 'navLabel')?.textContent ?? '';
    const source = parts.find(({ localName }) => localName === 'content')?.getAttribute('src') ?? null;
    return toItem(label, depth, file, source);
  });
}

function toItem(label: string, depth: number, file: string, href: string | null): readonly ContentsItem[] {
  const title = label.replaceAll(/\s+/g, ' ').trim();
  const target = resolve(file, href ?? '');
  if (title === '' || target === undefined) return [];
  return [{ title, depth, target: target.file + target.fragment }];
}

/** The file of the archive that a link in another file leads to. Undefined if it leads out of the book. */
export function resolve(
  from: string,
  href: string,
): { readonly file: string; readonly fragment: string } | undefined {
  if (/^[a-z][\w+.-]*:|^\/\//i.test(href)) return undefined;
  const url = URL.parse(href, `https://book.invalid/${from.split('/').map(encodeURIComponent).join('/')}`);
  return url === null ? undefined : { file: decode(url.pathname.slice(1)), fragment: decode(url.hash) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @throws DocumentError */
export async function readChapter(archive: Archive, name: string): Promise<Document> {
  const text = disarm(writeEntities(await readText(archive, name)));
  const strict = new DOMParser().parseFromString(text, 'application/xhtml+xml');
  if (strict.querySelector('parsererror') === null) return strict;
  // Many books are not well-formed.
  return new DOMParser().parseFromString(text, 'text/html');
}

/** Renames event handlers, because browsers report that our policy blocks them as soon as they are parsed. */
function disarm(text: string): string {
  return text.replaceAll(/<[a-z][^<>]*>/gi, (tag) => tag.replaceAll(/\s(on[a-z]+)(?=\s*=)/gi, ' data-$1'));
}

async function readXml(archive: Archive, name: string): Promise<Document> {
  const text = writeEntities(await readText(archive, name));
  const xml = new DOMParser().parseFromString(text, 'text/xml');
  if (xml.querySelector('parsererror') !== null) throw new DocumentError('damaged');
  return xml;
}

/** The text without its document type: custom entities, for which it stands, can expand to a lot. */
async function readText(archive: Archive, name: string): Promise<string> {
  const bytes = await archive.read(name, MAX_TEXT_BYTES);
  archive.release(bytes.byteLength);
  const isWide = (bytes[0] === 0xfe && bytes[1] === 0xff) || (bytes[0] === 0xff && bytes[1] === 0xfe);
  const encoding = isWide ? (bytes[0] === 0xfe ? 'utf-16be' : 'utf-16le') : 'utf-8';
  const text = cutDoctype(new TextDecoder(encoding).decode(bytes).replace(/^\s*<\?xml[^>]*\?>/, ''));
  // Such as after a document type in a comment.
  if (/<!ENTITY/i.test(text)) throw new DocumentError('damaged');
  return text;
}

/** What decides where a document type ends. Whatever has no end takes the rest of the text. */
const DOCTYPE_TOKEN = /"[^"]*"?|'[^']*'?|<!--[\s\S]*?(?:-->|$)|<\?[\s\S]*?(?:\?>|$)|[[\]>]/g;

function cutDoctype(text: string): string {
  const start = text.search(/<!DOCTYPE/i);
  if (start === -1) return text;
  let isInside = false;
  for (const { 0: token, index } of text.slice(start).matchAll(DOCTYPE_TOKEN)) {
    if (token === '>' && !isInside) return text.slice(0, start) + text.slice(start + index + 1);
    if (token === '[' || token === ']') isInside = token === '[';
  }
  throw new DocumentError('damaged');
}

/** HTML has about 2,200. */
const MAX_ENTITIES = 3_000;
const XML_ENTITIES = new Set(['amp', 'lt', 'gt', 'quot', 'apos']);

/** Writes the named characters of HTML, which XML does not know, as themselves. */
function writeEntities(text: string): string {
  const known = new Map<string, string>();
  return text.replaceAll(/&([a-z][a-z\d]{1,30});/gi, (whole, name: string) => {
    if (XML_ENTITIES.has(name)) return whole;
    if (known.size === MAX_ENTITIES && !known.has(name)) return name;
    const found = known.get(name) ?? new DOMParser().parseFromString(whole, 'text/html').body.textContent;
    known.set(name, found);
    // An unknown name stays as it is, without its ampersand.
    return found === whole ? name : found;
  });
}

function first(xml: Document, name: string): Element | undefined {
  return xml.getElementsByTagNameNS('*', name)[0];
}
