import { PDFDataRangeTransport } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { readPart } from './read-bytes.ts';

interface FilePartsOptions {
  readonly address: string;
  readonly size: number;
  readonly signal: AbortSignal;
  /** The document stays incomplete: pdf.js waits for each part forever. */
  readonly onError: (error: unknown) => void;
}

/** Gives pdf.js the parts of a large file that it needs for the shown pages. */
export class FileParts extends PDFDataRangeTransport {
  readonly #options: FilePartsOptions;
  #tag: string | undefined;

  constructor(options: FilePartsOptions) {
    super(options.size, null);
    this.#options = options;
  }

  override requestDataRange(begin: number, end: number): void {
    this.#read(begin, end).catch(this.#options.onError);
  }

  async #read(begin: number, end: number): Promise<void> {
    const { address, signal } = this.#options;
    const { bytes, tag } = await readPart({ address, begin, end, signal, tag: this.#tag });
    this.#tag ??= tag;
    if (!signal.aborted) this.onDataRange(begin, bytes);
  }
}
