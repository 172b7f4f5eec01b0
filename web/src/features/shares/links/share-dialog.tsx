import { Alert, Button, Modal, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconInfoCircle } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ask } from '../../../api/ask.ts';
import type { EntryRecord, ShareLink } from '../../../api/contract.ts';
import { KEYS } from '../../../api/keys.ts';
import { tellError } from '../../../ui/tell.ts';
import { toLinkPage } from '../addresses.ts';
import { newestLinksQuery } from '../shared-ids.ts';
import { LinkCard } from './link-card.tsx';
import { OwnLinkRow } from './own-links.tsx';
import { ShareFile } from './share-file.tsx';
import styles from './shares.module.css';

/** Shares a file or a folder: options, link and QR code. */
export function ShareDialog({
  entry,
  onClose,
}: {
  readonly entry: EntryRecord;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const isPhone = useMediaQuery('(max-width: 36em)');
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      fullScreen={isPhone}
      title={t('shares.shareTitle', { name: entry.filename })}
      closeButtonProps={{ 'aria-label': t('common.close'), size: 40 }}
    >
      {entry.directory ? <ShareFolder entry={entry} /> : <ShareFile entry={entry} />}
    </Modal>
  );
}

/** A folder has one link, without options: its holder copies the folder into their own drive. */
function ShareFolder({ entry }: { entry: EntryRecord }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: () => ask<ShareLink>('POST', `/api/files/${entry.id}/share-links`),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEYS.shares() }),
    onError: tellError,
  });
  const { data: own } = useQuery({
    ...newestLinksQuery(),
    select: ({ items }) => items.find(({ file }) => file.id === entry.id),
  });
  return (
    <Stack gap="lg">
      <Text size="sm" c="dimmed">
        {t('shares.folderIntro')}
      </Text>
      {own === undefined ? (
        <Button size="md" loading={create.isPending} onClick={() => create.mutate()} data-autofocus>
          {t('shares.create')}
        </Button>
      ) : (
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
