import type { Logger } from 'pino';
import { SECOND } from '../base/clock.ts';
import type { ContentSearch } from '../content-search/content-search.ts';
import type { JobRuns } from '../job-runs/job-runs.ts';
import type { Leases } from '../leases/leases.ts';
import { PeriodicCheck } from './periodic-check.ts';
import { TriggeredJob } from './triggered-job.ts';

/** How often each instance looks for files whose text was not taken. */
const CHECK_MS = 15 * SECOND;

/** What takes the texts of new files. One instance at a time takes them. */
export function buildIndexing(
  { contentSearch, leases, jobRuns }: { contentSearch: ContentSearch; leases: Leases; jobRuns: JobRuns },
  logger: Logger,
) {
  const { indexing, isOn } = contentSearch;
  const indexingJob = new TriggeredJob({
    name: 'index file contents',
    leases,
    runs: jobRuns,
    logger,
    work: async (signal) => {
      if (isOn) await indexing.run(signal);
    },
  });
  return {
    indexingJob,
    /** Runs on each instance while it listens. */
    indexingCheck: new PeriodicCheck({
      everyMs: CHECK_MS,
      check: async () => {
        if (isOn && (await indexing.hasWork())) indexingJob.trigger();
      },
      onFault: (error) => logger.error({ err: error }, 'new files could not be looked for; retrying'),
    }),
  };
}
