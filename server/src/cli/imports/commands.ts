import { statSync } from 'node:fs';
import path from 'node:path';
import { foldUsername } from '../../accounts/accounts.ts';
import type { Parts } from '../../app/parts.ts';
import { CONFLICT_RULES, type ConflictRule } from '../../base/domain/conflict-rules.ts';
import { Failure } from '../../base/failure.ts';
import { formatBytes } from '../../base/format-bytes.ts';
import { MAX_NAME_LENGTH } from '../../base/text/names/file-name.ts';
import { type LogicalPath, toLogicalPath } from '../../base/text/names/logical-path.ts';
import { toNormalForm } from '../../base/text/names/normal-form.ts';
import { type Config, readConfig } from '../../config/config.ts';
import type { Db } from '../../database/database.ts';
import { findPersonalDrive } from '../../drives/drives.ts';
import { recordAudit } from '../audit.ts';
import { type Command, type CommandContext, CommandFault } from '../command.ts';
import { readArguments } from '../read-arguments.ts';
import { withAccounts } from '../with-parts.ts';
import { findSharedDrive, findSharedDrivesNamed, type NamedDrive } from './drive-queries.ts';
import { type ForeignUser, listNextcloudUsers, readFilebrowserUsers } from './other-products.ts';
import { findOwnDirectories, isInside } from './own-directories.ts';
import { type ImportSummary, TreeImport } from './tree-import.ts';

const OPTIONS = '[--to PATH] [--on-conflict fail|rename|replace] [--dry-run]';
const VALUES = ['to', 'on-conflict'] as const;
const DRY_RUN = 'dry-run';
const MAP_USER = 'map-user';

export const importDirectory: Command = {
  name: 'import',
  takes: `DIRECTORY (--user NAME | --drive NAME) ${OPTIONS}`,
  does: "copies a local directory into an account's drive or a shared drive; run again to continue",
  run: async (args, context) => {
    const { positionals, values, flags } = readArguments(args, {
      positionals: ['DIRECTORY'],
      values: ['user', 'drive', ...VALUES],
      flags: [DRY_RUN],
    });
    const directory = path.resolve(positionals[0] ?? '');
    const options = toOptions(values, flags);
    if ((values.user === undefined) === (values.drive === undefined))
      throw new CommandFault('Give --user, the account that gets the files, or --drive, a shared drive.');
    if (values.drive !== undefined) return await importIntoDrive(values.drive, directory, options, context);
    const users = [{ username: values.user ?? '', directory }];
    await importUsers(users, { ...options, createsAccounts: false }, context);
  },
};

export const importNextcloud: Command = {
  name: 'import-nextcloud',
  takes: `DATA_DIRECTORY ${OPTIONS} [--map-user OLD=NEW]…`,
  does: 'copies the files of all Nextcloud users; creates missing accounts and prints their passwords once',
  run: async (args, context) => {
    const { positionals, values, flags, lists } = readArguments(args, {
      positionals: ['DATA_DIRECTORY'],
      values: VALUES,
      flags: [DRY_RUN],
      lists: [MAP_USER],
    });
    const users = mapUsers(listNextcloudUsers(path.resolve(positionals[0] ?? '')), lists[MAP_USER]);
    await importUsers(users, { ...toOptions(values, flags), createsAccounts: true }, context);
  },
};

export const importFilebrowser: Command = {
  name: 'import-filebrowser',
  takes: `ROOT USERS.json ${OPTIONS} [--map-user OLD=NEW]…`,
  does: 'the same for File Browser, with the output of "filebrowser users export USERS.json"',
  run: async (args, context) => {
    const { positionals, values, flags, lists } = readArguments(args, {
      positionals: ['ROOT', 'USERS.json'],
      values: VALUES,
      flags: [DRY_RUN],
      lists: [MAP_USER],
    });
    const [root = '', file = ''] = positionals;
    const users = mapUsers(readFilebrowserUsers(path.resolve(root), file), lists[MAP_USER]);
    await importUsers(users, { ...toOptions(values, flags), createsAccounts: true }, context);
  },
};

