import { cancelTask, listTasks } from '../../tasks/tasks.ts';
import type { NeedsByName } from '../example-case.ts';

/** Requests for background tasks. No worker runs them. */
export const TASK_NEEDS: NeedsByName = {
  // It is queued already.
  'POST /api/v2/tasks/{id}/retry': { repeated: [400] },
  'POST /api/v2/tasks/media-metadata': {
    // The upload of the picture has queued one.
    before: async ({ owner }) => {
      for (const task of (await listTasks(owner)).items) await cancelTask(owner, task);
    },
  },
};
