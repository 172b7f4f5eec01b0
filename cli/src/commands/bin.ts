import { type BinRecord, type Holdall, NotFoundError } from '../../../client/src/client.ts';
import { type DriveCommand, type DriveContext, UsageError } from '../drive-command.ts';
import { DrivePaths } from '../drive-paths.ts';
import { toJsonLine } from '../terminal/escape.ts';
import { formatTime, printable, toTable } from '../terminal/format.ts';
import { ON_CONFLICT, ruleOf } from './organize.ts';

const PAGE_SIZE = 1_000;

export const binList: DriveCommand = {
  name: 'bin list',
  takes: '[drive:NAME]',
  does: 'list the recycle bin with deletion time, expiry and original path',
  options: { json: { type: 'boolean', does: 'print one JSON object per line' } },
  async run(args, values, context) {
    const holdall = await openBin(args, context);
    for await (const { items } of holdall.bin.list({ pageSize: PAGE_SIZE, signal: context.signal }).pages()) {
      if (values.is('json')) for (const entry of items) context.terminal.print(toJsonLine(entry));
      else printTable(items, context);
    }
  },
};

export const binRestore: DriveCommand = {
  name: 'bin restore',
  takes: 'PATH...',
  does: 'restore the latest deletion of these paths',
  options: { 'on-conflict': ON_CONFLICT },
  async run(args, values, context) {
    if (args.length === 0) throw new UsageError('Name at least one path to restore.');
    const paths = await DrivePaths.open(context);
    const rule = ruleOf(values);
    for (const arg of args) {
      const { holdall, path } = await paths.find(arg);
      const { id } = await findDeleted(holdall, path, context.signal);
      const restored = await holdall.bin.restore(id, rule, { signal: context.signal });
      context.terminal.print(printable(restored.path));
    }
  },
};

export const binEmpty: DriveCommand = {
  name: 'bin empty',
  takes: '[drive:NAME]',
  does: 'delete everything in the recycle bin permanently',
  options: { yes: { type: 'boolean', short: 'y', does: 'do not ask' } },
  async run(args, values, context) {
    const { signal, terminal } = context;
    const holdall = await openBin(args, context);
    const { total } = await holdall.bin.list({ pageSize: 1, signal }).page();
    if (total === 0) {
      terminal.print('The recycle bin is empty.');
      return;
    }
    if (!values.is('yes')) {
      const answer = await terminal.ask(`Delete ${total} entries permanently? [y/N] `);
      if (!/^y(es)?$/i.test(answer.trim())) return;
    }
    await holdall.bin.empty({ signal });
  },
};

/** Opens the drive whose bin a command is about. @throws UsageError for a path in a drive */
async function openBin([text, ...more]: readonly string[], context: DriveContext): Promise<Holdall> {
  const place = await DrivePaths.findOne(context, text ?? '/');
  if (more.length > 0 || place.path !== '/') {
    throw new UsageError('The bin of a drive is a whole. Name only the drive, as in drive:Team.');
  }
  return place.holdall;
}

/** The entry most recently deleted from that path. @throws NotFoundError */
async function findDeleted(holdall: Holdall, path: string, signal: AbortSignal): Promise<BinRecord> {
  let newest: BinRecord | undefined;
  for await (const entry of holdall.bin.list({ pageSize: PAGE_SIZE, signal })) {
    if (entry.originalPath !== path) continue;
    if (newest === undefined || entry.deletedAt > newest.deletedAt) newest = entry;
  }
  if (newest === undefined) throw new NotFoundError(`The recycle bin has nothing from ${path}.`);
  return newest;
}

function printTable(entries: readonly BinRecord[], { terminal }: DriveContext): void {
  const rows = entries.map(({ deletedAt, expiresAt, originalPath, directory }) => [
    formatTime(deletedAt),
    formatTime(expiresAt),
    `${printable(originalPath)}${directory ? '/' : ''}`,
  ]);
  for (const line of toTable(rows, [])) terminal.print(line);
}
