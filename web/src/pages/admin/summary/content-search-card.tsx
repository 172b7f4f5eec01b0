import { DataList, Paper, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';
import { formatBytes, formatNumber, formatTime } from '../../../messages/formats.ts';
import { FailureNotice } from '../../../ui/placeholders/failure-notice.tsx';
import { Mark } from '../pieces/mark.tsx';
import { CardRow } from './card-row.tsx';

const REFRESH_MS = 30_000;

/** Whether the content of files can be searched, and how much of it was read. */
export function ContentSearchCard() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    ...queryOf(KEYS.admin('content-search'), 'GET /api/admin/content-search'),
    refetchInterval: REFRESH_MS,
  });
  if (data === undefined) return error && <FailureNotice error={error} onRetry={() => void refetch()} />;
  const { isOn, isPaused, waiting, indexed, withoutText, givenUp, textBytes, lastError, lastErrorAt } = data;
  const title = t('admin.contentSearch.title');
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Title order={2} size="h5" mb="sm">
        {title}
      </Title>
      <DataList withDivider labelWidth="40%">
        <CardRow label={t('admin.contentSearch.state')}>
          <Mark tone={isOn ? 'good' : 'plain'} text={t(isOn ? 'admin.on' : 'admin.off')} />
          {!isOn && (
            <Text size="sm" c="dimmed" mt={4}>
              {t('admin.contentSearch.offHint')}
            </Text>
          )}
          {isPaused && (
            <Text size="sm" c="dimmed" mt={4}>
              {t('admin.contentSearch.pausedHint')}
            </Text>
          )}
        </CardRow>
        {isOn && (
          <>
            <CardRow label={t('admin.contentSearch.waiting')}>{formatNumber(waiting)}</CardRow>
            <CardRow label={t('admin.contentSearch.indexed')}>
              {t('admin.contentSearch.indexedSize', {
                number: formatNumber(indexed),
                size: formatBytes(textBytes),
              })}
            </CardRow>
            <CardRow label={t('admin.contentSearch.withoutText')}>{formatNumber(withoutText)}</CardRow>
            <CardRow label={t('admin.contentSearch.givenUp')}>{formatNumber(givenUp)}</CardRow>
            <CardRow label={t('admin.contentSearch.lastError')}>
              {lastError ?? t('admin.contentSearch.none')}
              {lastErrorAt !== null && (
                <Text size="sm" c="dimmed" mt={4}>
                  {formatTime(lastErrorAt)}
                </Text>
              )}
            </CardRow>
          </>
        )}
      </DataList>
    </Paper>
  );
}
