import type { EntryRecord, Holdall } from '../../../client/src/client.ts';
import { formatBytes } from '../../../server/src/base/format-bytes.ts';
import { type DriveCommand, type DriveContext, UsageError } from '../drive-command.ts';
import { DrivePaths, namesDrive } from '../drive-paths.ts';
import { findEntry } from '../remote-path.ts';
import { toJsonLine } from '../terminal/escape.ts';
import { formatTime, printable, toTable } from '../terminal/format.ts';

const PAGE_SIZE = 1_000;
const JSON_OPTION = { type: 'boolean', does: 'print one JSON object per line' } as const;

export const list: DriveCommand = {
  name: 'ls',
  takes: '[PATH]',
  does: 'list a directory of the drive',
  options: {
    long: { type: 'boolean', short: 'l', does: 'with size and modification time' },
    json: JSON_OPTION,
  },
  async run(args, values, context) {
    const text = onePath(args);
    const { holdall, path } = await DrivePaths.findOne(context, text);
    const entry = await findEntry(holdall, path, context.signal);
    // Reads page by page, so a large directory is never in memory as a whole.
    for await (const entries of pagesOf(holdall, path, entry, context)) {
      if (values.is('json')) for (const found of entries) context.terminal.print(toJsonLine(found));
      else if (values.is('long')) printTable(entries, context);
      else for (const found of entries) context.terminal.print(nameOf(found));
    }
  },
};

export const tree: DriveCommand = {
  name: 'tree',
  takes: '[PATH]',
  does: 'show everything below a directory of the drive',
  options: {
    depth: { type: 'string', value: 'N', does: 'how many levels' },
    json: JSON_OPTION,
  },
  async run(args, values, context) {
    const text = onePath(args);
    const depth = values.count('depth') ?? Number.POSITIVE_INFINITY;
    const { holdall, path } = await DrivePaths.findOne(context, text);
    const entry = await findEntry(holdall, path, context.signal);
    const isJson = values.is('json');
    if (!isJson) context.terminal.print(printable(namesDrive(text) ? text : path));
    if (entry === undefined || entry.directory)
      await showBelow(path, '', depth, { holdall, context, isJson });
  },
};

async function showBelow(
  path: string,
  indent: string,
  depth: number,
  shared: { readonly holdall: Holdall; readonly context: DriveContext; readonly isJson: boolean },
): Promise<void> {
  const { holdall, context, isJson } = shared;
  const entries = holdall.drive.list(path, { pageSize: PAGE_SIZE, signal: context.signal });
  let before: EntryRecord | undefined;
  const show = async (entry: EntryRecord, isLast: boolean) => {
    const line = `${indent}${isLast ? '└── ' : '├── '}${nameOf(entry)}`;
    context.terminal.print(isJson ? toJsonLine(entry) : line);
    if (!entry.directory || depth <= 1) return;
    await showBelow(entry.path, `${indent}${isLast ? '    ' : '│   '}`, depth - 1, shared);
  };
  // An entry is printed once the next one is read, because the last one is drawn differently.
  for await (const entry of entries) {
    if (before !== undefined) await show(before, false);
    before = entry;
  }
  if (before !== undefined) await show(before, true);
}

async function* pagesOf(
  holdall: Holdall,
  path: string,
  entry: EntryRecord | undefined,
  { signal }: DriveContext,
): AsyncGenerator<readonly EntryRecord[], void, undefined> {
  if (entry !== undefined && !entry.directory) yield [entry];
  else
    for await (const { items } of holdall.drive.list(path, { pageSize: PAGE_SIZE, signal }).pages())
      yield items;
}

function printTable(entries: readonly EntryRecord[], { terminal }: DriveContext): void {
  const rows = entries.map((entry) => [
    entry.directory ? '-' : formatBytes(entry.size),
    formatTime(entry.modifiedAt),
    nameOf(entry),
  ]);
  for (const line of toTable(rows, [0])) terminal.print(line);
}

function nameOf({ filename, directory }: EntryRecord): string {
  return `${printable(filename)}${directory ? '/' : ''}`;
}

function onePath(args: readonly string[]): string {
  if (args.length > 1) throw new UsageError('Give one path.');
  return args[0] ?? '/';
}
