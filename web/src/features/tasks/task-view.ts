import type { TaskRecord } from '../../api/contract.ts';
import { parentOf } from '../../common/drive-paths.ts';

export type TaskKind = 'ARCHIVE' | 'EXTRACT' | 'MEDIA_META' | 'STORAGE_POLICY_MIGRATION' | 'OTHER';
export type TaskState = 'waiting' | 'retrying' | 'running' | 'done' | 'failed' | 'cancelled';
export type FailureReason = (typeof REASONS)[number] | 'OTHER';

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

/** A task as a person sees it. */
export interface TaskView {
  readonly id: number;
  readonly kind: TaskKind;
  readonly state: TaskState;
  /** Of what it works on; undefined where it works on nothing with a name. */
  readonly name: string | undefined;
  /** The directory in which that lay when the task was made: the result comes beside it. */
  readonly place: string | undefined;
  /** How far it is, 0 to 100; undefined where it does not say. */
  readonly percent: number | undefined;
  /** Files done and in all, where it counts them. */
  readonly files: { readonly done: number; readonly all: number } | undefined;
  readonly reason: FailureReason | undefined;
  /** The service's own sentence on what went wrong, of this attempt or the one before. */
  readonly complaint: string | undefined;
  /** When it is tried again by itself. */
  readonly nextAt: string | undefined;
  /** Whether the service began it, and nobody asked for it. */
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
    kind: KINDS.find((kind) => kind === task.type) ?? 'OTHER',
    state: STATES[task.status] ?? (state.retryScheduled === true ? 'retrying' : 'waiting'),
    name: textOf(state.filename),
    place: path === undefined ? undefined : parentOf(path),
    percent: numberOf(state.progressPercent),
    files: done === undefined || all === undefined ? undefined : { done, all },
    reason:
      task.failureCategory === null
        ? undefined
        : (REASONS.find((reason) => reason === task.failureCategory) ?? 'OTHER'),
    complaint: task.errorMessage ?? textOf(state.lastFailureMessage),
    nextAt: textOf(state.nextRetryAt),
    isAutomatic: task.correlationId?.startsWith('media-meta:auto:') ?? false,
    createdAt: task.createdAt,
    finishedAt: task.finishedAt ?? undefined,
  };
}

/** Whether it will go on by itself. */
export function isGoing({ state }: Pick<TaskView, 'state'>): boolean {
  return state === 'waiting' || state === 'retrying' || state === 'running';
}

/** Tasks that follow each other and say the same, told as one; others alone. */
export type TaskRow = { readonly task: TaskView } | { readonly quiet: readonly TaskView[] };

/** What the service has looked at by itself is hardly worth a line each, nor is that there was nothing to be seen. */
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

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
