import { AuditedActions } from '../../admin/audited-actions.ts';
import type { AdminDrive } from '../../admin/drives/contract.ts';
import { AdminDrives } from '../../admin/drives/drives.ts';
import { findManagerNames } from '../../admin/drives/queries.ts';
import { toTextFilter } from '../../admin/lists/text-filter.ts';
import { formatBytes } from '../../base/format-bytes.ts';
import { readConfig } from '../../config/config.ts';
import type { Command, CommandContext } from '../command.ts';
import { readArguments } from '../read-arguments.ts';
import { withAccounts } from '../with-parts.ts';

const PAGE_SIZE = 500;

export const adminDrives: Command = {
  name: 'admin drives',
  takes: '[--query TEXT] [--json]',
  does: 'lists the drives, newest first, with their usage, members and managers',
  run: list,
};

async function list(args: readonly string[], { env, say, signal }: CommandContext): Promise<void> {
  const { values, flags } = readArguments(args, { values: ['query'], flags: ['json'] });
  const filter = { query: toTextFilter(values.query), kind: undefined, deleted: undefined };
  await withAccounts(readConfig(env), async (parts) => {
    const { database, audit } = parts;
    const drives = new AdminDrives({ ...parts, actions: new AuditedActions(database, audit) });
    for (let page = 0; ; page += 1) {
      signal.throwIfAborted();
      const { items } = await drives.list(filter, { page, size: PAGE_SIZE });
      const managers = await findManagerNames(
        database.db,
        items.map(({ id }) => id),
      );
      for (const drive of items) {
        const names = managers.get(drive.id) ?? [];
        say(flags.has('json') ? JSON.stringify({ ...drive, managers: names }) : toLine(drive, names));
      }
      if (items.length < PAGE_SIZE) return;
    }
  });
}

function toLine(drive: AdminDrive, managers: readonly string[]): string {
  return [
    drive.id,
    drive.kind,
    drive.name ?? drive.ownerUsername,
    `${formatBytes(drive.usedBytes)} of ${formatBytes(drive.quotaBytes)}`,
    `${drive.fileCount} files`,
    `${drive.memberCount} members`,
    managers.length === 0 ? 'no managers' : `managers: ${managers.join(', ')}`,
    ...(drive.deletedAt === null ? [] : [`deleted ${drive.deletedAt}`]),
  ].join('\t');
}
