import type { Migration } from '../migration.ts';

/* How the last run of each maintenance job, of the backup and of the doctor ended, for administrators. */
export const jobRuns: Migration = {
  name: '0047-job-runs',
  statements: ({ integer, text }) => [
    `create table job_run (
      name ${text} primary key,
      ended_at ${integer} not null,
      duration_ms ${integer} not null,
      succeeded_at ${integer},
      failures ${integer} not null,
      error ${text}
    )`,
  ],
};
