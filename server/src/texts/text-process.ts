/*
 * A process that takes text from files, one after another, in a thread.
 *
 * Its argument is the processor time that a file may take, in milliseconds.
 */
import { threadScript } from '../base/thread-script.ts';
import { type Result, serveFiles } from '../child-processes/child-side.ts';
import { Stalled, WorkThread } from '../child-processes/work-thread.ts';
import { HAS_TEXT, type NoTextReason, toOutcome } from './no-text.ts';
import { joinPieces } from './text-collector.ts';
import type { TextThreadMessage, TextThreadRequest } from './text-thread.ts';

const processorMs = Number(process.argv[2]);
const thread = await WorkThread.start<TextThreadMessage>(threadScript('text-thread', import.meta.url), {
  // Leaves time to end the extraction with the text of the first pages.
  workerData: { processorMs: processorMs * 0.6 },
});

type End = Uint8Array | NoTextReason | Error;

/** The text of the current file so far. */
let pieces: string[] = [];
let lastId = 0;

await serveFiles({
  processorMs,
  giveUp: () => resultSoFar('over-limit'),
  work: async ({ request: { parameter: format }, file }) => {
    lastId += 1;
    pieces = [];
    const end = await ask({ id: lastId, format, file });
    return { ...toResult(end), isSpent: end instanceof Error };
  },
});
// The standard input has ended.
process.exit();

/** Returns the answer of the thread, or the error that ended it. */
async function ask(request: TextThreadRequest): Promise<End> {
  return await thread.ask(request, [request.file.buffer as ArrayBuffer], (message) => {
    if (message.id !== request.id) return undefined;
    if ('answer' in message) return message.answer;
    pieces.push(message.piece);
    return undefined;
  });
}

function toResult(end: End): Result {
  if (end instanceof Error) return resultSoFar(reasonOf(end));
  return typeof end === 'string'
    ? { outcome: toOutcome(end) }
    : { outcome: HAS_TEXT, body: Buffer.from(end.buffer, end.byteOffset, end.byteLength) };
}

/** The text so far; the reason if there is none. */
function resultSoFar(reason: NoTextReason): Result {
  const body = joinPieces(pieces);
  return body.length > 0 ? { outcome: HAS_TEXT, body } : { outcome: toOutcome(reason) };
}

function reasonOf(error: Error): NoTextReason {
  const isOverLimit =
    error instanceof Stalled || ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY');
  return isOverLimit ? 'over-limit' : 'damaged';
}
