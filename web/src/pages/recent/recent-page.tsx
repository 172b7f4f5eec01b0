import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RecentRecord } from '../../../../client/src/client.ts';
import { queryOf } from '../../api/ask.ts';
import { KEYS } from '../../api/keys.ts';
import { EntryList } from '../../features/drive/entry-list.tsx';
import { useDrive } from '../../features/drives/use-drive.ts';
import { Page } from '../../ui/page/page.tsx';
import { PageTitle } from '../../ui/page/page-title.tsx';
import { EmptyNotice } from '../../ui/placeholders/empty-notice.tsx';
import { FailureNotice } from '../../ui/placeholders/failure-notice.tsx';
import { ToFiles } from '../../ui/placeholders/to-files.tsx';
import { useIsLow, useIsNarrow } from '../../ui/screen-size.ts';
import { RecentRows, type ShownGroup } from './recent-rows.tsx';
import { groupUploads } from './upload-groups.ts';

/** The number of files. Older ones can be found with the search. */
const SIZE = 100;

/** The most recently changed files from all directories. */
export function RecentPage() {
  const { t } = useTranslation();
  const { id: drive, key } = useDrive();
  const { data, error, isPending, refetch } = useQuery(
    queryOf(KEYS.recent(key), 'GET /api/files/recent', { query: { size: SIZE }, drive }),
  );
  const title = <PageTitle>{t('nav.recent')}</PageTitle>;
  // If there is little height, the title is in the toolbar.
  const isInToolbar = useIsLow() && data !== undefined && data.length > 0;
  return (
    <Page title={!isInToolbar && title} isFilling>
      {error !== null && data === undefined && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {isPending && (
        <Stack gap="xs">
          {[1, 2, 3, 4].map((row) => (
            <Skeleton key={row} h={44} />
          ))}
        </Stack>
      )}
      {data?.length === 0 && (
        <EmptyNotice drawing="clock" title={t('recent.empty')} action={<ToFiles />}>
          {t('recent.emptyHint')}
        </EmptyNotice>
      )}
      {data !== undefined && data.length > 0 && (
        <RecentList entries={data} heading={isInToolbar ? title : undefined} />
      )}
    </Page>
  );
}

/** Groups up to this size are shown completely. */
const MAX_SHOWN = 4;
/** How many files of a longer group are shown. */
const SHOWN_FIRST = 3;

interface RecentListProps {
  readonly entries: readonly RecentRecord[];
  readonly heading: ReactNode;
}

function RecentList({ entries, heading }: RecentListProps) {
  const { t } = useTranslation();
  const isNarrow = useIsNarrow();
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const groups = useMemo(
    () =>
      groupUploads(entries).map((group): ShownGroup => {
        const isLong = group.entries.length > MAX_SHOWN;
        const isShort = isLong && !group.entries.some(({ id }) => open.has(id));
        return { ...group, isLong, shownCount: isShort ? SHOWN_FIRST : group.entries.length };
      }),
    [entries, open],
  );
  const [shown, folded] = useMemo(
    () => [
      groups.flatMap(({ entries: all, shownCount }) => all.slice(0, shownCount)),
      groups.flatMap(({ entries: all, shownCount }) => all.slice(shownCount)),
    ],
    [groups],
  );
  const toggle = ({ entries: all }: ShownGroup) =>
    setOpen((before) => {
      const ids = all.map(({ id }) => id);
      const others = [...before].filter((id) => !ids.includes(id));
      // A single file id identifies the group, because the group may grow or shrink.
      return new Set(others.length === before.size ? [...others, ...ids.slice(0, 1)] : others);
    });
  return (
    <EntryList
      entries={shown}
      folded={folded}
      label={t('recent.title')}
      showPath
      time="updatedAt"
      heading={heading}
      renderGrid={(props) => <RecentRows {...props} groups={groups} isNarrow={isNarrow} onToggle={toggle} />}
    />
  );
}
