import { useTranslation } from 'react-i18next';
import { findKnown, TASK_STATUSES } from './choices.ts';
import { Mark } from './mark.tsx';

const TONES = {
  QUEUED: 'plain',
  RUNNING: 'busy',
  COMPLETED: 'good',
  FAILED: 'bad',
  CANCELLED: 'plain',
} as const;

export function TaskStatus({ status }: { status: string }) {
  const { t } = useTranslation();
  const known = findKnown(TASK_STATUSES, status);
  if (known === undefined) return <Mark tone="plain" text={status} />;
  return <Mark tone={TONES[known]} text={t(`admin.tasks.statuses.${known}`)} />;
}

/** Whether the task continues without user action. */
export function isLive({ status }: { readonly status: string }): boolean {
  return status === 'QUEUED' || status === 'RUNNING';
}
