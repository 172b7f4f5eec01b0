import type { Connect } from '../../../client/src/client.ts';
import { saveDownload } from '../../../client/src/node/files.ts';
import { type DriveCommand, type DriveContext, UsageError } from '../drive-command.ts';
import { CONFLICT_RULES } from '../files/conflicts.ts';
import { TransferProgress } from '../terminal/transfer-progress.ts';
import { findOffer, type Offer } from '../transfer/find-offer.ts';
import { openPartFiles } from '../transfer/part-files.ts';
import { planTargets, type ReceivePlan } from '../transfer/receive-targets.ts';
import { TransferOutput } from '../transfer/transfer-output.ts';

export const receive: DriveCommand = {
  name: 'receive',
  takes: 'CODE [DIRECTORY]',
  does: 'receive a transfer by code, CODE#SECRET or link',
  options: {
    'on-conflict': {
      type: 'string',
      value: 'RULE',
      does: 'if a name is taken: rename (default), skip, replace or fail',
    },
    json: { type: 'boolean', does: 'print one JSON object per event' },
  },
  async run([code, directory = '.', ...more], values, context) {
    if (code === undefined || more.length > 0) throw new UsageError('Give the code of the transfer.');
    const rule = values.oneOf('on-conflict', CONFLICT_RULES) ?? 'rename';
    const offer = await findOffer(code, context);
    const { mode, files } = offer.opened.session;
    const connect = mode === 'ONLINE' ? findConnect(context) : undefined;
    const plan = await planTargets(files, directory, rule);
    const progress = new TransferProgress(context.terminal);
    for (const { path, fault } of plan.refused) {
      if (fault === undefined) progress.addSkipped();
      else progress.addFailed(path, fault);
    }
    const parts = {
      ...{ offer, plan, progress, context },
      output: new TransferOutput(context.terminal, '', values.is('json')),
    };
    if (plan.targets.length > 0) {
      await (connect === undefined ? fetchStored(parts) : receiveDirect(parts, connect));
    }
    context.terminal.note(progress.describe());
    progress.check('received');
  },
};

interface Parts {
  readonly offer: Offer;
  readonly plan: ReceivePlan;
  readonly progress: TransferProgress;
  readonly context: DriveContext;
  readonly output: TransferOutput;
}

/** Downloads the files. Running the command again resumes an interrupted download. */
async function fetchStored({ offer, plan, progress, context, output }: Parts): Promise<void> {
  const { holdall, opened } = offer;
  const { signal } = context;
  for (const { index, path, size, mayReplace } of plan.targets) {
    const source = {
      open: (start: number, etag: string | undefined) =>
        holdall.transfers.openContent(opened, index, { start, etag, signal }),
      // The service stores no checksums for transfers.
      findSha256: async () => undefined,
    };
    await saveDownload(source, { path, mayReplace }, (bytes) => progress.addBytes(bytes));
    progress.addFile();
    output.printFile(path, size);
  }
}

async function receiveDirect(
  { offer, plan, progress, context, output }: Parts,
  connect: Connect,
): Promise<void> {
  const { holdall, opened } = offer;
  const sinks = openPartFiles(plan.targets, ({ path, size }) => {
    progress.addFile();
    output.printFile(path, size);
  });
  await holdall.transfers.receiveDirect(opened, sinks, {
    connect,
    onEvent: (event) => {
      if (event.type === 'connected') progress.start();
      output.printEvent(event);
    },
    onProgress: (bytes) => progress.setBytes(bytes),
    signal: context.signal,
  });
}

function findConnect({ findConnect: find }: DriveContext): Connect {
  const connect = find();
  if (connect !== undefined) return connect;
  throw new Error(
    'The sender waits to send directly, for which the package "node-datachannel" is needed. It is not installed for ' +
      'this system. Open the link in a browser, or ask for the files to be stored.',
  );
}
