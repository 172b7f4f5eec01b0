import { List, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../../messages/formats.ts';
import type { Unreadable } from './unreadable.ts';
import classes from './unreadable-list.module.css';

/** Says how many files and folders are unreadable, and lists their names. */
export function UnreadableList({ unreadable: { count, paths } }: { readonly unreadable: Unreadable }) {
  const { t } = useTranslation();
  const left = count - paths.length;
  return (
    <>
      <Text size="sm" fw={600}>
        {t('uploads.unreadable', { count })}
      </Text>
      <Text size="sm">{t('uploads.unreadableHint')}</Text>
      <List className={classes.names} size="sm" tabIndex={0} aria-label={t('uploads.unreadableNames')}>
        {paths.map((path) => (
          <List.Item key={path}>{path}</List.Item>
        ))}
        {left > 0 && (
          <List.Item>{t('uploads.unreadableMore', { count: left, number: formatNumber(left) })}</List.Item>
        )}
      </List>
    </>
  );
}
