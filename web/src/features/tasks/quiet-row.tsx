import { Text, ThemeIcon } from '@mantine/core';
import { IconPhotoSearch } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { formatTime } from '../../messages/formats.ts';
import type { TaskView } from './task-view.ts';
import classes from './tasks.module.css';

/** Several tasks that the service created automatically, in one row. */
export function QuietRow({ tasks }: { tasks: readonly TaskView[] }) {
  const { t } = useTranslation();
  const latest = tasks[0]?.finishedAt;
  const words = [t('tasks.quietWhy'), ...(latest === undefined ? [] : [formatTime(latest)])];
  return (
    <li className={classes.row}>
      <ThemeIcon variant="light" size={40} radius="md" color="gray">
        <IconPhotoSearch size={22} aria-hidden />
      </ThemeIcon>
      <div className={classes.words}>
        <Text className={classes.title}>{t('tasks.quiet', { count: tasks.length })}</Text>
        <Text size="sm" c="dimmed">
          {words.join(' · ')}
        </Text>
      </div>
    </li>
  );
}
