import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { type DriveCommand, UsageError } from '../drive-command.ts';
import { DrivePaths, namesDrive } from '../drive-paths.ts';
import { CONFLICT_RULES, DEFAULT_JOBS, JOBS, ON_CONFLICT } from '../files/conflicts.ts';
import { forEachConcurrently } from '../files/for-each-concurrently.ts';
import { type PlannedSave, Saver } from '../files/saver.ts';
import { getEntry } from '../remote-path.ts';
import { TransferProgress } from '../terminal/transfer-progress.ts';

const PAGE_SIZE = 1_000;

export const cat: DriveCommand = {
  name: 'cat',
  takes: 'PATH...',
  does: 'write the content of files to standard output',
  async run(args, _values, context) {
    if (args.length === 0) throw new UsageError('Name at least one file to print.');
    const { signal, terminal } = context;
    const paths = await DrivePaths.open(context);
    for (const arg of args) {
      const { holdall, path } = await paths.find(arg);
      const entry = await getEntry(holdall, path, signal);
      if (entry.directory) throw new UsageError(`${entry.path} is a directory.`);
      const { stream } = await holdall.downloads.open(entry.id, { signal });
      for await (const chunk of stream) await terminal.write(chunk);
    }
  },
};

export const get: DriveCommand = {
  name: 'get',
  takes: 'PATH... [LOCAL]',
  does: 'download files and directories; run again to resume an interrupted download',
  options: { 'on-conflict': ON_CONFLICT, jobs: JOBS },
  async run(args, values, context) {
    const { remotes, local } = splitArgs(args);
    const rule = values.oneOf('on-conflict', CONFLICT_RULES) ?? 'fail';
    const jobs = values.count('jobs') ?? DEFAULT_JOBS;
    const places = await (await DrivePaths.open(context)).findAll(remotes);
    const plan: PlannedSave[] = [];
    const isDirectory = await isLocalDirectory(local);
    for (const { holdall, path: remotePath } of places) {
      const entry = await getEntry(holdall, remotePath, context.signal);
      const isNewName = !isDirectory && places.length === 1;
      const target = isNewName ? local : path.join(local, toLocalName(entry.filename));
      plan.push({ holdall, entry, target });
    }
    const progress = new TransferProgress(context.terminal);
    const saver = new Saver({ context, rule, progress });
    await forEachConcurrently(walk(plan, { signal: context.signal, progress }), jobs, (saved) =>
      saver.save(saved),
    );
    context.terminal.note(progress.describe());
    progress.check('downloaded');
  },
};

/** Yields all files of the plan, including those in its directories, and creates the local directories. */
async function* walk(
  plan: readonly PlannedSave[],
  shared: { readonly signal: AbortSignal; readonly progress: TransferProgress },
): AsyncGenerator<PlannedSave, void, undefined> {
  for (const saved of plan) {
    if (!saved.entry.directory) {
      yield saved;
      continue;
    }
    try {
      yield* walkDirectory(saved, shared);
    } catch (error) {
      shared.signal.throwIfAborted();
      shared.progress.addFailed(saved.target, error);
    }
  }
}

async function* walkDirectory(
  { holdall, entry, target }: PlannedSave,
  shared: Parameters<typeof walk>[1],
): AsyncGenerator<PlannedSave, void, undefined> {
  const { signal, progress } = shared;
  await mkdir(target, { recursive: true });
  for await (const { items } of holdall.drive.list(entry.path, { pageSize: PAGE_SIZE, signal }).pages()) {
    const below: PlannedSave[] = [];
    for (const child of items) {
      try {
        below.push({ holdall, entry: child, target: path.join(target, toLocalName(child.filename)) });
      } catch (error) {
        progress.addFailed(target, error);
      }
    }
    yield* walk(below, shared);
  }
}

function splitArgs(args: readonly string[]): {
  readonly remotes: readonly string[];
  readonly local: string;
} {
  const [first, ...more] = args;
  if (first === undefined) throw new UsageError('Name at least one path to download.');
  const last = more.at(-1);
  const hasLocal = last !== undefined && !namesDrive(last);
  return hasLocal ? { remotes: args.slice(0, -1), local: last } : { remotes: args, local: '.' };
}

async function isLocalDirectory(local: string): Promise<boolean> {
  return (await stat(local).catch(() => undefined))?.isDirectory() ?? /[/\\]$/.test(local);
}

/**
 * The name of a file on disk. A dishonest service must not be able to write outside the directory that the
 * user chose.
 * @throws Error with a sentence for the user
 */
function toLocalName(filename: string): string {
  if (filename === '' || filename === '.' || filename === '..' || /[/\\\0]/.test(filename)) {
    throw new Error(`The service sent an invalid file name: ${JSON.stringify(filename)}`);
  }
  return filename;
}
