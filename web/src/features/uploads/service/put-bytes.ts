import type { Watch } from './upload-service.ts';

/**
 * A connection without progress for this long is considered broken. It is generous, because the last bytes
 * may be in flight a little longer.
 */
const STALL_MS = 60_000;

interface PutAnswer {
  /** 0 if there was no response. */
  readonly status: number;
  readonly etag: string | null;
}

/** Sends bytes and reports progress, which `fetch` cannot. @throws `signal.reason` */
export function putBytes(
  { method, url, headers }: { method: string; url: string; headers: Readonly<Record<string, string>> },
  bytes: Blob,
  { signal, onProgress }: Watch,
): Promise<PutAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<PutAnswer>();
  signal.throwIfAborted();
  const request = new XMLHttpRequest();
  request.open(method, url);
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  const stallTimer = new StallTimer(() => request.abort());
  const stop = () => {
    reject(signal.reason);
    request.abort();
  };
  signal.addEventListener('abort', stop);
  request.upload.onprogress = ({ loaded }) => {
    stallTimer.restart();
    onProgress(Math.min(loaded, bytes.size));
  };
  // After the last byte, the other side may take as long as it needs.
  request.upload.onload = () => stallTimer.stop();
  request.onloadend = () => {
    stallTimer.stop();
    signal.removeEventListener('abort', stop);
    resolve({
      status: request.status,
      etag: request.status === 0 ? null : request.getResponseHeader('etag'),
    });
  };
  request.send(bytes);
  return promise;
}

/** Calls back unless it is reset in time. */
export class StallTimer {
  readonly #act: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(act: () => void) {
    this.#act = act;
    this.restart();
  }

  restart(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#act, STALL_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
