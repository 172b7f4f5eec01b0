import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
// Parses PDFs in this thread. Import it first, or pdf.js loads it by its URL.
import 'pdfjs-dist/legacy/build/pdf.worker.min.mjs';
import { AnnotationMode, getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { toTiff } from '../decoder/tiff.ts';
import { DRAWN_SIDE } from '../drawn-side.ts';

/** Larger pictures on a page are left out. A scan of A3 with 600 dpi has 70 megapixels. */
const MAX_IMAGE_PIXELS = 80_000_000;

const PACKAGE = path.dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json')));

/** The files of pdf.js that a PDF may need, by the kind that pdf.js asks for. */
const FILES: Readonly<Record<string, { readonly folder: string; readonly names: RegExp }>> = {
  cMapUrl: { folder: 'cmaps', names: /^[\w-]+\.bcmap$/ },
  standardFontDataUrl: { folder: 'standard_fonts', names: /^\w+(?:-\w+)?\.(?:pfb|ttf)$/ },
  wasmUrl: { folder: 'wasm', names: /^(?:jbig2|openjpeg)\.wasm$/ },
};

/** As far as it is used here. The types of pdf.js know only the canvas of browsers. */
interface CanvasFactory {
  create(width: number, height: number): { readonly canvas: undefined; readonly context: CanvasContext };
}

interface CanvasContext {
  getImageData(x: number, y: number, width: number, height: number): { readonly data: Uint8ClampedArray };
}

/** Loads files from the package of pdf.js, and nothing else. */
class PackageData {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const files = FILES[kind];
    if (files?.names.test(filename) !== true) throw new Error('This file is not available.');
    return new Uint8Array(await readFile(path.join(PACKAGE, files.folder, filename)));
  }
}

/**
 * Draws the first page of a PDF on white, without annotations. Scripts are never run.
 * @returns a TIFF
 * @throws any error of pdf.js: the file is damaged or encrypted
 */
export async function drawFirstPage(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const task = getDocument({
    data: bytes,
    verbosity: 0,
    BinaryDataFactory: PackageData,
    cMapUrl: 'cmaps/',
    standardFontDataUrl: 'standard_fonts/',
    wasmUrl: 'wasm/',
    useWorkerFetch: false,
    maxImageSize: MAX_IMAGE_PIXELS,
    // Draws letters as outlines, so fonts of the file reach no native code.
    disableFontFace: true,
    useSystemFonts: false,
    enableXfa: false,
    stopAtErrors: false,
  });
  try {
    return await drawPage(await task.promise);
  } finally {
    await task.destroy();
  }
}

async function drawPage(document: PDFDocumentProxy): Promise<Uint8Array<ArrayBuffer>> {
  const page = await document.getPage(1);
  const paper = page.getViewport({ scale: 1 });
  const viewport = page.getViewport({ scale: DRAWN_SIDE / Math.max(paper.width, paper.height) });
  const width = toPixels(viewport.width);
  const height = toPixels(viewport.height);
  const { canvas, context } = (document.canvasFactory as CanvasFactory).create(width, height);
  const background = '#ffffff';
  const annotationMode = AnnotationMode.DISABLE;
  await page.render({ canvas, viewport, background, annotationMode }).promise;
  const { data } = context.getImageData(0, 0, width, height);
  const rowOf = (row: number) => new Uint8Array(data.buffer, data.byteOffset + row * width * 4, width * 4);
  return toTiff({ width, height, channels: 4, profile: undefined, rowOf });
}

function toPixels(length: number): number {
  return Math.min(DRAWN_SIDE, Math.max(1, Math.round(length)));
}
