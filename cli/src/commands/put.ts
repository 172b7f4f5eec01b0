import { stat } from 'node:fs/promises';
import { type DriveCommand, type DriveContext, UsageError } from '../drive-command.ts';
import { DrivePaths } from '../drive-paths.ts';
import { CONFLICT_RULES, DEFAULT_JOBS, JOBS, ON_CONFLICT } from '../files/conflicts.ts';
import { forEachConcurrently } from '../files/for-each-concurrently.ts';
import { type WalkReports, walkLocal } from '../files/local-files.ts';
import { ResumableUploads } from '../files/resumable-uploads.ts';
import { UnfinishedUploads } from '../files/unfinished-uploads.ts';
import { type PlannedFile, Uploader } from '../files/uploader.ts';
import { joinRemote } from '../remote-path.ts';
import { TransferProgress } from '../terminal/transfer-progress.ts';

export const put: DriveCommand = {
  name: 'put',
  takes: 'LOCAL... [PATH]',
  does: 'upload files and directories into the drive; run again to resume an interrupted upload',
  options: {
    'on-conflict': ON_CONFLICT,
    jobs: JOBS,
    json: { type: 'boolean', does: 'print one JSON object per uploaded file' },
  },
  async run(args, values, context) {
    const { locals, remote } = await splitArgs(args);
    const rule = values.oneOf('on-conflict', CONFLICT_RULES) ?? 'fail';
    const jobs = values.count('jobs') ?? DEFAULT_JOBS;
    const { holdall, drive, path: directory } = await DrivePaths.findOne(context, remote);
    const unfinished = new UnfinishedUploads(context.env);
    await unfinished.deleteExpired(Date.now());
    const progress = new TransferProgress(context.terminal);
    const url = (await context.login.read())?.url ?? '';
    const uploads = new ResumableUploads({
      ...{ holdall, unfinished, url, driveId: drive?.id, signal: context.signal },
    });
    const uploader = new Uploader({ holdall, context, rule, progress, uploads, isJson: values.is('json') });
    await forEachConcurrently(walkAll(locals, directory, uploader, context, progress), jobs, (file) =>
      uploader.upload(file),
    );
    context.terminal.note(progress.describe());
    progress.check('uploaded');
  },
};

/**
 * Yields the files. Creates each directory before it yields the files in it. Otherwise their uploads would
 * create the directory implicitly, and then it could not be created explicitly.
 */
async function* walkAll(
  locals: readonly string[],
  directory: string,
  uploader: Uploader,
  { terminal }: DriveContext,
  progress: TransferProgress,
): AsyncGenerator<PlannedFile, void, undefined> {
  const reports: WalkReports = {
    onSkipped: (skipped) => terminal.note(`${skipped}: skipped, because it is not a file.`),
    onFailed: (failed, error) => progress.addFailed(failed, error),
  };
  for (const start of locals) {
    for await (const local of walkLocal(start, reports)) {
      const remotePath = joinRemote(directory, local.relativePath);
      if (local.isDirectory) await uploader.makeDirectory(local, remotePath);
      else yield { local, remotePath };
    }
  }
}

async function splitArgs(args: readonly string[]): Promise<{
  readonly locals: readonly string[];
  readonly remote: string;
}> {
  const [first, ...more] = args;
  if (first === undefined) throw new UsageError('Name at least one path to upload.');
  const last = more.pop() ?? '/';
  const found = await stat(last).catch(() => undefined);
  if (found?.isFile()) {
    throw new UsageError(
      `${last} is a file on this computer. Give a directory of the drive last, such as /.`,
    );
  }
  return { locals: [first, ...more], remote: last };
}
