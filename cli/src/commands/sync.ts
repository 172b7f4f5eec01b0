import { type DriveCommand, UsageError } from '../drive-command.ts';
import { DEFAULT_JOBS, JOBS } from '../files/conflicts.ts';
import { toRemotePath } from '../remote-path.ts';
import { openPair } from '../sync/open-pair.ts';
import { SyncReport } from '../sync/report.ts';
import { PairSync } from '../sync/round/pair-sync.ts';
import { PairWatch } from '../sync/watch-pair.ts';

export const sync: DriveCommand = {
  name: 'sync',
  takes: 'LOCAL PATH',
  does: 'make a directory of the drive equal to one on this computer, or both equal to each other',
  options: {
    'two-way': { type: 'boolean', does: 'changes and deletions of the drive come to this computer, too' },
    delete: {
      type: 'boolean',
      does: 'one way: what was deleted on this computer goes to the bin of the drive',
    },
    watch: { type: 'boolean', short: 'w', does: 'go on with every change, until it is stopped' },
    'dry-run': { type: 'boolean', short: 'n', does: 'print what would be done' },
    'allow-mass-deletion': {
      type: 'boolean',
      does: 'go on although one side is empty, or has lost more than half of its entries',
    },
    'accept-mounts': {
      type: 'boolean',
      does: 'take the disks that are mounted for the right ones; what is missing does not count as deleted',
    },
    full: { type: 'boolean', does: 'list the whole directory of the drive, not only its changes' },
    jobs: JOBS,
    verbose: { type: 'boolean', short: 'v', does: 'name everything that is done' },
    json: { type: 'boolean', does: 'print one JSON object for everything that is done' },
  },
  async run([local, remote, ...more], values, context) {
    if (local === undefined || remote === undefined || more.length > 0) {
      throw new UsageError('Give a directory on this computer and one of the drive.');
    }
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
      remoteRoot: toRemotePath(remote),
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
      if (values.is('watch')) await new PairWatch(parts, pair).run(() => report.note('In sync.'));
      else await pair.syncAll();
    } finally {
      parts.state.close();
    }
    if (!isDryRun) context.terminal.note(report.progress.describe());
    report.progress.check('synced');
  },
};
