import { randomUUID } from 'node:crypto';
import type { EntryRecord, Holdall } from '../../../client/src/client.ts';
import {
  type DriveCommand,
  type DriveContext,
  type Option,
  UsageError,
  type Values,
} from '../drive-command.ts';
import { CONFLICT_RULES } from '../files/conflicts.ts';
import { findEntry, getEntry, splitRemote, toRemotePath } from '../remote-path.ts';

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
    const holdall = await context.open();
    for (const arg of args) await holdall.drive.makeDirectory(toRemotePath(arg), { signal: context.signal });
  },
};

export const move: DriveCommand = {
  name: 'mv',
  takes: 'SOURCE... TARGET',
  does: 'move into a directory of the drive, or rename',
  options: { 'on-conflict': ON_CONFLICT },
  async run(args, values, context) {
    const holdall = await context.open();
    const rule = ruleOf(values);
    for (const target of await planTargets(args, holdall, context)) {
      await moveTo(holdall, target, rule, context.signal);
    }
  },
};

export const copy: DriveCommand = {
  name: 'cp',
  takes: 'SOURCE... TARGET',
  does: 'copy within the drive, without copying any bytes',
  options: { 'on-conflict': ON_CONFLICT },
  async run(args, values, context) {
    const holdall = await context.open();
    const rule = ruleOf(values);
    const { signal } = context;
    for (const { entry, directory, name } of await planTargets(args, holdall, context)) {
      if (name === undefined || name === entry.filename) {
        await holdall.drive.copy(entry.id, directory, rule, { signal });
      } else {
        // The copy gets a free name first, so only the rename to the final name can fail on a conflict.
        const made = await holdall.drive.copy(entry.id, directory, 'RENAME', { signal });
        await renameCopy(holdall, made, name, rule, signal);
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
    const holdall = await context.open();
    // Look up all entries first, so that a mistyped path deletes nothing.
    const entries = [];
    for (const arg of args) entries.push(await getEntry(holdall, toRemotePath(arg), context.signal));
    for (const { id } of entries) await holdall.drive.recycle(id, { signal: context.signal });
  },
};

interface Target {
  readonly entry: EntryRecord;
  /** The target directory, which exists. */
  readonly directory: string;
  /** The new name; undefined if it stays. */
  readonly name: string | undefined;
}

/** Like `mv` and `cp` in a shell: the last path is a target directory if it exists, otherwise a new name. */
async function planTargets(
  args: readonly string[],
  holdall: Holdall,
  { signal }: DriveContext,
): Promise<readonly Target[]> {
  const paths = args.map(toRemotePath);
  const last = paths.pop();
  if (last === undefined || paths.length === 0) throw new UsageError('Give a source and a target.');
  const target = last === '/' ? undefined : await holdall.drive.find(last, { signal });
  const isDirectory = last === '/' || target?.directory === true;
  if (!isDirectory && paths.length > 1) throw new UsageError(`${last} is not a directory.`);
  const targets: Target[] = [];
  for (const path of paths) {
    const entry = await getEntry(holdall, path, signal);
    if (isDirectory) targets.push({ entry, directory: last, name: undefined });
    else {
      const { directory, name } = splitRemote(last);
      await findEntry(holdall, directory, signal);
      targets.push({ entry, directory, name });
    }
  }
  return targets;
}

/**
 * Moves and renames, with one call each. If a call fails, the earlier ones are undone, so the entry ends up
 * either at its target or where it was.
 */
async function moveTo(
  holdall: Holdall,
  { entry, directory, name = entry.filename }: Target,
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
