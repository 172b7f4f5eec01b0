import { isLargeTable } from '../../admin/lists/size-queries.ts';
import { DAY, MINUTE, SECOND } from '../../base/clock.ts';
import { CachedReading } from '../../base/metrics/cached-reading.ts';
import { type Metric, type Sample, single } from '../../base/metrics/metric.ts';
import { type JobRun, OPERATOR_RUNS } from '../../job-runs/job-runs.ts';
import type { Readiness } from '../../site/readiness.ts';
import { measureDiskSpace } from '../../storage/disk/file-system/free-space.ts';
import type { Parts } from '../parts.ts';
import { VERSION } from '../version.ts';
import type { Measurements } from './measurements.ts';
import { findDriveFigures, findTaskFigures } from './queries.ts';

/** Several collectors, and the metrics of one collection, share what was read. */
const READING = { maxAgeMs: 5 * SECOND, maxWaitMs: 3 * SECOND };
/** For readings that read one row per account and drive. */
const RARE_READING = { maxAgeMs: MINUTE, maxWaitMs: 3 * SECOND };

/**
 * The state of the service, for Prometheus. Collecting runs a few statements at most, waits seconds at most,
 * and leaves out values whose database or store cannot be reached.
 */
export function listServiceMetrics(
  parts: Parts,
  measurements: Measurements,
  readiness: Readiness,
): readonly Metric[] {
  return [
    // These come first: otherwise they would count the waiting statements of this collection.
    ...listLoadMetrics(parts),
    ...listBuildMetrics(parts, readiness),
    ...listTaskMetrics(parts),
    ...listJobMetrics(new CachedReading(() => parts.jobRuns.list(), READING)),
    ...listStorageMetrics(parts),
    toCounter('holdall_failed_logins_total', 'Logins with a wrong credential.', 'method', () =>
      measurements.failedLogins.list(),
    ),
    ...listMailMetrics(parts, measurements),
    ...listTextMetrics(parts),
    toCounter(
      'holdall_pushes_total',
      'Attempts of this instance to send a push message: sent, postponed after a fault, failed for good, or gone ' +
        'if the browser is no longer subscribed.',
      'outcome',
      () => measurements.pushes.list(),
    ),
    toCounter(
      'holdall_limit_refusals_total',
      'Requests and credentials that were rejected because there were too many.',
      'limit',
      () => measurements.limitRefusals.list(),
    ),
  ];
}

function listBuildMetrics({ config, database }: Parts, readiness: Readiness): readonly Metric[] {
  const labels = {
    version: VERSION,
    node: process.versions.node,
    database: database.engine.name,
    storage: config.s3 === undefined ? 'local' : 's3',
  };
  return [
    {
      name: 'holdall_info',
      help: 'Always 1; the labels say what runs.',
      type: 'gauge',
      labelNames: Object.keys(labels),
      read: () => [{ labels, value: 1 }],
    },
    {
      name: 'holdall_ready',
      help: 'Whether the database and the store work: 1 or 0.',
      type: 'gauge',
      labelNames: ['dependency'],
      read: async () =>
        (await readiness.inspect()).map(({ name, error }) => ({
          labels: { dependency: name.replace(/^The /, '') },
          value: error === undefined ? 1 : 0,
        })),
    },
  ];
}

function listLoadMetrics({ database, streams, thumbnails }: Parts): readonly Metric[] {
  return [
    {
      name: 'holdall_database_connections',
      help: 'Connections in use, and callers that wait for one. On SQLite: transactions that write.',
      type: 'gauge',
      labelNames: ['state'],
      read: () => {
        const { inUse, waiting } = database.engine.countLoad();
        return [
          { labels: { state: 'in_use' }, value: inUse },
          { labels: { state: 'waiting' }, value: waiting },
        ];
      },
    },
    toGauge('holdall_database_connections_max', 'The most connections in use at the same time.', () => {
      return database.engine.countLoad().max;
    }),
    toGauge('holdall_event_streams', 'Open event streams.', () => streams.count),
    toGauge('holdall_thumbnails_waiting', 'Pictures that wait to be decoded.', () => thumbnails.waitingCount),
  ];
}

function listTaskMetrics({ database, clock }: Parts): readonly Metric[] {
  const figures = new CachedReading(
    () => database.readBySize(isLargeTable('task'), (db) => findTaskFigures(db, clock.now() - DAY)),
    READING,
  );
  const toAge = (since: number | null) => (since === null ? 0 : Math.max(0, clock.now() - since) / SECOND);
  return [
    {
      name: 'holdall_tasks',
      help:
        'Background tasks of all instances, counted up to 10,000: queued, running, and failed of those that ' +
        'ended last, within a day.',
      type: 'gauge',
      labelNames: ['status'],
      read: async () => {
        const read = await figures.get();
        if (read === undefined) return [];
        const { queued, running, failed } = read;
        return Object.entries({ queued, running, failed }).map(([status, value]) => ({
          labels: { status },
          value,
        }));
      },
    },
    {
      name: 'holdall_task_oldest_age_seconds',
      help: 'How long the oldest task has been queued since it could begin, or has been running; 0 if there is none.',
      type: 'gauge',
      labelNames: ['status'],
      read: async () => {
        const read = await figures.get();
        if (read === undefined) return [];
        return [
          { labels: { status: 'queued' }, value: toAge(read.queuedSince) },
          { labels: { status: 'running' }, value: toAge(read.runningSince) },
        ];
      },
    },
  ];
}

