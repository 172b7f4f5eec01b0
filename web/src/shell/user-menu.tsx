import {
  Avatar,
  Menu,
  SegmentedControl,
  Stack,
  Text,
  UnstyledButton,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core';
import { IconLogout, IconUserCircle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ask } from '../api/ask.ts';
import { endSession } from '../api/session.ts';
import { useUser } from '../api/use-session.ts';
import { LanguageChoice } from './language-choice.tsx';

/** Who is logged in, how it looks, and the way out. */
export function UserMenu() {
  const { t } = useTranslation();
  const { displayName, username, avatarUrl } = useUser();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    // Where it belongs on the page, for those who hear it.
    <Menu position="bottom-end" width={280} shadow="md" withinPortal={false}>
      <Menu.Target>
        <UnstyledButton w={40} h={40} display="grid" style={{ placeItems: 'center' }}>
          <Avatar
            src={avatarUrl}
            name={displayName}
            color="initials"
            radius="xl"
            size={36}
            alt=""
            aria-hidden
          />
          <VisuallyHidden>{displayName}</VisuallyHidden>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Stack gap={0} px="sm" py={6}>
          <Text fw={600} truncate>
            {displayName}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {username}
          </Text>
        </Stack>
        <Menu.Item
          component={Link}
          to="/profile"
          leftSection={<IconUserCircle size={18} aria-hidden />}
          mih={40}
        >
          {t('nav.profile')}
        </Menu.Item>
        <Menu.Divider />
        <Stack px="sm" py="xs" gap="xs">
          <SegmentedControl
            fullWidth
            aria-label={t('look.theme')}
            value={colorScheme}
            onChange={(value) => setColorScheme(value === 'dark' || value === 'light' ? value : 'auto')}
            data={[
              { value: 'light', label: t('look.light') },
              { value: 'auto', label: t('look.auto') },
              { value: 'dark', label: t('look.dark') },
            ]}
          />
          <LanguageChoice />
        </Stack>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={18} aria-hidden />} onClick={logOut} mih={40}>
          {t('nav.logOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

async function logOut(): Promise<void> {
  // Out is out, whether the service hears of it or not.
  await ask('POST', '/api/auth/logout').catch(() => undefined);
  endSession();
}
