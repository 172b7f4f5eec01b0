// A Holdall process whose ARCHIVE tasks never end, for tests that kill it during a task.
import { createApp } from '../../../src/app/app.ts';
import { readConfig } from '../../../src/config/config.ts';
import type { Job } from '../../../src/tasks/engine/job.ts';

const hanging: Job = {
  type: 'ARCHIVE',
  phase: 'archiving',
  run: async (attempt) => {
    attempt.report({ processedFileCount: 1 });
    await new Promise(() => {});
  },
};

const app = await createApp(readConfig(process.env), { jobs: [hanging] });
process.stdout.write(`listening on ${await app.listen()}\n`);
