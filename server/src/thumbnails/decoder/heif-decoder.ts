import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { threadScript } from '../../base/thread-script.ts';
import type { HeifAnswer, HeifRequest } from './heif-thread.ts';

/** Starts with the first picture that needs the thread, because it takes 50 MB. Then it stays. */
let thread: Worker | undefined;

/**
 * Decodes a HEIF picture that the large library cannot decode. The picture's bytes move to the thread.
 * @returns a TIFF
 * @throws Error if the bytes are not a picture
 */
export async function decodeHeif(request: HeifRequest): Promise<Uint8Array> {
  const started = thread ?? startThread();
  thread = started;
  started.postMessage(request, [request.picture.buffer as ArrayBuffer]);
  // An error of the thread also makes this reject.
  const [answer]: HeifAnswer[] = await once(started, 'message');
  if (answer === undefined) throw new Error('The picture cannot be decoded.');
  return answer;
}

function startThread(): Worker {
  const started = new Worker(threadScript('heif-thread', import.meta.url));
  started.unref();
  started.once('exit', () => {
    thread = undefined;
  });
  return started;
}
