import type { QueryClient } from '@tanstack/react-query';
import { ask } from '../../api/ask.ts';
import type { DriveId } from '../../api/in-drive.ts';
import { KEYS } from '../../api/keys.ts';
import { parentOf } from '../../common/names/drive-paths.ts';
import { notifyError } from '../../ui/notifications/notify.ts';
import { watchTask } from '../entries/change/queued-tasks.ts';
import { RULES } from '../entries/conflicts/conflict-decisions.ts';
import { askAboutConflict } from '../entries/conflicts/conflict-questions.ts';
import type { TaskView } from './task-view.ts';

/** The sentence of the service about a taken name. */
const TAKEN = /^There is already something named "(.+)" here\.$/s;

/** The taken name on which an extraction failed; undefined for other tasks and other failures. */
export function takenNameOf({ kind, state, failureMessage }: TaskView): string | undefined {
  return kind === 'EXTRACT' && state === 'failed' ? TAKEN.exec(failureMessage ?? '')?.[1] : undefined;
}

/**
 * Asks what to do about taken names, and extracts the archive again. The answer applies to all its names.
 * Never throws.
 */
export async function extractAgain(
  queryClient: QueryClient,
  drive: DriveId,
  task: TaskView,
  name: string,
): Promise<void> {
  const { fileId } = task;
  if (fileId === undefined) return;
  try {
    const { path } = await ask('GET /api/v2/files/{fileId}', { path: { fileId }, drive });
    const directory = parentOf(path);
    const { decision } = await askAboutConflict({ name, drive, directory, isDirectory: false }, 'archive');
    if (decision === 'skip' || decision === 'merge') return;
    const body = { fileId, path, onConflict: RULES[decision], folder: task.folder };
    const { id } = await ask('POST /api/v2/tasks/extract', { body, drive });
    watchTask(id, drive);
  } catch (error) {
    notifyError(error);
  }
  await queryClient.invalidateQueries({ queryKey: KEYS.tasks() });
}
