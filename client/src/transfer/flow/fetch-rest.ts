import type { Incoming } from '../blocks/incoming.ts';
import { TransferFault } from '../connection/line.ts';
import type { OpenedTransfer } from '../session/opened-transfer.ts';
import { openContent, readChunks } from './open-content.ts';
import type { TransferCalls } from './transfer-calls.ts';

/**
 * Downloads the missing part of an OFFLINE transfer, after a direct transfer that was not completed.
 * @throws HoldallError; TransferFault; the reason of the signal
 */
export async function fetchRest(
  calls: TransferCalls,
  opened: OpenedTransfer,
  incoming: Incoming,
  signal: AbortSignal,
): Promise<void> {
  while (!incoming.isWhole) {
    const step = incoming.plan.at(incoming.step);
    const isEmpty = incoming.plan.sizes[step.file] === 0;
    // Also downloads an empty file, because its only record proves that it is empty.
    if (step.kind === 'block' || isEmpty) {
      const start = step.kind === 'block' ? step.start : 0;
      const { stream } = await openContent(calls, opened, step.file, { start, signal });
      await writeBlocks(stream, incoming);
    }
    if (incoming.plan.at(incoming.step).kind !== 'end') throw new TransferFault('damaged');
    await incoming.endFile(undefined);
  }
}

async function writeBlocks(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  incoming: Incoming,
): Promise<void> {
  const nextBlock = () => {
    const step = incoming.plan.at(incoming.step);
    return new Uint8Array(step.kind === 'block' ? step.length : 0);
  };
  let block = nextBlock();
  let filled = 0;
  for await (const chunk of readChunks(stream)) {
    for (let at = 0; at < chunk.length; ) {
      if (block.length === 0) throw new TransferFault('damaged');
      const part = chunk.subarray(at, at + block.length - filled);
      block.set(part, filled);
      filled += part.length;
      at += part.length;
      if (filled < block.length) continue;
      await incoming.writeBlock(block);
      block = nextBlock();
      filled = 0;
    }
  }
}
