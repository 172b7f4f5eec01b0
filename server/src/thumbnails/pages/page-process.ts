/*
 * A process that draws the first pages of PDFs, one after another, in a thread.
 *
 * Its argument is the processor time that a file may take, in milliseconds.
 */
import { threadScript } from '../../base/thread-script.ts';
import { serveFiles } from '../../child-processes/child-side.ts';
import { WorkThread } from '../../child-processes/work-thread.ts';
import { DECODED, NOT_DECODED } from '../decoder/outcomes.ts';
import type { PageAnswer } from './page-thread.ts';

const thread = await WorkThread.start<PageAnswer>(threadScript('page-thread', import.meta.url), {
  // The canvas would read all fonts of the system when it is loaded.
  env: { DISABLE_SYSTEM_FONTS_LOAD: '1' },
});

await serveFiles({
  processorMs: Number(process.argv[2]),
  giveUp: () => ({ outcome: NOT_DECODED }),
  work: async ({ file }) => {
    const page = await thread.ask(file, [file.buffer as ArrayBuffer], (answer) => answer);
    if (page instanceof Error) return { outcome: NOT_DECODED, isSpent: true };
    if (page === 'not drawn') return { outcome: NOT_DECODED };
    return { outcome: DECODED, body: Buffer.from(page.buffer, page.byteOffset, page.byteLength) };
  },
});
// The standard input has ended.
process.exit();