function listStorageMetrics({ config, database, blobTotal }: Parts): readonly Metric[] {
  const total = new CachedReading(() => blobTotal.find(), READING);
  const drives = new CachedReading(
    () => database.readBySize(isLargeTable('drive'), findDriveFigures),
    RARE_READING,
  );
  const disk = new CachedReading(() => measureDiskSpace(config.dataDir), READING);
  return [
    toGauge('holdall_stored_bytes', 'Bytes of all stored objects.', async () => (await total.get())?.bytes),
    toGauge('holdall_stored_objects', 'Stored objects.', async () => (await total.get())?.objects),
    toGauge('holdall_disk_available_bytes', 'Bytes of the data directory that can be used.', async () => {
      return (await disk.get())?.availableBytes;
    }),
    toGauge('holdall_disk_size_bytes', 'The size of the disk of the data directory.', async () => {
      return (await disk.get())?.totalBytes;
    }),
    toGauge('holdall_disk_min_free_bytes', 'Below this, uploads to the disk are refused.', () => {
      return config.s3 === undefined ? config.minFreeDiskBytes : 0;
    }),
    toGauge('holdall_accounts', 'Accounts.', async () => (await drives.get())?.accounts),
    toGauge('holdall_shared_drives', 'Shared drives, without deleted ones.', async () => {
      return (await drives.get())?.sharedDrives;
    }),
    toGauge('holdall_used_bytes', 'Bytes that count against the quotas of all drives.', async () => {
      return (await drives.get())?.usedBytes;
    }),
    toGauge('holdall_quota_bytes', 'The quotas of all drives together.', async () => {
      return (await drives.get())?.quotaBytes;
    }),
  ];
}

function listMailMetrics({ mail }: Parts, measurements: Measurements): readonly Metric[] {
  const waiting = new CachedReading(() => mail.countWaiting(), READING);
  return [
    toCounter(
      'holdall_mails_total',
      'Attempts of this instance to send a mail: sent, postponed after a fault, or failed for good.',
      'outcome',
      () => measurements.mails.list(),
    ),
    toGauge('holdall_mails_waiting', 'Mails of all instances that wait to be sent.', () => waiting.get()),
  ];
}

function listTextMetrics({ contentSearch }: Parts): readonly Metric[] {
  const figures = new CachedReading(() => contentSearch.describe(), RARE_READING);
  return [
    {
      name: 'holdall_texts',
      help:
        'Stored files for the search in content: waiting, indexed, without_text, or given_up after several ' +
        'attempts.',
      type: 'gauge',
      labelNames: ['state'],
      read: async () => {
        const read = await figures.get();
        if (read === undefined) return [];
        return [
          { labels: { state: 'waiting' }, value: read.waiting },
          { labels: { state: 'indexed' }, value: read.indexed },
          { labels: { state: 'without_text' }, value: read.withoutText },
          { labels: { state: 'given_up' }, value: read.givenUp },
        ];
      },
    },
    toGauge('holdall_text_bytes', 'Bytes of all texts for the search in content.', async () => {
      return (await figures.get())?.textBytes;
    }),
    toGauge(
      'holdall_texts_paused',
      '1 while no texts are taken because the disk is nearly full.',
      async () => {
        return (await contentSearch.isPaused()) ? 1 : 0;
      },
    ),
  ];
}

function toGauge(name: string, help: string, read: () => number | undefined | Promise<number | undefined>) {
  return single({ name, help, type: 'gauge' }, read);
}

function toCounter(
  name: string,
  help: string,
  label: string,
  list: () => readonly (readonly [string, number])[],
): Metric {
  const read = () => list().map(([text, value]): Sample => ({ labels: { [label]: text }, value }));
  return { name, help, type: 'counter', labelNames: [label], read };
}

/** The last runs of the backup, the doctor and the maintenance jobs. Jobs that never ran have no sample. */
function listJobMetrics(runs: CachedReading<readonly JobRun[]>): readonly Metric[] {
  const metric = (
    name: string,
    help: string,
    measure: (run: JobRun) => number | null,
    type: Metric['type'] = 'gauge',
  ): Metric => ({
    name: `holdall_${name}`,
    help,
    type,
    labelNames: ['name'],
    read: async () =>
      ((await runs.get()) ?? []).flatMap((run) => {
        const value = measure(run);
        return value === null ? [] : [{ labels: { name: run.name }, value }];
      }),
  });
  return [
    metric(
      'job_last_run_timestamp_seconds',
      `When a maintenance job last ended, or ${OPERATOR_RUNS.join(', ')}.`,
      ({ endedAt }) => endedAt / SECOND,
    ),
    metric(
      'job_last_success_timestamp_seconds',
      'When it last succeeded.',
      ({ succeededAt }) => succeededAt && succeededAt / SECOND,
    ),
    metric('job_last_result', 'Whether the last run succeeded: 1 or 0.', ({ error }) =>
      error === null ? 1 : 0,
    ),
    metric(
      'job_last_duration_seconds',
      'How long the last run took.',
      ({ durationMs }) => durationMs / SECOND,
    ),
    metric('job_failures_total', 'Runs that have failed.', ({ failures }) => failures, 'counter'),
  ];
}
