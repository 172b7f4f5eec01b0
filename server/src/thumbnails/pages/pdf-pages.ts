import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { SECOND } from '../../base/clock.ts';
import { threadScript } from '../../base/thread-script.ts';
import { confinementOf } from '../../child-processes/confinement.ts';
import { DecodingChildren } from '../decoder/decoding-children.ts';

/** The processor time for a page. Most pages take a tenth of a second. */
const PROCESSOR_MS = 10 * SECOND;

/** The time for a page. It is long, because other processes go first on a busy machine. */
const WORK_MS = 30 * SECOND;

/** The time for reading the bytes of a PDF, which may come from a distant store. */
const READING_MS = 30 * SECOND;

/** An uncompressed square page of the largest size, and its head. */
const MAX_PAGE_BYTES = 4 * 1_024 ** 2 + 4_096;

/** Draws the first pages of PDFs in child processes. */
export class PdfPages {
  readonly #children: DecodingChildren;

  /** @param limits shorter times; only tests set them */
  constructor({ processorMs = PROCESSOR_MS, workMs = WORK_MS, readingMs = READING_MS } = {}) {
    const script = threadScript('page-process', import.meta.url);
    this.#children = new DecodingChildren(
      {
        script,
        args: [String(processorMs)],
        nodeOptions: confinementOf({ hasNativeCode: true }),
        maxPictureBytes: MAX_PAGE_BYTES,
        isPicture: (bytes) => bytes.toString('latin1', 0, 4) === 'II*\0',
      },
      { workMs, readingMs },
    );
  }

  /**
   * Undefined if the canvas is not installed. It is an optional package, which some platforms lack.
   * @param library a file of pdf.js, which loads the canvas
   */
  static find(library = import.meta.resolve('pdfjs-dist/package.json')): PdfPages | undefined {
    return isCanvasInstalled(library) ? new PdfPages() : undefined;
  }

  /** The number of running processes, including idle ones. */
  get processCount(): number {
    return this.#children.processCount;
  }

  /** The ids of the processes, for tests. */
  get processIds(): readonly number[] {
    return this.#children.processIds;
  }

  /**
   * Draws the first page of a PDF.
   * @param open opens the bytes of the PDF, which must be `length` bytes
   * @returns a TIFF
   * @throws see `DecodingChildren`
   */
  async take(length: number, open: () => Promise<Readable>): Promise<Buffer> {
    return await this.#children.decode({ parameter: 0, length }, open);
  }

  /** Ends all processes, and never starts new ones. */
  async close(): Promise<void> {
    await this.#children.close();
  }
}

/** Looks for the native library instead of loading it, because the service must not contain it. */
function isCanvasInstalled(library: string): boolean {
  try {
    const canvas = createRequire(library).resolve('@napi-rs/canvas');
    const native = `canvas-${process.platform}-${process.arch}`;
    return readdirSync(path.join(path.dirname(canvas), '..')).some((name) => name.startsWith(native));
  } catch {
    return false;
  }
}
