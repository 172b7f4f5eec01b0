import { openAsBlob } from 'node:fs';
import type { Connect, Holdall, OutgoingFile } from '../../../client/src/client.ts';
import { type DriveCommand, type DriveContext, UsageError, type Values } from '../drive-command.ts';
import { walkLocal } from '../files/local-files.ts';
import { TransferProgress } from '../terminal/transfer-progress.ts';
import { TransferOutput } from '../transfer/transfer-output.ts';

/** The service accepts at most this many files per transfer. */
const MAX_FILES = 1_000;

export const send: DriveCommand = {
  name: 'send',
  takes: 'LOCAL...',
  does: 'send files and directories; prints a code for the receiver',
  options: {
    encrypt: { type: 'boolean', short: 'e', does: 'encrypt end to end; the receiver also needs the secret' },
    direct: { type: 'boolean', does: 'wait for the receiver and send directly; store only if that fails' },
    'direct-only': { type: 'boolean', does: 'send directly, never store' },
    json: { type: 'boolean', does: 'print one JSON object per event' },
  },
  async run(args, values, context) {
    if (args.length === 0) throw new UsageError('Give the files to send.');
    const files = await collectFiles(args, context);
    const holdall = await context.open();
    const url = (await context.login.read())?.url ?? '';
    const output = new TransferOutput(context.terminal, url, values.is('json'));
    const connect = findConnect(values, context);
    if (connect === undefined) await store(holdall, files, { values, context, output });
    else await sendDirect(holdall, files, { values, context, output, connect });
  },
};

interface Parts {
  readonly values: Values;
  readonly context: DriveContext;
  readonly output: TransferOutput;
}

/** Stores the files, and prints the code once all of them are stored. */
async function store(
  holdall: Holdall,
  files: readonly OutgoingFile[],
  { values, context, output }: Parts,
): Promise<void> {
  const progress = new TransferProgress(context.terminal);
  const code = await holdall.transfers.store(files, {
    encrypt: values.is('encrypt'),
    onProgress: (bytes) => progress.setBytes(bytes),
    signal: context.signal,
  });
  progress.addFiles(files.length);
  context.terminal.note(progress.describe());
  output.printCode(code);
}

/** Prints the code, and waits for the receiver. */
async function sendDirect(
  holdall: Holdall,
  files: readonly OutgoingFile[],
  { values, context, output, connect }: Parts & { readonly connect: Connect },
): Promise<void> {
  const progress = new TransferProgress(context.terminal);
  await holdall.transfers.sendDirect(files, {
    connect,
    encrypt: values.is('encrypt'),
    mayStore: !values.is('direct-only'),
    onEvent: (event) => {
      if (event.type === 'connected') progress.start();
      output.printEvent(event);
    },
    onProgress: (bytes) => progress.setBytes(bytes),
    signal: context.signal,
  });
  progress.addFiles(files.length);
  context.terminal.note(progress.describe());
}

/** Undefined if the files are to be stored. @throws Error with a sentence for the user */
function findConnect(values: Values, { findConnect: find, terminal }: DriveContext): Connect | undefined {
  if (!values.is('direct') && !values.is('direct-only')) return undefined;
  const connect = find();
  if (connect !== undefined) return connect;
  const fault =
    'The package "node-datachannel" is not installed for this system, so nothing can be sent directly.';
  if (values.is('direct-only')) throw new Error(fault);
  terminal.note(`${fault} The files are stored instead.`);
  return undefined;
}

/** Lists the files, also those below directories. @throws Error for unreadable or special files */
async function collectFiles(args: readonly string[], { terminal }: DriveContext): Promise<OutgoingFile[]> {
  const files: OutgoingFile[] = [];
  const reports = {
    onSkipped: (skipped: string) => terminal.note(`${skipped}: skipped, because it is not a file.`),
    onFailed: (_failed: string, error: unknown) => {
      throw error;
    },
  };
  for (const arg of args) {
    for await (const { path, relativePath, isDirectory } of walkLocal(arg, reports)) {
      if (isDirectory) continue;
      if (files.length === MAX_FILES) throw new Error(`A transfer has at most ${MAX_FILES} files.`);
      const name = relativePath.slice(relativePath.lastIndexOf('/') + 1);
      const folder = relativePath === name ? {} : { relativePath };
      files.push({ name, ...folder, content: await openAsBlob(path) });
    }
  }
  if (files.length === 0) throw new Error('There is nothing to send.');
  return files;
}
