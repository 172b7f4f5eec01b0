import { type DriveCommand, PartFailed, UsageError } from '../drive-command.ts';
import { namesDrive } from '../drive-paths.ts';
import { DEFAULT_JOBS, JOBS } from '../files/conflicts.ts';
import { openPair } from '../sync/open-pair.ts';
import { SyncReport } from '../sync/report.ts';
import { PairSync } from '../sync/round/pair-sync.ts';
import { PairWatch } from '../sync/watch-pair.ts';

export const sync: DriveCommand = {
  name: 'sync',
  takes: 'LOCAL PATH',
  does: 'sync a local directory with one in the drive, one way or both ways',
  options: {
    'two-way': { type: 'boolean', does: "also apply the drive's changes and deletions to this computer" },
    delete: {
      type: 'boolean',
      does: "one way: also move what was deleted locally to the drive's bin",
    },
    watch: { type: 'boolean', short: 'w', does: 'keep running and sync every change' },
    'dry-run': { type: 'boolean', short: 'n', does: 'only print what would be done' },
    'allow-mass-deletion': {
      type: 'boolean',
      does: 'allow deleting although one side is empty or has lost more than half of its entries',
    },
    'accept-mounts': {
      type: 'boolean',
      does: 'accept changed mounts; what is missing does not count as deleted',
    },
    full: { type: 'boolean', does: "list the drive's whole directory instead of its changes" },
    jobs: JOBS,
    verbose: { type: 'boolean', short: 'v', does: 'report every action' },
    json: { type: 'boolean', does: 'report every action as JSON' },
  },
  async run([local, remote, ...more], values, context) {
    if (local === undefined || remote === undefined || more.length > 0) {
      throw new UsageError('Name a directory on this computer and one in the drive.');
    }
    if (namesDrive(local)) throw new UsageError('Name the directory on this computer first.');
    const isDryRun = values.is('dry-run');
    if (isDryRun && values.is('watch')) throw new UsageError('--watch does nothing with --dry-run.');
    const report = new SyncReport(context.terminal, {
      isVerbose: values.is('verbose'),
      isJson: values.is('json'),
      isDryRun,
    });
    const isTwoWay = values.is('two-way');
    const options = {
      local,
      remote,
      direction: { isTwoWay, mayDelete: isTwoWay || values.is('delete') },
      jobs: values.count('jobs') ?? DEFAULT_JOBS,
      isDryRun,
      mayDeleteMany: values.is('allow-mass-deletion'),
      acceptsMounts: values.is('accept-mounts'),
      isFull: values.is('full'),
    };
    const parts = await openPair(options, report, context);
    try {
      const pair = new PairSync(parts);
      const noteStatus = () => report.note(pair.describeHeldBack() ?? 'In sync.');
      if (values.is('watch')) await new PairWatch(parts, pair).run(noteStatus);
      else await pair.syncAll();
      if (!isDryRun) context.terminal.note(report.progress.describe());
      report.progress.check('synced');
      const heldBack = pair.describeHeldBack();
      if (heldBack !== undefined) throw new PartFailed(heldBack);
    } finally {
      parts.state.close();
    }
  },
};
