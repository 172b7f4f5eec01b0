import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { ConflictError } from '../../../client/src/client.ts';
import { type DriveContext, UsageError } from '../drive-command.ts';
import { DrivePaths } from '../drive-paths.ts';
import { ResumableUploads } from '../files/resumable-uploads.ts';
import { UnfinishedUploads } from '../files/unfinished-uploads.ts';
import { LocalActions } from './local/local-actions.ts';
import { LocalTree } from './local/local-tree.ts';
import { PairDrive } from './remote/pair-drive.ts';
import { RemoteActions } from './remote/remote-actions.ts';
import { RemoteReader } from './remote/remote-reader.ts';
import type { SyncReport } from './report.ts';
import type { SyncParts } from './round/round.ts';
import type { Direction } from './rules/decide.ts';
import { IGNORE_FILE, IgnoreRules } from './rules/ignore-rules.ts';
import { findStateFile, SyncState } from './state/sync-state.ts';

interface PairOptions {
  readonly local: string;
  /** A path of a drive, as the user typed it. */
  readonly remote: string;
  readonly direction: Direction;
  readonly jobs: number;
  readonly isDryRun: boolean;
  readonly mayDeleteMany: boolean;
  /** Whether to accept the disks that are mounted now. */
  readonly acceptsMounts: boolean;
  /** Whether to list the drive again, as if its events were lost. */
  readonly isFull: boolean;
}

/** Builds the parts of a sync, and creates the directories of a new pair. The caller closes the state.
 * @throws UsageError; HoldallError; Error with a sentence for the user
 */
export async function openPair(
  options: PairOptions,
  report: SyncReport,
  context: DriveContext,
): Promise<SyncParts> {
  const { direction, isDryRun } = options;
  const { signal, env } = context;
  // A unique id for each run, by which it recognizes the events of its own changes.
  const clientId = `holdall-sync-${randomUUID()}`;
  const paths = await DrivePaths.open(context, clientId);
  const { holdall, drive: shared, path: remoteRoot } = await paths.find(options.remote);
  const driveId = shared?.id;
  const login = await context.login.read();
  const url = login?.url ?? '';
  // Without a login file the username is unknown, but the app password identifies the account.
  const account =
    login?.username ||
    createHash('sha256')
      .update(login?.password ?? '')
      .digest('hex');
  if (!existsSync(options.local)) {
    const localRoot = resolveMissing(options.local);
    const stateFile = findStateFile(env, { url, account, driveId, localRoot, remoteRoot });
    if (!direction.isTwoWay || existsSync(stateFile)) throw new Error(`${options.local} does not exist.`);
    if (isDryRun) throw new Error(`${options.local} does not exist. The sync would create it.`);
    mkdirSync(options.local, { recursive: true });
  }
  if (!statSync(options.local).isDirectory()) throw new UsageError(`${options.local} is not a directory.`);
  const localRoot = realpathSync(options.local);
  const stateFile = findStateFile(env, { url, account, driveId, localRoot, remoteRoot });
  const state = await SyncState.open(stateFile, { isDryRun });
  try {
    if (state.cursor === undefined && remoteRoot !== '/' && !isDryRun) {
      await makeRemoteRoot(holdall, remoteRoot, signal);
    }
    const local = new LocalTree(localRoot, {
      rules: readIgnoreRules(localRoot),
      known: state,
      reports: {
        onSkipped: (skipped) => report.skipped(skipped),
        onFailed: (failed, error) => report.failed(failed, error),
      },
    });
    const drive = shared && new PairDrive({ holdall: paths.personal, drive: shared, signal });
    const reader = new RemoteReader({ holdall, drive, clientId, state, remoteRoot, signal });
    if (options.isFull) await reader.listAgain();
    const unfinished = new UnfinishedUploads(env);
    await unfinished.deleteExpired(Date.now());
    const uploads = new ResumableUploads({ holdall, unfinished, url, driveId, signal });
    return {
      holdall,
      drive,
      state,
      local,
      reader,
      localActions: new LocalActions(local),
      remoteActions: new RemoteActions({ holdall, state, reader, uploads, signal }),
      direction,
      report,
      jobs: options.jobs,
      isDryRun,
      mayDeleteMany: options.mayDeleteMany,
      acceptsMounts: options.acceptsMounts,
      readRules: () => readIgnoreRules(localRoot),
      now: () => new Date(),
      signal,
    };
  } catch (error) {
    state.close();
    throw error;
  }
}

/**
 * Resolves the symbolic links of a path whose directory may be missing, for example because its disk is not
 * mounted.
 */
function resolveMissing(directory: string): string {
  const absolute = path.resolve(directory);
  const above = path.dirname(absolute);
  if (above === absolute || existsSync(absolute)) return realpathSync(absolute);
  return path.join(resolveMissing(above), path.basename(absolute));
}

async function makeRemoteRoot(
  holdall: SyncParts['holdall'],
  remoteRoot: string,
  signal: AbortSignal,
): Promise<void> {
  const found = await holdall.drive.find(remoteRoot, { signal });
  if (found?.directory === false) throw new UsageError(`${remoteRoot} is a file in the drive.`);
  if (found !== undefined) return;
  try {
    await holdall.drive.makeDirectory(remoteRoot, { signal });
  } catch (error) {
    // Another program has created it meanwhile.
    if (!(error instanceof ConflictError)) throw error;
  }
}

/** Reads the ignore file of a directory. @throws Error of the file system, unless there is none */
function readIgnoreRules(root: string): IgnoreRules {
  try {
    return IgnoreRules.parse(readFileSync(path.join(root, IGNORE_FILE), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return IgnoreRules.parse(undefined);
    throw error;
  }
}