interface ImportOptions {
  readonly to: LogicalPath;
  readonly onConflict: ConflictRule;
  readonly isDryRun: boolean;
}

function toOptions(
  values: Readonly<Partial<Record<(typeof VALUES)[number], string>>>,
  flags: ReadonlySet<string>,
): ImportOptions {
  const wanted = (values['on-conflict'] ?? 'fail').toUpperCase();
  const onConflict = CONFLICT_RULES.find((rule) => rule === wanted);
  if (onConflict === undefined) throw new CommandFault('--on-conflict is one of fail, rename, replace.');
  return { to: toLogicalPath(values.to ?? '/'), onConflict, isDryRun: flags.has(DRY_RUN) };
}

/** @throws Error if something could not be imported, after everything else was */
async function importUsers(
  users: readonly ForeignUser[],
  options: ImportOptions & { createsAccounts: boolean },
  context: CommandContext,
): Promise<void> {
  for (const { directory } of users) checkDirectory(directory);
  const config = readConfig(context.env);
  let failed = 0;
  await withAccounts(config, async (parts) => {
    for (const user of users) {
      const accountId = await findOrCreateAccount(parts, user.username, options, context);
      if (accountId === undefined) {
        if (!options.isDryRun) failed += 1;
        continue;
      }
      const driveId = await findPersonalDrive(parts.database.db, accountId);
      if (driveId === undefined) throw new Error(`The account ${user.username} was deleted meanwhile.`);
      const summary = await importTree(parts, config, { ...user, accountId, driveId }, options, context);
      report(user.username, summary, options, context);
      failed += summary.failed;
    }
  });
  checkAllImported(failed);
}

/** @throws CommandFault for an unknown or ambiguous drive; Error if something could not be imported */
async function importIntoDrive(
  nameOrId: string,
  directory: string,
  options: ImportOptions,
  context: CommandContext,
): Promise<void> {
  checkDirectory(directory);
  const config = readConfig(context.env);
  await withAccounts(config, async (parts) => {
    const { id, name } = await getSharedDrive(parts.database.db, nameOrId);
    const target = { directory, accountId: null, driveId: id };
    const summary = await importTree(parts, config, target, options, context);
    report(name, summary, options, context);
    checkAllImported(summary.failed);
  });
}

/** An id takes precedence over a name. @throws CommandFault */
async function getSharedDrive(db: Db, nameOrId: string): Promise<NamedDrive> {
  const byId = /^[1-9]\d{0,14}$/.test(nameOrId) ? await findSharedDrive(db, Number(nameOrId)) : undefined;
  if (byId !== undefined) return byId;
  const name = toNormalForm(nameOrId, MAX_NAME_LENGTH);
  const [drive, ...others] = name === undefined ? [] : await findSharedDrivesNamed(db, name);
  if (drive === undefined) throw new CommandFault(`There is no shared drive "${nameOrId}".`);
  if (others.length === 0) return drive;
  const ids = [drive, ...others].map(({ id }) => id).join(', ');
  throw new CommandFault(`Several shared drives are named "${nameOrId}". Give one of the ids ${ids}.`);
}

function checkAllImported(failed: number): void {
  if (failed > 0)
    throw new Error(`${failed === 1 ? 'One entry was' : `${failed} entries were`} not imported.`);
}

function checkDirectory(directory: string): void {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new CommandFault(`${directory} is not a directory.`);
}

