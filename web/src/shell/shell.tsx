import { AppShell, Burger, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, useLocation } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useInstance } from '../api/use-instance.ts';
import { useSession, useUser } from '../api/use-session.ts';
import { whenIdle } from '../common/timing/lazy-module.ts';
import { lazyPart } from '../common/timing/lazy-part.ts';
import { UserAvatar } from '../features/account/user-avatar.tsx';
import { useDriveId } from '../features/drives/use-drive.ts';
import { Live } from '../features/live/live.tsx';
import { SearchBox } from '../features/search/search-box.tsx';
import { OffersNotice } from '../features/transfer/devices/offers-notice.tsx';
import { UploadTray } from '../features/uploads/tray/upload-tray.tsx';
import { belongsToField } from '../ui/fields/belongs-to-field.ts';
import { InstanceLogo } from '../ui/instance-logo.tsx';
import { labelled } from '../ui/labelled.ts';
import { MenuLater } from '../ui/menus/menu-later.tsx';
import { closePageNotices } from '../ui/notifications/page-notices.ts';
import { undoLast } from '../ui/notifications/undo.ts';
import { useHasNavigation, useIsLow } from '../ui/screen-size.ts';
import { SkipLink } from '../ui/skip-link.tsx';
import { BottomBar } from './bottom-bar/bottom-bar.tsx';
import { DriveFrame } from './drive-frame.tsx';
import classes from './header.module.css';
import { Navigation } from './navigation/navigation.tsx';
import { RunningMark } from './running-mark.tsx';
import { useUpdates } from './updates/use-updates.ts';
import { usePageTitle } from './use-page-title.ts';

const IdleParts = lazyPart(async () => (await import('./idle-parts.tsx')).IdleParts);

const NotificationsBell = lazyPart(
  async () => (await import('../features/notifications/notifications-bell.tsx')).NotificationsBell,
);

const UserMenuList = lazyPart(async () => (await import('./user-menu-list.tsx')).UserMenuList);

// Loaded lazily, because large screens do not need it.
const NavigationDrawer = lazyPart(
  async () => (await import('./navigation/navigation-drawer.tsx')).NavigationDrawer,
);

/** The frame of every page that requires a login. */
export function Shell() {
  // No session: after a logout, until the redirect to the login page.
  if (useSession() === undefined) return null;
  return <Frame />;
}

function Frame() {
  const { t } = useTranslation();
  const instance = useInstance();
  const [isOpen, { toggle, close }] = useDisclosure();
  const isLow = useIsLow();
  const hasDrawer = !useHasNavigation();
  const [isIdle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  usePageTitle();
  useUpdates();
  useUndoKey();
  const drive = useDriveId();
  const area = useLocation({ select: ({ pathname }) => pathname.split('/')[1] });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the page changes
  useEffect(() => closePageNotices, [area, drive]);
  return (
    <AppShell
      header={{ height: isLow ? 48 : 56 }}
      navbar={{
        width: 'calc(15rem + env(safe-area-inset-left))',
        breakpoint: 'sm',
        collapsed: { mobile: true, desktop: hasDrawer },
      }}
      padding={isLow ? 'xs' : 'md'}
    >
      <AppShell.Header>
        <SkipLink />
        <div className={classes.bar}>
          {hasDrawer && isLow && (
            <Burger opened={isOpen} onClick={toggle} size="sm" w={40} h={40} {...labelled(t('nav.open'))} />
          )}
          <Link to="/" aria-label={instance.name} className={classes.home}>
            <InstanceLogo size={28} />
            <Text fw={600} visibleFrom="xs" maw="12rem" truncate>
              {instance.name}
            </Text>
          </Link>
          <div className={classes.search}>
            <SearchBox />
          </div>
          <div className={classes.bell}>
            <Suspense>{isIdle && <NotificationsBell />}</Suspense>
          </div>
          <UserMenu isIdle={isIdle} />
        </div>
      </AppShell.Header>
      {!hasDrawer && (
        <AppShell.Navbar>
          <Navigation onChosen={close} />
        </AppShell.Navbar>
      )}
      {isOpen && hasDrawer && (
        <Suspense fallback={null}>
          <NavigationDrawer onClose={close} />
        </Suspense>
      )}
      <AppShell.Main id="content" tabIndex={-1}>
        <Suspense>{isIdle && <IdleParts />}</Suspense>
        {/* A new drive starts with no selection, dialog or menu of the previous one. */}
        <DriveFrame key={drive} />
      </AppShell.Main>
      <UploadTray />
      {hasDrawer && !isLow && <BottomBar isMoreOpen={isOpen} onMore={toggle} />}
      <Live />
      <OffersNotice />
    </AppShell>
  );
}

/**
 * Lets Ctrl+Z and ⌘Z undo the last change, wherever the focus is. In a field, they undo what was typed there.
 */
function useUndoKey(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { ctrlKey, metaKey, shiftKey, altKey } = event;
      if (!isZ(event) || !(ctrlKey || metaKey) || shiftKey || altKey) return;
      if (event.defaultPrevented || belongsToField(event)) return;
      if (undoLast()) event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

/**
 * Whether the key is Z, with or without caps lock. Keyboards for other scripts have no Z, so there the
 * position of the key decides.
 */
function isZ({ key, code }: KeyboardEvent): boolean {
  const letter = key.toLowerCase();
  return letter === 'z' || (code === 'KeyZ' && !/^[a-z]$/.test(letter));
}

/** The button with the user's avatar that opens the user menu. It also shows whether tasks are running. */
function UserMenu({ isIdle }: { readonly isIdle: boolean }) {
  const { displayName } = useUser();
  return (
    <MenuLater
      target={
        <UnstyledButton w="var(--tap-size)" h="var(--tap-size)" className={classes.user}>
          <UserAvatar size={36} />
          <VisuallyHidden>{displayName}</VisuallyHidden>
          {isIdle && <RunningMark />}
        </UnstyledButton>
      }
    >
      {(target) => <UserMenuList target={target} />}
    </MenuLater>
  );
}
