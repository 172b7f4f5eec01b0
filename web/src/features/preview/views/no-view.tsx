import { Button, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../api/contract.ts';
import { formatBytes, formatTime } from '../../../messages/formats.ts';
import { EntryIcon } from '../../entries/entry-icon.tsx';
import classes from '../preview.module.css';

/** In the place of what a browser cannot show: what it is, and a way to have it. */
export function NoView({ entry, onSave }: { entry: EntryRecord; onSave: () => void }) {
  const { t } = useTranslation();
  return (
    <Stack align="center" justify="center" gap="xs" className={classes.card}>
      <EntryIcon entry={entry} size={72} />
      <Text fw={600} ta="center" className={classes.long}>
        {entry.filename}
      </Text>
      <Text size="sm" ta="center" className={classes.quiet}>
        {[formatBytes(entry.size), entry.contentType, formatTime(entry.updatedAt)]
          .filter(Boolean)
          .join(' · ')}
      </Text>
      <Text size="sm" ta="center">
        {t('preview.cannotShow')}
      </Text>
      <Button mt="sm" leftSection={<IconDownload size={18} aria-hidden />} onClick={onSave}>
        {t('preview.download')}
      </Button>
    </Stack>
  );
}