/** Undefined if there is no account, and none is created. */
async function findOrCreateAccount(
  { accounts: { operatorCommands } }: Parts,
  username: string,
  { createsAccounts, isDryRun }: { createsAccounts: boolean; isDryRun: boolean },
  { say }: CommandContext,
): Promise<number | undefined> {
  try {
    const found = await operatorCommands.findAccountId(username);
    if (found !== undefined) return found;
    if (!createsAccounts) throw new Error(`There is no account ${username}.`);
    if (isDryRun) {
      say(`${username}: would get an account.`);
      return undefined;
    }
    const account = { username, role: 'USER', password: undefined } as const;
    const password = await operatorCommands.createAccount(account, (tx, accountId) =>
      recordAudit(tx, {
        action: 'CREATE_USER',
        targetType: 'USER',
        targetId: accountId,
        target: username,
        details: { role: 'USER' },
        summary: `Created ${username} as USER.`,
      }),
    );
    say(`${username}: has an account now, password: ${password}`);
    return await operatorCommands.findAccountId(username);
  } catch (error) {
    // Other products allow names that are not valid here.
    if (!createsAccounts || !(error instanceof Failure)) throw error;
    say(
      `${JSON.stringify(username)}: ${error.message} Give another name: --map-user ${JSON.stringify(`${username}=NAME`)}`,
    );
    return undefined;
  }
}

interface ImportTarget extends Omit<ForeignUser, 'username'> {
  /** Null for a shared drive. */
  readonly accountId: number | null;
  readonly driveId: number;
}

function importTree(
  parts: Parts,
  config: Config,
  { directory, accountId, driveId, leftOut }: ImportTarget,
  { to, onConflict, isDryRun }: ImportOptions,
  { signal, progress }: CommandContext,
): Promise<ImportSummary> {
  const except = findOwnDirectories(config.dataDir);
  if (isInside(directory, except)) throw new CommandFault(`${directory} belongs to Holdall itself.`);
  const request = {
    ...{ accountId, driveId },
    from: directory,
    ...(leftOut !== undefined && { leftOut }),
    to,
    onConflict,
    isDryRun,
    except,
    signal,
    onProgress: progress,
  };
  return new TreeImport(parts, request).run();
}

function report(
  target: string,
  {
    files,
    bytes,
    directories,
    present,
    ignored,
    failed,
    sentences,
    excluded,
    renamed,
    renamings,
  }: ImportSummary,
  { isDryRun }: ImportOptions,
  { say }: CommandContext,
): void {
  for (const sentence of renamings) say(`Renamed: ${sentence}`);
  if (renamed > renamings.length) say(`Renamed: ${renamed - renamings.length} more.`);
  for (const sentence of sentences) say(`Not imported: ${sentence}`);
  for (const directory of excluded) say(`Left out: ${JSON.stringify(directory)} belongs to Holdall itself.`);
  if (failed > sentences.length) say(`Not imported: ${failed - sentences.length} more.`);
  const verb = isDryRun ? 'would import' : 'imported';
  say(
    `${target}: ${verb} ${files} files (${formatBytes(bytes)}) and ${directories} new directories; ` +
      `${present} files were there already, ${ignored} links and special files were ignored, ${failed} failed.`,
  );
}

/**
 * Renames users of another product, because their names may not be valid here, such as `ann@example.org`.
 * @param mappings such as `ann@example.org=ann`
 * @throws CommandFault for a malformed mapping, for a user that does not exist or is named twice, and if two
 *   users would get one account
 */
function mapUsers(users: readonly ForeignUser[], mappings: readonly string[]): readonly ForeignUser[] {
  const names = new Map<string, string>();
  for (const mapping of mappings) {
    // Names of accounts have no "=", but those of other products may.
    const end = mapping.lastIndexOf('=');
    const [from, to] = [mapping.slice(0, Math.max(0, end)), mapping.slice(end + 1)];
    if (from === '' || to === '') throw new CommandFault(`--map-user is OLD=NEW, and not "${mapping}".`);
    if (names.has(from)) throw new CommandFault(`--map-user names "${from}" twice.`);
    if (!users.some(({ username }) => username === from)) {
      throw new CommandFault(`There is no user "${from}" to map.`);
    }
    names.set(from, to);
  }
  const mapped = users.map((user) => ({ ...user, username: names.get(user.username) ?? user.username }));
  for (const to of names.values()) {
    if (mapped.filter(({ username }) => foldUsername(username) === foldUsername(to)).length > 1)
      throw new CommandFault(`Two users would get the account "${to}".`);
  }
  return mapped;
}
