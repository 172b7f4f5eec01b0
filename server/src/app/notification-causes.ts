import { DiskWatch } from '../admin/service-faults/disk-watch.ts';
import { ServiceFaults } from '../admin/service-faults/service-faults.ts';
import { MINUTE } from '../base/clock.ts';
import type { ReceivedFiles } from '../folder-links/received-files.ts';
import type { JobRuns } from '../job-runs/job-runs.ts';
import type { Leases } from '../leases/leases.ts';
import type { Notifications } from '../notifications/notifications.ts';
import { storeSettingsOf } from './connections.ts';
import type { PartsContext } from './parts-context.ts';
import { PeriodicCheck } from './periodic-check.ts';
import { TriggeredJob } from './triggered-job.ts';

const RECEIVED_FILES_CHECK_MS = MINUTE;
const DISK_CHECK_MS = 5 * MINUTE;

/** What tells accounts something at a certain time, or because of the service itself. */
export function buildNotificationCauses(
  { config, database, clock, logger, overrides }: PartsContext,
  parts: { notifications: Notifications; receivedFiles: ReceivedFiles; leases: Leases; jobRuns: JobRuns },
) {
  const { notifications, receivedFiles, leases, jobRuns } = parts;
  const receivedFilesJob = new TriggeredJob({
    name: 'tell about received files',
    leases,
    runs: jobRuns,
    logger,
    work: (signal) => receivedFiles.tellDue(signal),
  });
  const serviceFaults = new ServiceFaults({ database, clock, notifications });
  jobRuns.onRecorded((tx, run) => serviceFaults.noteRun(tx, run));
  const diskWatch = new DiskWatch({
    faults: serviceFaults,
    directories: [config.dataDir, ...(config.s3 === undefined ? [storeSettingsOf(config).objectsDir] : [])],
    minBytes: config.minFreeDiskBytes,
    measure: overrides.measureDisk,
  });
  return {
    receivedFilesJob,
    diskWatch,
    serviceFaults,
    /** Run on each instance while it listens. */
    periodicChecks: [
      new PeriodicCheck({
        everyMs: RECEIVED_FILES_CHECK_MS,
        check: async () => {
          if (await receivedFiles.hasDue()) receivedFilesJob.trigger();
        },
        onFault: (error) => logger.error({ err: error }, 'received files could not be read; retrying'),
      }),
      new PeriodicCheck({
        everyMs: DISK_CHECK_MS,
        check: () => diskWatch.check(),
        onFault: (error) => logger.error({ err: error }, 'the disk could not be checked; retrying'),
      }),
    ],
  };
}
