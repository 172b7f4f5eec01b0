import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconLinkOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OwnShareLink } from '../../../api/contract.ts';
import { formatNumber, formatTime } from '../../../messages/formats.ts';
import { CopyButton } from '../../../ui/buttons/copy-button.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { EntryBadge } from '../../entries/entry-icon.tsx';
import { toLinkPage } from '../addresses.ts';
import { newestLinksQuery } from '../shared-ids.ts';
import styles from './shares.module.css';
import { useStopSharing } from './use-stop-sharing.ts';

/** The links of the user to folders, which have no options. Nothing is shown if there are none. */
export function OwnLinks() {
  const { t } = useTranslation();
  const { data } = useQuery(newestLinksQuery());
  if (data === undefined || data.items.length === 0) return null;
  return (
    <section>
      <Title order={2} size="h5" mb="xs">
        {t('shares.folders')}
      </Title>
      <ul className={styles.list}>
        {data.items.map((link) => (
          <OwnLinkRow key={link.id} link={link} />
        ))}
      </ul>
    </section>
  );
}

/** One link, with its counts and the buttons that copy and end it. */
export function OwnLinkRow({ link }: { readonly link: OwnShareLink }) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const end = useStopSharing(`/api/v2/share-links/${link.id}`, () => setAsking(false));
  const { filename: name, viewCount, importCount, createdAt, file, token } = link;
  return (
    <Paper withBorder p="sm" component="li">
      <Group gap="sm" justify="space-between">
        <Group gap="sm" wrap="nowrap" flex="1 1 260px" miw={0}>
          <EntryBadge entry={file} />
          <Stack gap={4} miw={0}>
            <Text fw={600} truncate>
              {name}
            </Text>
            <Text size="sm" c="dimmed">
              {[
                t('shares.imports', { count: importCount, number: formatNumber(importCount) }),
                t('shares.views', { count: viewCount, number: formatNumber(viewCount) }),
                t('shares.since', { time: formatTime(createdAt) }),
              ].join(' · ')}
            </Text>
          </Stack>
        </Group>
        <Group gap="xs" wrap="nowrap">
          <CopyButton
            text={toLinkPage(token)}
            label={t('shares.copyLink')}
            describedAs={t('shares.copyLinkOf', { name })}
            variant="default"
            mih="var(--tap-size)"
          />
          <IconButton
            variant="default"
            size={40}
            label={t('shares.revokeOf', { name })}
            onClick={() => setAsking(true)}
          >
            <IconLinkOff size={20} aria-hidden />
          </IconButton>
        </Group>
      </Group>
      {isAsking && (
        <ConfirmDialog
          title={t('shares.revokeTitle', { name })}
          text={t('shares.revokeText')}
          action={t('shares.revoke')}
          isPending={end.isPending}
          onConfirm={() => end.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </Paper>
  );
}
