import { VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useRunningTasks } from '../features/tasks/use-running-tasks.ts';
import classes from './header.module.css';

/** A ring around the avatar with the number of running tasks. Nothing if none are running. */
export function RunningMark() {
  const { t } = useTranslation();
  const running = useRunningTasks();
  if (running === 0) return null;
  return (
    <span className={classes.running}>
      <span aria-hidden className={classes.runningCount}>
        {running}
      </span>
      <VisuallyHidden>{t('nav.running', { count: running })}</VisuallyHidden>
    </span>
  );
}
