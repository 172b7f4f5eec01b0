import { SECOND } from '../../base/clock.ts';
import type { CachedReading } from '../../base/metrics/cached-reading.ts';
import type { Metric } from '../../base/metrics/metric.ts';
import { type JobRun, OPERATOR_RUNS } from '../../job-runs/job-runs.ts';

/** The last runs of the backup, the doctor and the maintenance jobs. What never ran has no sample. */
export function listJobMetrics(runs: CachedReading<readonly JobRun[]>): readonly Metric[] {
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
