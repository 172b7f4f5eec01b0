import { pause } from './timing/pause.ts';

/** The pause between downloads. Browsers drop the first of two downloads that start at the same time. */
const BETWEEN_MS = 700;
/** How long a browser may take to read the file that it saves. */
const SAVING_MS = 10 * 60_000;

/**
 * Makes the browser download a URL.
 *
 * @param name the file name; if empty, the browser uses the name that the service sends. In both cases, the
 * response never replaces the page.
 */
export function startDownload(address: string, name: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.rel = 'noopener';
  document.body.append(link);
  link.click();
  link.remove();
}

/** Makes the browser save the file. Once the promise has resolved, the file may be removed. */
export async function saveFile(file: Blob, name: string): Promise<void> {
  const url = URL.createObjectURL(file);
  startDownload(url, name);
  await pause(SAVING_MS);
  URL.revokeObjectURL(url);
}

/** Starts the downloads one after another. */
export async function startEach(downloads: Iterable<() => unknown>): Promise<void> {
  let isFirst = true;
  for (const start of downloads) {
    if (!isFirst) await pause(BETWEEN_MS);
    isFirst = false;
    await start();
  }
}
