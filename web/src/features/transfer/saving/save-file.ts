/** Long enough for a browser to begin. */
const KEEP_MS = 60_000;
/** Browsers lose downloads that begin at the same time. */
const BETWEEN_MS = 400;

/** Hands the file to the downloads of the browser. */
export function saveFile(file: File): void {
  const url = URL.createObjectURL(file);
  clickDownload(url, file.name);
  setTimeout(() => URL.revokeObjectURL(url), KEEP_MS);
}

export function clickDownload(address: string, name: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}

/** One after the other. */
export async function eachDownload(downloads: Iterable<() => unknown>): Promise<void> {
  for (const download of downloads) {
    await download();
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS));
  }
}
