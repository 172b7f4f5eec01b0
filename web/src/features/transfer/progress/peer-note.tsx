import { Group, Stack, Text } from '@mantine/core';
import { IconLock, IconShieldCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { TransferState } from '../session/state/transfer-state.ts';
import classes from '../transfer.module.css';

export function EncryptedNote() {
  const { t } = useTranslation();
  return (
    <Group gap="xs" wrap="nowrap">
      <IconLock size={18} className={classes.icon} aria-hidden />
      <Text size="sm">{t('transfer.isEncrypted')}</Text>
    </Group>
  );
}

/** Explains how this transfer is protected: by the secret, or by words that both people can compare. */
export function PeerNote({ state: { secret, words, phase } }: { readonly state: TransferState }) {
  const { t } = useTranslation();
  if (secret !== undefined) return <EncryptedNote />;
  if (words === undefined || (phase !== 'running' && phase !== 'done')) return null;
  return (
    <Stack gap={4}>
      <Group gap="xs" wrap="nowrap">
        <IconShieldCheck size={18} className={classes.icon} aria-hidden />
        <Text size="sm">{t('transfer.words')}</Text>
      </Group>
      <Text component="p" m={0} className={classes.words} translate="no" lang="en">
        {words.join(' ')}
      </Text>
      <Text size="sm" c="dimmed">
        {t('transfer.wordsHint')}
      </Text>
    </Stack>
  );
}
