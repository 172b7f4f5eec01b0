import { cancelTask, listTasks } from '../../tasks/tasks.ts';
import type { NeedsByName } from '../example-case.ts';

/** Requests for background tasks. No worker runs them. */
export const TASK_NEEDS: NeedsByName = {
  // The task is already queued.
  'POST /api/v2/tasks/{id}/retry': { repeated: [400] },
  'POST /api/v2/tasks/media-metadata': {
    // Cancels the task that the upload of the picture has queued.
    before: async ({ owner }) => {
      for (const task of (await listTasks(owner)).items) await cancelTask(owner, task);
    },
  },
};
