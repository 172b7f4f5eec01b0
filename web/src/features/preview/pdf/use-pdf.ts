import {
  getDocument,
  PasswordResponses,
  PDFDataRangeTransport,
  type PDFDocumentLoadingTask,
  type PDFDocumentProxy,
  PDFWorker,
  version,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import { useEffect, useState } from 'react';
import { HoldallError } from '../../../../../client/src/errors/errors.ts';
import { isPassing } from '../../../api/is-passing.ts';
import { pause } from '../../../common/timing/pause.ts';
import { readBytes, readPart } from './read-bytes.ts';

/** Where web/pdf-assets.ts puts the files that pdf.js loads. */
const ASSETS = `/assets/pdfjs-${version}/`;
/** Larger files are loaded in parts. */
const MAX_WHOLE_BYTES = 2_000_000;
const PART_BYTES = 262_144;
/** How often a part is asked for. The pauses between add up to half a minute. */
const MAX_TRIES = 6;
/** Larger pictures would need more memory than a phone has. */
const MAX_IMAGE_PIXELS = 64_000_000;
/** How long a worker may take to end. One that is busy with a hostile document never answers. */
const MAX_END_MS = 1_000;

export interface PdfSource {
  readonly address: string;
  /** In bytes. */
  readonly size: number;
}

/** Why a PDF is not shown. The values are message keys. */
export type PdfFault = 'damaged' | 'notLoaded';

type PdfState =
  | { readonly kind: 'loading'; readonly percent: number }
  /** The PDF is encrypted. */
  | { readonly kind: 'locked'; readonly wasWrong: boolean; readonly unlock: (password: string) => void }
  | { readonly kind: 'open'; readonly pdf: PDFDocumentProxy }
  | { readonly kind: 'failed'; readonly fault: PdfFault };

/** Opens a PDF in a separate worker, and closes both when the component unmounts. */
export function usePdf({ address, size }: PdfSource): PdfState {
  const [state, setState] = useState<PdfState>({ kind: 'loading', percent: 0 });
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const update = (next: PdfState) => {
      if (!signal.aborted) setState(next);
    };
    const onError = (error: unknown) => update({ kind: 'failed', fault: toFault(error) });
    const port = new Worker(new URL('./pdf-worker.ts', import.meta.url), { type: 'module' });
    port.onerror = () => update({ kind: 'failed', fault: 'notLoaded' });
    const worker = PDFWorker.create({ port, verbosity: 0 });
    let task: PDFDocumentLoadingTask | undefined;
    const open = async () => {
      const onProgress = (percent: number) => update({ kind: 'loading', percent });
      const content =
        size > MAX_WHOLE_BYTES
          ? { range: new FileParts({ address, size, signal, onError }) }
          : { data: await readBytes({ address, size, signal, onProgress }) };
      if (signal.aborted) return;
      task = getDocument({ ...OPTIONS, ...content, worker });
      task.onPassword = (unlock: (password: string) => void, reason: number) =>
        update({ kind: 'locked', wasWrong: reason === PasswordResponses.INCORRECT_PASSWORD, unlock });
      const pdf = await task.promise;
      await pdf.getPage(1);
      update({ kind: 'open', pdf });
    };
    open().catch(onError);
    return () => {
      stop.abort();
      void Promise.race([task?.destroy(), pause(MAX_END_MS)]).finally(() => {
        worker.destroy();
        port.terminate();
      });
    };
  }, [address, size]);
  return state;
}

/** The page loads the assets, because the worker may load nothing but scripts. */
const OPTIONS = {
  verbosity: 0,
  cMapUrl: `${ASSETS}cmaps/`,
  standardFontDataUrl: `${ASSETS}standard_fonts/`,
  wasmUrl: `${ASSETS}wasm/`,
  useWorkerFetch: false,
  useWasm: false,
  enableXfa: false,
  // If a PDF omits a font, the device's fonts would have the wrong widths.
  useSystemFonts: false,
  maxImageSize: MAX_IMAGE_PIXELS,
  rangeChunkSize: PART_BYTES,
  disableAutoFetch: true,
  disableStream: true,
} as const;

function toFault(error: unknown): PdfFault {
  return error instanceof HoldallError ? 'notLoaded' : 'damaged';
}

/** Whether the same part may come later. Otherwise the document is lost, with its place and its zoom. */
function mayPass(error: unknown): boolean {
  return isPassing(error) || (error instanceof HoldallError && error.status >= 500);
}

interface FilePartsOptions {
  readonly address: string;
  readonly size: number;
  readonly signal: AbortSignal;
  /** Called if a part cannot be loaded. pdf.js itself would wait for it forever. */
  readonly onError: (error: unknown) => void;
}

/** Loads the parts of a large file that pdf.js needs for the shown pages. */
class FileParts extends PDFDataRangeTransport {
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
    for (let attempt = 1; ; attempt += 1) {
      try {
        const { bytes, tag } = await readPart({ address, begin, end, signal, tag: this.#tag });
        this.#tag ??= tag;
        if (!signal.aborted) this.onDataRange(begin, bytes);
        return;
      } catch (error) {
        if (signal.aborted || attempt === MAX_TRIES || !mayPass(error)) throw error;
        const seconds = (error instanceof HoldallError && error.retryAfterSeconds) || 2 ** (attempt - 1);
        await pause(seconds * 1_000, signal);
      }
    }
  }
}
