/*
 * A process that takes text from files, one after another. The work is in a thread, because it blocks, and
 * the process must keep watching its memory and time.
 *
 * Its argument is the processor time that a file may take, in milliseconds.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { threadScript } from '../base/thread-script.ts';
import { type Result, serveFiles } from '../child-processes/child-side.ts';
import { HAS_TEXT, type NoTextReason, toOutcome } from './no-text.ts';
import { joinPieces } from './text-collector.ts';
import type { TextThreadMessage, TextThreadRequest } from './text-thread.ts';

/** Less than the memory limit of the process: a large heap ends only the thread. */
const MAX_HEAP_MB = 640;

/** Collects garbage early: PDFs would leave 300 MB of it, and the process would be replaced after a few. */
const YOUNG_HEAP_MB = 32;

/** A thread that uses no processor time for this long waits for something that never happens. */
const STALLED_MS = 3_000;

class Stalled extends Error {}

const processorMs = Number(process.argv[2]);
const thread = new Worker(threadScript('text-thread', import.meta.url), {
  resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
  // Leaves time to end the extraction with the text of the first pages.
  workerData: { processorMs: processorMs * 0.6 },
  // The standard output of the process is for answers.
  stdout: true,
});
thread.stdout.resume();

type End = Uint8Array | NoTextReason | Error;

/** The file that the thread works on. */
let current: { readonly id: number; readonly pieces: string[]; readonly end: (end: End) => void } | undefined;
let lastId = 0;

// The time for loading the code is not that of the first file.
await once(thread, 'message');
thread.on('message', (message: TextThreadMessage) => {
  if (message.id !== current?.id) return;
  if ('piece' in message) current.pieces.push(message.piece);
  else current.end(message.answer);
});
let failure = new Error('The thread has ended.');
thread.on('error', (error: Error) => {
  failure = error;
});
// An error of an earlier file can end the thread. So the process only answers for its first file. After
// others it crashes, and the service tries the file in a new process.
thread.once('exit', () => {
  if (current === undefined || lastId > 1) process.exit(1);
  current.end(failure);
});

await serveFiles({
  processorMs,
  giveUp: () => resultSoFar('over-limit'),
  work: async ({ request: { parameter: format }, file }) => {
    lastId += 1;
    const end = await ask({ id: lastId, format, file });
    const result = toResult(end);
    current = undefined;
    return { ...result, isSpent: end instanceof Error };
  },
});
// The standard input has ended.
process.exit();

/** Returns the answer of the thread, or the error that ended it. */
async function ask(request: TextThreadRequest): Promise<End> {
  const { promise, resolve } = Promise.withResolvers<End>();
  current = { id: request.id, pieces: [], end: resolve };
  let last = thread.performance.eventLoopUtilization();
  const watch = setInterval(() => {
    const { active } = thread.performance.eventLoopUtilization(last);
    last = thread.performance.eventLoopUtilization();
    if (active < 1) resolve(new Stalled());
  }, STALLED_MS);
  thread.postMessage(request, [request.file.buffer as ArrayBuffer]);
  const end = await promise;
  clearInterval(watch);
  return end;
}

function toResult(end: End): Result {
  if (end instanceof Error) return resultSoFar(reasonOf(end));
  return typeof end === 'string'
    ? { outcome: toOutcome(end) }
    : { outcome: HAS_TEXT, body: Buffer.from(end.buffer, end.byteOffset, end.byteLength) };
}

/** The text so far; the reason if there is none. */
function resultSoFar(reason: NoTextReason): Result {
  const body = joinPieces(current?.pieces ?? []);
  return body.length > 0 ? { outcome: HAS_TEXT, body } : { outcome: toOutcome(reason) };
}

function reasonOf(error: Error): NoTextReason {
  const isOverLimit =
    error instanceof Stalled || ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY');
  return isOverLimit ? 'over-limit' : 'damaged';
}
