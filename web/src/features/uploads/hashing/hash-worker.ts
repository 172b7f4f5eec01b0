// Computes the checksum of a large file in a worker, so the page stays responsive.

import { sha256OfFile } from '../../../common/sha256.ts';
import type { HashReport } from './hash-file.ts';

const NEVER = new AbortController().signal;

self.onmessage = async ({ data: file }: MessageEvent<File>) => {
  try {
    report({ digest: await sha256OfFile(file, NEVER, (readBytes) => report({ readBytes })) });
  } catch (error) {
    report({ fault: String(error) });
  }
};

function report(message: HashReport): void {
  self.postMessage(message);
}
