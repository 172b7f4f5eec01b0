import { randomUUID } from 'node:crypto';
import type { EntryRecord, Holdall } from '../../../client/src/client.ts';
import {
  type DriveCommand,
  type DriveContext,
  type Option,
  UsageError,
  type Values,
} from '../drive-command.ts';
import { DrivePaths } from '../drive-paths.ts';
import { CONFLICT_RULES } from '../files/conflicts.ts';
import { findEntry, getEntry, splitRemote } from '../remote-path.ts';

type Rule = 'FAIL' | 'RENAME' | 'REPLACE' | undefined;

export const ON_CONFLICT: Option = {
  type: 'string',
  value: 'RULE',
  does: 'if the name is taken: fail (default), rename or replace (the old one goes to the bin)',
};

export const makeDirectory: DriveCommand = {
  name: 'mkdir',
  takes: 'PATH...',
  does: 'create directories in the drive, with missing parents',
  async run(args, _values, context) {
    if (args.length === 0) throw new UsageError('Name at least one directory to create.');
    const places = await (await DrivePaths.open(context)).findAll(args);
    for (const { holdall, path } of places) {
      await holdall.drive.makeDirectory(path, { signal: context.signal });
    }
  },
};

export const move: DriveCommand = {
  name: 'mv',
  takes: 'SOURCE... TARGET',
  does: 'move into a directory, also of another drive, or rename',
  options: { 'on-conflict': ON_CONFLICT },
  async run(args, values, context) {
    const rule = ruleOf(values);
    for (const target of await planTargets(args, context)) {
      if (target.otherDriveId === undefined) await moveTo(target, rule, context.signal);
      else await moveToDrive(target, target.otherDriveId, rule, context.signal);
    }
  },
};

export const copy: DriveCommand = {
  name: 'cp',
  takes: 'SOURCE... TARGET',
  does: 'copy, also into another drive, without copying any bytes',
  options: { 'on-conflict': ON_CONFLICT },
  async run(args, values, context) {
    const rule = ruleOf(values);
    const { signal } = context;
    for (const target of await planTargets(args, context)) {
      const { entry, name, there } = target;
      if (name === undefined || name === entry.filename) await copyTo(target, rule, signal);
      else {
        // The copy gets a free name first, so only the rename to the final name can fail on a conflict.
        const made = await copyTo(target, 'RENAME', signal);
        await renameCopy(there, made, name, rule, signal);
      }
    }
  },
};

export const remove: DriveCommand = {
  name: 'rm',
  takes: 'PATH...',
  does: 'move to the recycle bin; "holdall bin restore" restores',
  async run(args, _values, context) {
    if (args.length === 0) throw new UsageError('Name at least one path to delete.');
    const { signal } = context;
    // Look up all entries first, so that a mistyped path deletes nothing.
    const found: (() => Promise<void>)[] = [];
    for (const { holdall, path } of await (await DrivePaths.open(context)).findAll(args)) {
      const { id } = await getEntry(holdall, path, signal);
      found.push(() => holdall.drive.recycle(id, { signal }));
    }
    for (const recycle of found) await recycle();
  },
};

interface Target {
  readonly entry: EntryRecord;
  /** Works in the drive of the entry. */
  readonly here: Holdall;
  /** Works in the drive of the target. */
  readonly there: Holdall;
  /** The drive of the target; undefined if it is that of the entry. */
  readonly otherDriveId: number | undefined;
  /** The target directory, which exists. */
  readonly directory: string;
  /** The new name; undefined if it stays. */
  readonly name: string | undefined;
}

/** Like `mv` and `cp` in a shell: the last path is a target directory if it exists, otherwise a new name. */
async function planTargets(args: readonly string[], context: DriveContext): Promise<readonly Target[]> {
  if (args.length < 2) throw new UsageError('Give a source and a target.');
  const { signal } = context;
  const paths = await DrivePaths.open(context);
  const last = await paths.find(args.at(-1) ?? '/');
  const sources = await paths.findAll(args.slice(0, -1));
  const { holdall: there } = last;
  const existing = last.path === '/' ? undefined : await there.drive.find(last.path, { signal });
  const isDirectory = last.path === '/' || existing?.directory === true;
  if (!isDirectory && sources.length > 1) throw new UsageError(`${last.path} is not a directory.`);
  const { directory, name } = isDirectory
    ? { directory: last.path, name: undefined }
    : splitRemote(last.path);
  const targets: Target[] = [];
  for (const source of sources) {
    const { holdall: here } = source;
    const entry = await getEntry(here, source.path, signal);
    const otherDriveId = source.drive?.id === last.drive?.id ? undefined : await paths.idOf(last);
    targets.push({ entry, here, there, otherDriveId, directory, name });
  }
  if (name !== undefined) await findEntry(there, directory, signal);
  return targets;
}

