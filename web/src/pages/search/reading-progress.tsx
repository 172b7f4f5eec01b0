import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../api/ask.ts';
import { KEYS } from '../../api/keys.ts';
import { useUser } from '../../api/use-session.ts';
import { formatNumber } from '../../messages/formats.ts';
import classes from './search-page.module.css';

const REFRESH_MS = 60_000;

/** Tells administrators how many files can’t be found by their content yet. */
export function ReadingProgress() {
  const { t } = useTranslation();
  const { role } = useUser();
  // A failure is not reported: the search itself works.
  const { data } = useQuery({
    ...queryOf(KEYS.admin('content-search'), 'GET /api/admin/content-search'),
    enabled: role !== 'USER',
    refetchInterval: ({ state }) => (state.data?.waiting ? REFRESH_MS : false),
  });
  const count = data?.isOn === true ? data.waiting : 0;
  if (count === 0) return null;
  return (
    <Text size="sm" c="dimmed" className={classes.progress}>
      {t('search.reading', { count, number: formatNumber(count) })}
    </Text>
  );
}
