import { Table, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { EntryRecord, Page } from '../../../server/src/contract.ts';
import { ask } from '../api/ask.ts';
import { formatBytes, formatTime } from '../messages/formats.ts';
import { DropTarget } from '../uploads/drop-target.tsx';
import { UploadMenu } from '../uploads/upload-menu.tsx';

export function DrivePage() {
  const { t } = useTranslation();
  const { _splat = '' } = useParams({ from: '/inside/drive/$' });
  const path = `/${_splat}`;
  const { data } = useQuery({
    queryKey: ['entries', path],
    queryFn: ({ signal }) =>
      ask<Page<EntryRecord>>('GET', '/api/files/list', { query: { path, size: 1_000 }, signal }),
  });
  return (
    <DropTarget path={path}>
      <Title order={1} size="h3">
        {_splat === '' ? t('nav.drive') : _splat}
      </Title>
      <UploadMenu path={path} />
      <Table>
        <Table.Tbody>
          {data?.items.map((entry) => (
            <Table.Tr key={entry.id}>
              <Table.Td>{entry.filename}</Table.Td>
              <Table.Td>{formatBytes(entry.size)}</Table.Td>
              <Table.Td>{formatTime(entry.updatedAt)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </DropTarget>
  );
}
