/* Draws the first pages of PDFs, one after another, for the process that started it. */
import { parentPort } from 'node:worker_threads';
import { confineThread } from '../../child-processes/confinement.ts';

/** A TIFF. */
export type PageAnswer = Uint8Array<ArrayBuffer> | 'not drawn';

confineThread();
// pdf.js reports some errors of damaged files outside of its calls.
process.on('unhandledRejection', () => undefined);

// Loaded after the thread is confined.
const { drawFirstPage } = await import('./draw-page.ts');

parentPort?.on('message', async (file: Uint8Array) => {
  const page: PageAnswer = await drawFirstPage(file).catch(() => 'not drawn');
  parentPort?.postMessage(page, typeof page === 'string' ? [] : [page.buffer]);
});
parentPort?.postMessage('ready');
