import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';
import { notifyError } from '../../../ui/notifications/notify.ts';
import { useDrive } from '../../drives/use-drive.ts';
import { toLinkPage } from '../addresses.ts';
import { newestLinksQuery } from '../shared-ids.ts';
import { LinkCard } from './link-card.tsx';
import { OwnLinkRow } from './own-links.tsx';
import styles from './shares.module.css';

/** A link without options. Anyone with the link can copy the folder into their own drive. */
export function CopyFolderLink({ entry }: { entry: EntryRecord }) {
  const { t } = useTranslation();
  const { id: drive, can } = useDrive();
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: () => ask('POST /api/files/{fileId}/share-links', { path: { fileId: entry.id }, drive }),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEYS.shares() }),
    onError: notifyError,
  });
  const { data: own } = useQuery({
    ...newestLinksQuery(drive),
    select: ({ items }) => items.find(({ file }) => file.id === entry.id),
  });
  return (
    <Stack gap="lg">
      <Text size="sm" c="dimmed">
        {t('shares.folderIntro')}
      </Text>
      {own === undefined && can('EDIT') && (
        <Button size="md" loading={create.isPending} onClick={() => create.mutate()}>
          {t('folderLinks.createCopyLink')}
        </Button>
      )}
      {own !== undefined && (
        <>
          <LinkCard address={toLinkPage(own.token)} name={entry.filename} isNew />
          <ul className={styles.list}>
            <OwnLinkRow link={own} />
          </ul>
        </>
      )}
      <Alert color="blue" variant="light" icon={<IconInfoCircle aria-hidden />}>
        {t('shares.folderEnd')}
      </Alert>
    </Stack>
  );
}
