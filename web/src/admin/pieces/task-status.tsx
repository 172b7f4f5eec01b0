import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { findKnown, TASK_STATUSES } from './choices.ts';

const COLOURS = {
  QUEUED: 'gray',
  RUNNING: 'blue',
  COMPLETED: 'green',
  FAILED: 'red',
  CANCELLED: 'gray',
} as const;

export function TaskStatus({ status }: { status: string }) {
  const { t } = useTranslation();
  const known = findKnown(TASK_STATUSES, status);
  return (
    <Badge variant="light" color={known === undefined ? 'gray' : COLOURS[known]}>
      {known === undefined ? status : t(`admin.tasks.statuses.${known}`)}
    </Badge>
  );
}

/** Whether it goes on by itself. */
export function isLive({ status }: { readonly status: string }): boolean {
  return status === 'QUEUED' || status === 'RUNNING';
}
