/* Takes text from files, one after another, for the process that started it. */
import { parentPort, workerData } from 'node:worker_threads';
import { confineThread } from '../child-processes/confinement.ts';
import { extractText } from './extract-text.ts';
import { FORMAT_NAMES } from './formats.ts';
import type { NoTextReason } from './no-text.ts';

export interface TextThreadRequest {
  /** The number of the file, in all messages about it. */
  readonly id: number;
  /** The position in the list of formats. */
  readonly format: number;
  readonly file: Uint8Array;
}

export type TextThreadMessage =
  /** The next part of the text. */
  | { readonly id: number; readonly piece: string }
  /** The whole text as UTF-8, or why there is none. */
  | { readonly id: number; readonly answer: Uint8Array | NoTextReason };

// Confines the thread before the first file loads the libraries that read documents.
confineThread();
// Libraries report some errors of damaged files outside of their calls.
process.on('unhandledRejection', () => undefined);

const { processorMs }: { processorMs: number } = workerData;

const send = (message: TextThreadMessage) => parentPort?.postMessage(message);

parentPort?.on('message', async ({ id, format, file }: TextThreadRequest) => {
  const onPiece = (piece: string) => send({ id, piece });
  send({ id, answer: await extract(format, file, onPiece) });
});
parentPort?.postMessage('ready');

async function extract(
  format: number,
  file: Uint8Array,
  onPiece: (piece: string) => void,
): Promise<Uint8Array | NoTextReason> {
  const name = FORMAT_NAMES[format];
  if (name === undefined) return 'unknown-type';
  const before = process.cpuUsage();
  const isTimeUp = () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000 > processorMs;
  };
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  return await extractText(name, bytes, { isTimeUp, onPiece });
}
