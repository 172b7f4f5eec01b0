import { AppShell, Burger, Group, Image, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useSession } from '../api/use-session.ts';
import { Live } from '../live/live.tsx';
import { SearchBox } from '../search/search-box.tsx';
import { UploadTray } from '../uploads/upload-tray.tsx';
import { Navigation } from './navigation.tsx';
import { UserMenu } from './user-menu.tsx';

/** What surrounds every page of those who are logged in. */
export function Shell() {
  const { t } = useTranslation();
  const [isOpen, { toggle, close }] = useDisclosure();
  // After a logout, until the way to the login is found.
  if (useSession() === undefined) return null;
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 240, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <AppShell.Header>
        <a className="skip-link" href="#content">
          {t('nav.skip')}
        </a>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t('nav.open')} />
            <Link to="/" aria-label={t('app.name')}>
              <Image src="/web/icon.svg" w={28} h={28} alt="" />
            </Link>
            <Text fw={700} visibleFrom="xs">
              {t('app.name')}
            </Text>
          </Group>
          <SearchBox />
          <UserMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs">
        <Navigation onChosen={close} />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <Outlet />
      </AppShell.Main>
      <UploadTray />
      <Live />
    </AppShell>
  );
}
