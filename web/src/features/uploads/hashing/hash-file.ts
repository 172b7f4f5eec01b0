import { sha256, sha256OfFile, toHex } from '../../../common/sha256.ts';
import { FileChanged } from '../upload-failures.ts';

/** Files up to this size are hashed here, because starting a worker takes longer. */
const WORKER_BYTES = 1024 ** 2;

/** What the worker reports: the number of bytes read so far, the digest, or that the file is unreadable. */
export type HashReport =
  | { readonly readBytes: number }
  | { readonly digest: string }
  | { readonly fault: string };

interface HashOptions {
  readonly signal: AbortSignal;
  /** Called with the number of bytes read so far. */
  readonly onProgress: (readBytes: number) => void;
}

/**
 * The SHA-256 of a file in hexadecimal. A worker reads large files in slices, so the page stays responsive.
 * @throws FileChanged if it cannot be read; `signal.reason`
 */
export async function hashFile(file: File, { signal, onProgress }: HashOptions): Promise<string> {
  signal.throwIfAborted();
  if (typeof Worker !== 'undefined' && file.size > WORKER_BYTES) {
    return await hashInWorker(file, { signal, onProgress });
  }
  try {
    if (file.size > WORKER_BYTES) return await sha256OfFile(file, signal, onProgress);
    return toHex(await sha256(new Uint8Array(await file.arrayBuffer())));
  } catch (error) {
    signal.throwIfAborted();
    throw new FileChanged({ cause: error });
  }
}

function hashInWorker(file: File, { signal, onProgress }: HashOptions): Promise<string> {
  const worker = new Worker(new URL('./hash-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<string>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    worker.onmessage = ({ data }: MessageEvent<HashReport>) => {
      if ('readBytes' in data) onProgress(data.readBytes);
      else if ('digest' in data) resolve(data.digest);
      else reject(new FileChanged({ cause: data.fault }));
    };
    worker.onerror = () => reject(new Error('The worker failed.'));
    worker.postMessage(file);
  }).finally(() => worker.terminate());
}
