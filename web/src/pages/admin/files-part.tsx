import { Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminFile } from '../../../../client/src/client.ts';
import { ask } from '../../api/ask.ts';
import { KEYS } from '../../api/keys.ts';
import { formatBytes, formatTime } from '../../messages/formats.ts';
import { type Column, ownerColumn, RowName } from './list/columns.tsx';
import { FilterBar } from './list/filter-bar.tsx';
import { PagedList } from './list/paged-list.tsx';
import { TextFilter } from './list/text-filter.tsx';
import { usePage } from './list/use-page.ts';
import { ActDialog } from './pieces/act-dialog.tsx';
import { ownerNameOf } from './pieces/owner-link.tsx';
import { DeleteItem, RowMenu } from './pieces/row-menu.tsx';

const FILTERS = ['query', 'ownerQuery'];

/** The files of all users. */
export function FilesPart() {
  const { t } = useTranslation();
  const query = usePage('files', FILTERS);
  const [doomed, setDoomed] = useState<AdminFile>();
  const columns: Column<AdminFile>[] = [
    {
      key: 'name',
      title: t('admin.files.name'),
      cell: ({ filename, path }) => <RowName name={filename} hint={path} />,
    },
    ownerColumn(t('admin.owner')),
    { key: 'type', title: t('admin.files.type'), cell: ({ contentType }) => contentType },
    { key: 'updated', title: t('admin.files.updated'), cell: ({ updatedAt }) => formatTime(updatedAt) },
    { key: 'size', title: t('admin.files.size'), cell: ({ size }) => formatBytes(size), isNumber: true },
  ];
  return (
    <Stack gap="xs">
      <FilterBar>
        <TextFilter name="query" label={t('admin.files.search')} />
        <TextFilter name="ownerQuery" label={t('admin.owner')} hint={t('admin.ownerHint')} />
      </FilterBar>
      <PagedList
        query={query}
        filters={FILTERS}
        title={t('admin.parts.files')}
        columns={columns}
        acts={(file) => (
          <RowMenu name={file.filename}>
            <DeleteItem text={t('admin.files.recycle')} onClick={() => setDoomed(file)} />
          </RowMenu>
        )}
        empty={{ drawing: 'folder', title: t('admin.files.none') }}
      />
      {doomed && <RecycleDialog file={doomed} onClose={() => setDoomed(undefined)} />}
    </Stack>
  );
}

function RecycleDialog({ file, onClose }: { file: AdminFile; onClose: () => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const names = { name: file.filename, owner: ownerNameOf(file) };
  return (
    <ActDialog
      title={t('admin.files.recycleTitle')}
      text={t(file.driveName === null ? 'admin.files.recycleText' : 'admin.files.recycleTextShared', names)}
      action={t('admin.files.recycle')}
      act={() => ask('DELETE /api/admin/files/{fileId}', { path: { fileId: file.id } })}
      done={t('admin.files.recycled', names)}
      onDone={() => {
        // The file may have been the admin's own.
        for (const queryKey of [KEYS.entries(), KEYS.bin(), KEYS.recent()]) {
          void queries.invalidateQueries({ queryKey });
        }
      }}
      onClose={onClose}
    />
  );
}
