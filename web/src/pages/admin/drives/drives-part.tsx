import { Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminDrive } from '../../../../../client/src/client.ts';
import { formatNumber, formatTime } from '../../../messages/formats.ts';
import { ChoiceFilter } from '../list/choice-filter.tsx';
import { type Column, RowName } from '../list/columns.tsx';
import { FilterBar } from '../list/filter-bar.tsx';
import { PagedList } from '../list/paged-list.tsx';
import { TextFilter } from '../list/text-filter.tsx';
import { usePage } from '../list/use-page.ts';
import { DRIVE_KINDS } from '../pieces/choices.ts';
import { QuotaMeter } from '../pieces/quota-meter.tsx';
import { type DriveAct, DriveDialog } from './dialogs/drive-dialog.tsx';
import { nameOf } from './drive-dialog-props.ts';
import { DriveMenu } from './drive-menu.tsx';
import { DriveState } from './drive-state.tsx';

const FILTERS = ['query', 'kind', 'deleted'];

/** All personal and shared drives. None of their content is shown here. */
export function DrivesPart() {
  const { t } = useTranslation();
  const query = usePage('drives', FILTERS);
  const [open, setOpen] = useState<{ act: DriveAct; drive: AdminDrive }>();
  const columns: Column<AdminDrive>[] = [
    {
      key: 'drive',
      title: t('admin.drives.drive'),
      cell: (drive) => (
        <RowName
          name={nameOf(drive)}
          hint={t(`admin.drives.kinds.${drive.kind}`)}
          onOpen={() => setOpen({ act: 'details', drive })}
        />
      ),
    },
    {
      key: 'state',
      title: t('admin.drives.state'),
      cell: (drive) => (
        <Group gap={4}>
          <DriveState drive={drive} />
        </Group>
      ),
    },
    { key: 'storage', title: t('admin.users.storage'), cell: (drive) => <QuotaMeter {...drive} /> },
    { key: 'created', title: t('admin.created'), cell: ({ createdAt }) => formatTime(createdAt) },
    {
      key: 'members',
      title: t('admin.drives.members'),
      cell: ({ memberCount }) => formatNumber(memberCount),
      isNumber: true,
    },
  ];
  return (
    <Stack gap="xs">
      <FilterBar>
        <TextFilter name="query" label={t('admin.drives.search')} hint={t('admin.drives.searchHint')} />
        <ChoiceFilter
          name="kind"
          label={t('admin.drives.kind')}
          choices={DRIVE_KINDS.map((value) => ({ value, label: t(`admin.drives.kinds.${value}`) }))}
        />
        <ChoiceFilter
          name="deleted"
          label={t('admin.drives.state')}
          choices={[
            { value: 'false', label: t('admin.drives.states.live') },
            { value: 'true', label: t('admin.drives.states.deleted') },
          ]}
        />
      </FilterBar>
      <PagedList
        query={query}
        filters={FILTERS}
        title={t('admin.parts.drives')}
        columns={columns}
        acts={(drive) => <DriveMenu drive={drive} onAct={(act) => setOpen({ act, drive })} />}
        empty={{ drawing: 'people', title: t('admin.drives.none') }}
      />
      {open && <DriveDialog act={open.act} drive={open.drive} onClose={() => setOpen(undefined)} />}
    </Stack>
  );
}
