import {
  Menu,
  SegmentedControl,
  Stack,
  Text,
  UnstyledButton,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ask } from '../api/ask.ts';
import { endSession } from '../api/session.ts';
import { useUser } from '../api/use-session.ts';
import { UserAvatar } from '../profile/user-avatar.tsx';
import { LanguageChoice } from './language-choice.tsx';

/** Who is logged in, how it looks, and the way out. */
export function UserMenu() {
  const { t } = useTranslation();
  const { displayName, username } = useUser();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <UnstyledButton>
          <UserAvatar size={38} />
          <VisuallyHidden>{displayName}</VisuallyHidden>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm">{displayName}</Text>
          <Text size="xs">{username}</Text>
        </Menu.Label>
        <Stack px="sm" py="xs" gap="xs">
          <SegmentedControl
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
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={logOut}>
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
