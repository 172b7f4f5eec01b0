// Decides which test files share a process. Loading the service takes longer than the tests of a small file.
import type { TestJob } from './plan.ts';

/** Files that take longer gain little. */
const MAX_SHARING_SECONDS = 40;
/** Short enough that the last batches keep all cores busy. */
const MAX_BATCH_SECONDS = 80;

/** Node waits for the tests of the files in a shared process since this version. */
const MIN_NODE_MAJOR = 24;

/**
 * Groups the jobs; each group runs in one process. All its jobs have the same engine and the same needs.
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
  const open = new Map<string, { readonly jobs: TestJob[]; seconds: number }>();
  for (const job of jobs) {
    const seconds = expect(job);
    if (!canShare(job) || seconds > MAX_SHARING_SECONDS) {
      batches.push([job]);
      continue;
    }
    const key = JSON.stringify([job.engine, job.needs]);
    const batch = open.get(key);
    if (batch !== undefined && batch.seconds + seconds <= MAX_BATCH_SECONDS) {
      batch.jobs.push(job);
      batch.seconds += seconds;
    } else {
      const started = { jobs: [job], seconds };
      batches.push(started.jobs);
      open.set(key, started);
    }
  }
  return batches;
}

function canShare({ needs }: TestJob): boolean {
  return !needs.includes('process');
}
