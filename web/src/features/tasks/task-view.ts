import type { TaskRecord } from '../../../../client/src/client.ts';
import { parentOf } from '../../common/names/drive-paths.ts';

export type TaskKind = 'ARCHIVE' | 'EXTRACT' | 'MEDIA_META' | 'STORAGE_POLICY_MIGRATION' | 'OTHER';
export type TaskState = 'waiting' | 'retrying' | 'running' | 'done' | 'failed' | 'cancelled';
type FailureReason = (typeof REASONS)[number] | 'OTHER';

const KINDS = ['ARCHIVE', 'EXTRACT', 'MEDIA_META', 'STORAGE_POLICY_MIGRATION'] as const;
const REASONS = [
  'TRANSIENT_INFRASTRUCTURE',
  'RATE_LIMITED',
  'UNSUPPORTED_INPUT',
  'DATA_STATE',
  'UNKNOWN',
] as const;

const STATES: Readonly<Record<string, TaskState>> = {
  RUNNING: 'running',
  COMPLETED: 'done',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
};

/** A task, prepared for display. */
export interface TaskView {
  readonly id: number;
  /** Who created it; null if no one did, or if the account no longer exists. */
  readonly userId: number | null;
  readonly kind: TaskKind;
  readonly state: TaskState;
  /** The name of its file; undefined if it has none. */
  readonly name: string | undefined;
  readonly fileId: number | undefined;
  /** The new folder that an extraction creates; undefined if it creates none. */
  readonly folder: string | undefined;
  /** The directory of the file when the task was created. The result is stored there. */
  readonly place: string | undefined;
  /** The name of the archive that the task creates; undefined for other tasks. */
  readonly archive: string | undefined;
  /** Progress from 0 to 100; undefined if the task reports none. */
  readonly percent: number | undefined;
  /** Processed and total files, if the task counts them. */
  readonly files: { readonly done: number; readonly all: number } | undefined;
  /** Names that an extraction changed or left out, and files that it replaced. */
  readonly differences: { readonly renamed: number; readonly leftOut: number; readonly replaced: number };
  /** Examples of these names. */
  readonly examples: readonly { readonly name: string; readonly newName: string | undefined }[];
  readonly reason: FailureReason | undefined;
  /** The service's message about the failure of this or the previous attempt. */
  readonly failureMessage: string | undefined;
  /** When the task will be retried automatically. */
  readonly nextAt: string | undefined;
  /** Whether the service created the task automatically. */
  readonly isAutomatic: boolean;
  readonly createdAt: string;
  readonly finishedAt: string | undefined;
}

export function viewOf(task: TaskRecord): TaskView {
  const state = task.publicStateJson;
  const path = textOf(state.path);
  const done = numberOf(state.processedFileCount);
  const all = numberOf(state.totalFileCount);
  return {
    id: task.id,
    userId: task.userId,
    kind: KINDS.find((kind) => kind === task.type) ?? 'OTHER',
    state: STATES[task.status] ?? (state.retryScheduled === true ? 'retrying' : 'waiting'),
    name: textOf(state.filename),
    fileId: numberOf(state.fileId),
    folder: textOf(state.folder),
    archive: archiveOf(task),
    place: path === undefined ? undefined : parentOf(path),
    percent: numberOf(state.progressPercent),
    files: done === undefined || all === undefined ? undefined : { done, all },
    differences: {
      renamed: numberOf(state.renamedCount) ?? 0,
      leftOut: numberOf(state.leftOutCount) ?? 0,
      replaced: numberOf(state.replacedCount) ?? 0,
    },
    examples: [...namesOf(state.leftOut), ...namesOf(state.renamed)].slice(0, MAX_EXAMPLES),
    reason:
      task.failureCategory === null
        ? undefined
        : (REASONS.find((reason) => reason === task.failureCategory) ?? 'OTHER'),
    failureMessage: task.errorMessage ?? textOf(state.lastFailureMessage),
    nextAt: textOf(state.nextRetryAt),
    isAutomatic: task.correlationId?.startsWith('media-meta:auto:') ?? false,
    createdAt: task.createdAt,
    finishedAt: task.finishedAt ?? undefined,
  };
}

/** Whether the task will continue without the user. */
export function isGoing({ state }: Pick<TaskView, 'state'>): boolean {
  return state === 'waiting' || state === 'retrying' || state === 'running';
}

/** Consecutive automatic tasks share a row. All other tasks have their own. */
export type TaskRow = { readonly task: TaskView } | { readonly quiet: readonly TaskView[] };

/** Groups tasks into rows. Automatic tasks, even those of unsupported files, do not get a row each. */
export function toRows(tasks: readonly TaskView[]): readonly TaskRow[] {
  const rows: TaskRow[] = [];
  let quiet: TaskView[] = [];
  for (const task of tasks) {
    if (!isQuiet(task)) {
      quiet = [];
      rows.push({ task });
      continue;
    }
    if (quiet.length === 0) rows.push({ quiet });
    quiet.push(task);
  }
  return rows;
}

function isQuiet({ isAutomatic, state, reason }: TaskView): boolean {
  return isAutomatic && (state === 'done' || (state === 'failed' && reason === 'UNSUPPORTED_INPUT'));
}

const MAX_EXAMPLES = 5;

function namesOf(list: unknown): TaskView['examples'] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((one: unknown) => {
    if (typeof one !== 'object' || one === null || !('name' in one)) return [];
    const name = textOf(one.name);
    return name === undefined ? [] : [{ name, newName: 'newName' in one ? textOf(one.newName) : undefined }];
  });
}

/** The archive of a single entry is named after it. Other archives are named by the request. */
function archiveOf({ type, publicStateJson: state }: TaskRecord): string | undefined {
  const name = textOf(state.filename);
  if (type !== 'ARCHIVE' || name === undefined) return undefined;
  return numberOf(state.fileId) === undefined ? name : `${name}.zip`;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
