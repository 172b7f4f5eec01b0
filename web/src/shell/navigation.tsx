import { AppShell, NavLink, Progress, Stack, Text } from '@mantine/core';
import { IconFolder } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useUser } from '../api/use-session.ts';
import { formatBytes } from '../messages/formats.ts';

/** Where one can go. */
export function Navigation({ onChosen }: { onChosen: () => void }) {
  const { t } = useTranslation();
  return (
    <>
      <AppShell.Section grow component="nav" aria-label={t('nav.open')}>
        <NavLink
          renderRoot={(props) => <Link to="/drive/$" params={{ _splat: '' }} {...props} />}
          onClick={onChosen}
          label={t('nav.drive')}
          leftSection={<IconFolder size={18} aria-hidden />}
        />
      </AppShell.Section>
      <AppShell.Section>
        <StorageMeter />
      </AppShell.Section>
    </>
  );
}

function StorageMeter() {
  const { t } = useTranslation();
  const { storageUsedBytes, storageQuotaBytes } = useUser();
  const text = t('storage.used', {
    used: formatBytes(storageUsedBytes),
    quota: formatBytes(storageQuotaBytes),
  });
  return (
    <Stack gap={4} p="xs">
      <Progress value={(100 * storageUsedBytes) / storageQuotaBytes} aria-label={text} />
      <Text size="xs" c="dimmed">
        {text}
      </Text>
    </Stack>
  );
}
