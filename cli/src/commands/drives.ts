import type { DriveRecord } from '../../../client/src/client.ts';
import { formatBytes } from '../../../server/src/base/format-bytes.ts';
import { type DriveCommand, UsageError } from '../drive-command.ts';
import { toJsonLine } from '../terminal/escape.ts';
import { printable, toTable } from '../terminal/format.ts';

export const drives: DriveCommand = {
  name: 'drives',
  takes: '',
  does: 'list your drives with id, role, members, usage and name; drive:NAME/PATH is a path in one of them',
  options: { json: { type: 'boolean', does: 'print one JSON object per line' } },
  async run(args, values, { open, signal, terminal }) {
    if (args.length > 0) throw new UsageError('This command takes no path.');
    const found = await (await open()).drives.list({ signal });
    if (values.is('json')) for (const drive of found) terminal.print(toJsonLine(drive));
    else for (const line of toTable(found.map(toRow), [0, 2])) terminal.print(line);
  },
};

function toRow({ id, name, role, memberCount, usedBytes, quotaBytes }: DriveRecord): readonly string[] {
  const usage = `${formatBytes(usedBytes)} of ${formatBytes(quotaBytes)}`;
  const members = memberCount === 1 ? '1 member' : `${memberCount} members`;
  return [`${id}`, role, members, usage, name === null ? '(personal)' : printable(name)];
}
