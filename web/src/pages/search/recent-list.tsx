import { Button, Group, Stack, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUser } from '../../api/use-session.ts';
import { clearRecentSearches, readRecentSearches } from '../../features/search/recent-searches.ts';

/** The latest searches on this device, which can be repeated with a click. */
export function RecentList() {
  const { t } = useTranslation();
  const { id } = useUser();
  const { scope, in: target } = useSearch({ from: '/inside/in-drive/search' });
  const [texts, setTexts] = useState(() => readRecentSearches(id));
  if (texts.length === 0) return null;
  return (
    <Stack gap="xs" maw={600} mx="auto" w="100%">
      <Group justify="space-between">
        <Text component="h2" fw={600} size="sm">
          {t('search.recent')}
        </Text>
        <Button
          variant="subtle"
          size="compact-sm"
          mih="var(--tap-size)"
          onClick={() => {
            clearRecentSearches(id);
            setTexts([]);
          }}
        >
          {t('search.clearRecent')}
        </Button>
      </Group>
      <Group gap={6}>
        {texts.map((text) => (
          <Button
            key={text}
            variant="default"
            radius="xl"
            size="compact-md"
            mih="var(--tap-size)"
            px="sm"
            leftSection={<IconHistory size={16} aria-hidden />}
            renderRoot={(props) => <Link {...props} to="/search" search={{ q: text, scope, in: target }} />}
          >
            {text}
          </Button>
        ))}
      </Group>
    </Stack>
  );
}
