// Decides which test files share a process. Loading the service takes longer than the tests of a small file.
import type { TestJob } from './plan.ts';
import { MAX_RUNNING_TASKS } from './queue.ts';

/** Files that take longer gain little from sharing a process. */
const MAX_SHARING_SECONDS = 40;
const MAX_BATCH_SECONDS = 80;
/** Shorter batches are not worth it, because starting a process would cost more than they gain. */
const MIN_BATCH_SECONDS = 15;
/** A batch takes at most this share of a core's remaining work, so that all cores end at the same time. */
const SHARE_OF_REST = 1 / 3;

/** Since this version, Node waits for the tests of all files in a shared process. */
const MIN_NODE_MAJOR = 24;

/**
 * Groups the jobs. Each group runs in one process, and its jobs have the same engine and needs. The groups
 * become smaller towards the end, so that the last ones can even out wrong estimates.
 *
 * @param expect returns the expected seconds of a job
 */
export function batchJobs(
  jobs: readonly TestJob[],
  expect: (job: TestJob) => number,
  nodeVersion = process.versions.node,
): TestJob[][] {
  if (Number.parseInt(nodeVersion, 10) < MIN_NODE_MAJOR) return jobs.map((job) => [job]);
  const batches: TestJob[][] = [];
  const open = new Map<string, { readonly jobs: TestJob[]; readonly maxSeconds: number; seconds: number }>();
  const expected = jobs.map((job) => ({ job, seconds: expect(job) }));
  let rest = expected.reduce((sum, { seconds }) => sum + seconds, 0);
  for (const { job, seconds } of expected.toSorted((one, other) => other.seconds - one.seconds)) {
    const key = JSON.stringify([job.engine, job.needs]);
    const batch = open.get(key);
    if (!canShare(job) || seconds > MAX_SHARING_SECONDS) {
      batches.push([job]);
    } else if (batch !== undefined && batch.seconds + seconds <= batch.maxSeconds) {
      batch.jobs.push(job);
      batch.seconds += seconds;
    } else {
      const share = (rest / MAX_RUNNING_TASKS) * SHARE_OF_REST;
      const maxSeconds = Math.min(MAX_BATCH_SECONDS, Math.max(MIN_BATCH_SECONDS, share));
      const started = { jobs: [job], seconds, maxSeconds };
      batches.push(started.jobs);
      open.set(key, started);
    }
    rest -= seconds;
  }
  return batches;
}

function canShare({ needs }: TestJob): boolean {
  return !needs.includes('process');
}
