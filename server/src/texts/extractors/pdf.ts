import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
// Parses PDFs in this thread. Import it first, or pdf.js loads it by its URL.
import 'pdfjs-dist/legacy/build/pdf.worker.min.mjs';
import { getDocument, type PDFDocumentProxy, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { toNormalForm } from '../../base/text/names/normal-form.ts';
import { NoText } from '../no-text.ts';
import type { TextCollector } from '../text-collector.ts';
import { toLines } from './reading-order.ts';

/** More pages than the longest books have. A small file can declare billions. */
const MAX_PAGES = 20_000;
/** After this many broken pages the file counts as damaged. */
const MAX_BROKEN_PAGES = 20;

/**
 * A word that is divided at the end of a line. A name such as Rhine-\nMain keeps its hyphen, and so does the
 * first word of Vor-\nund Nachteile.
 */
const DIVIDED_WORD = /(\p{L})[-\u00ad\u2010]\n(?!(?:und|oder|bzw|sowie|bis|and|or|to)\b)(?=\p{Ll})/gu;
/** The end of a page on which a word may be divided. */
const OPEN_END = /\p{L}[-\u00ad\u2010]\n$/u;

/**
 * Characters that fonts have instead of others: ligatures, the shapes of Arabic letters within a word, and
 * radicals of Chinese characters.
 */
const SHAPES = /[\u2e80-\u2fdf\ufb00-\ufdff\ufe70-\ufefc]{1,64}/g;

/** The mapping from codes to characters for Chinese, Japanese and Korean fonts. */
const CHARACTER_MAPS = path.join(
  path.dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json'))),
  'cmaps',
);
const loadedMaps = new Map<string, Promise<Uint8Array>>();

/** Loads character maps from our own package, and nothing else. */
class PackageData {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    if (kind !== 'cMapUrl' || !/^[\w-]+\.bcmap$/.test(filename))
      throw new Error('This file is not available.');
    const loading = loadedMaps.get(filename) ?? readFile(path.join(CHARACTER_MAPS, filename));
    loadedMaps.set(filename, loading);
    // A copy, because the library takes the bytes away.
    return Uint8Array.from(await loading);
  }
}

/**
 * Takes the text from the pages in order. A file that takes too long yields the text of its first pages.
 * @param isTimeUp whether the extraction should come to an end
 */
export async function extractPdf(bytes: Buffer, out: TextCollector, isTimeUp: () => boolean): Promise<void> {
  const task = getDocument({
    data: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    verbosity: 0,
    BinaryDataFactory: PackageData,
    cMapUrl: 'cmaps/',
    useWorkerFetch: false,
    disableFontFace: true,
    useSystemFonts: false,
    useWasm: false,
    enableXfa: false,
    stopAtErrors: false,
  });
  try {
    await collectPages(await task.promise, out, isTimeUp);
  } catch (error) {
    throw toNoText(error);
  } finally {
    await task.destroy();
  }
}

async function collectPages(
  document: PDFDocumentProxy,
  out: TextCollector,
  isTimeUp: () => boolean,
): Promise<void> {
  let broken = 0;
  /** The end of the page before, which may belong together with the next page. */
  let open = '';
  for (let number = 1; number <= Math.min(document.numPages, MAX_PAGES) && !isTimeUp(); number += 1) {
    const page = await readPage(document, number);
    if (page === undefined) broken += 1;
    const text = joinWords(`${open}${page ?? ''}`);
    open = OPEN_END.exec(text)?.[0] ?? '';
    out.add(text.slice(0, text.length - open.length));
    out.publish();
    if (broken > MAX_BROKEN_PAGES) break;
  }
  out.add(open);
  if (broken > 0 && out.isEmpty) throw new NoText('damaged', 'The pages are damaged.');
}

/** The text of a page, and then its notes and the values of its form. Undefined for a broken page. */
async function readPage(document: PDFDocumentProxy, number: number): Promise<string | undefined> {
  let page: PDFPageProxy | undefined;
  try {
    page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const lines = [toLines(items.filter((item) => 'str' in item)), ...(await readAnnotations(page))];
    const text = lines.filter((line) => line !== '').join('\n');
    return `${text.replace(SHAPES, (shapes) => toNormalForm(shapes, 64, 'NFKC') ?? shapes)}\n`;
  } catch {
    return undefined;
  } finally {
    page?.cleanup();
  }
}

interface Annotation {
  readonly subtype?: string;
  readonly contentsObj?: { readonly str?: string };
  /** `Tx` for a text and `Ch` for a choice. */
  readonly fieldType?: string;
  readonly fieldValue?: unknown;
  readonly password?: boolean;
}

async function readAnnotations(page: PDFPageProxy): Promise<readonly string[]> {
  const annotations: readonly Annotation[] = await page.getAnnotations().catch(() => []);
  return annotations.flatMap(({ subtype, contentsObj, fieldType, fieldValue, password }) => {
    if (subtype === 'Widget')
      return /^(?:Tx|Ch)$/.test(fieldType ?? '') && password !== true
        ? [fieldValue].flat().map(showValue)
        : [];
    // A popup repeats the note that it belongs to.
    return subtype === 'Popup' ? [] : (contentsObj?.str ?? '');
  });
}

function showValue(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function joinWords(text: string): string {
  return text.replace(DIVIDED_WORD, '$1');
}

function toNoText(error: unknown): unknown {
  const name = error instanceof Error ? error.name : '';
  if (name === 'PasswordException') return new NoText('encrypted', 'The PDF is encrypted.', { cause: error });
  const isDamaged = /^(?:InvalidPDF|FormatError|MissingPDF|UnknownError|ResponseException)/.test(name);
  return isDamaged ? new NoText('damaged', 'The PDF is damaged.', { cause: error }) : error;
}