async function copyTo(
  { entry: { id }, here, otherDriveId: driveId, directory }: Target,
  rule: Rule,
  signal: AbortSignal,
): Promise<EntryRecord> {
  return driveId === undefined
    ? await here.drive.copy(id, directory, rule, { signal })
    : await here.drive.copyTo(id, { driveId, path: directory }, rule, { signal });
}

/**
 * Moves into another drive, and then renames. If the second call fails, the first one is undone, so the entry
 * ends up either at its target or where it was.
 */
async function moveToDrive(
  { entry, here, there, directory, name = entry.filename }: Target,
  driveId: number,
  rule: Rule,
  signal: AbortSignal,
): Promise<void> {
  const target = { driveId, path: directory };
  if (name === entry.filename) {
    await here.drive.moveTo(entry.id, target, rule, { signal });
    return;
  }
  const moved = await here.drive.moveTo(entry.id, target, 'RENAME', { signal });
  try {
    await there.drive.rename(moved.id, name, rule, { signal });
  } catch (error) {
    await undoMoveToDrive(entry, moved, { here, there });
    throw error;
  }
}

/** @throws Error that tells the user where the entry is now */
async function undoMoveToDrive(
  { id, filename, parentPath }: EntryRecord,
  moved: EntryRecord,
  { here, there }: Pick<Target, 'here' | 'there'>,
): Promise<void> {
  try {
    await here.bin.restore(id);
    await there.drive.recycle(moved.id);
  } catch (error) {
    const message =
      `Moving was interrupted. ${filename} of ${parentPath} is in the recycle bin of its drive, or there again, ` +
      `and ${moved.path} is in the other drive.`;
    throw new Error(message, { cause: error });
  }
}

/**
 * Moves and renames, with one call each. If a call fails, the earlier ones are undone, so the entry ends up
 * either at its target or where it was.
 */
async function moveTo(
  { entry, here: holdall, directory, name = entry.filename }: Target,
  rule: Rule,
  signal: AbortSignal,
): Promise<void> {
  const { id, filename, parentPath } = entry;
  if (directory === parentPath) {
    if (name !== filename) await holdall.drive.rename(id, name, rule, { signal });
    return;
  }
  if (name === filename) {
    await holdall.drive.move(id, directory, rule, { signal });
    return;
  }
  // Until the last call it has a unique name, so only the final name can conflict.
  const temporary = randomUUID();
  await holdall.drive.rename(id, temporary, 'FAIL', { signal });
  try {
    await holdall.drive.move(id, directory, 'FAIL', { signal });
    await holdall.drive.rename(id, name, rule, { signal });
  } catch (error) {
    await undoMove(holdall, entry, temporary);
    throw error;
  }
}

/** @throws Error that tells the user where the entry is now */
async function undoMove(
  holdall: Holdall,
  { id, filename, parentPath }: EntryRecord,
  temporary: string,
): Promise<void> {
  try {
    await holdall.drive.move(id, parentPath);
    await holdall.drive.rename(id, filename);
  } catch (error) {
    const message = `Moving was interrupted. ${filename} is now named ${temporary}, in ${parentPath} or its target.`;
    throw new Error(message, { cause: error });
  }
}

async function renameCopy(
  holdall: Holdall,
  made: EntryRecord,
  name: string,
  rule: Rule,
  signal: AbortSignal,
): Promise<void> {
  try {
    await holdall.drive.rename(made.id, name, rule, { signal });
  } catch (error) {
    // Don't leave behind a copy with a temporary name.
    await holdall.drive.recycle(made.id);
    throw error;
  }
}

export function ruleOf(values: Values): Rule {
  const choices = CONFLICT_RULES.filter((rule) => rule !== 'skip');
  switch (values.oneOf('on-conflict', choices)) {
    case 'rename':
      return 'RENAME';
    case 'replace':
      return 'REPLACE';
    case 'fail':
      return 'FAIL';
    default:
      return undefined;
  }
}
