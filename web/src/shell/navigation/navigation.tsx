import { AppShell, Badge, NavLink, Progress, Stack, Text } from '@mantine/core';
import {
  IconArrowsExchange,
  IconChevronDown,
  IconChevronRight,
  IconClock,
  IconFolder,
  IconListCheck,
  IconPhoto,
  IconSettings,
  IconShare,
  IconStar,
  IconTrash,
} from '@tabler/icons-react';
import { Link, type LinkProps, useParams } from '@tanstack/react-router';
import { type ComponentType, type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useUser } from '../../api/use-session.ts';
import { ROOT } from '../../common/names/drive-paths.ts';
import { lazyPart } from '../../common/timing/lazy-part.ts';
import { useDriveId } from '../../features/drives/use-drive.ts';
import { useOpenFolders } from '../../features/entries/folder-tree/open-folders.ts';
import { useRunningTasks } from '../../features/tasks/use-running-tasks.ts';
import { formatBytes } from '../../messages/formats.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { EntryMeter } from '../../ui/entry-meter.tsx';
import { meterColorOf } from '../../ui/meter-color.ts';
import classes from './navigation.module.css';

const FolderTree = lazyPart(
  async () => (await import('../../features/entries/folder-tree/folder-tree.tsx')).FolderTree,
);

type Place = 'drive' | 'recent' | 'photos' | 'starred' | 'shared' | 'transfer' | 'tasks' | 'bin' | 'admin';

interface NavigationLink {
  readonly place: Place;
  readonly link: Pick<LinkProps, 'to' | 'params'>;
  readonly Icon: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>;
}

const MAIN_LINKS: readonly NavigationLink[] = [
  { place: 'drive', link: { to: '/drive/$', params: { _splat: '' } }, Icon: IconFolder },
  { place: 'recent', link: { to: '/recent' }, Icon: IconClock },
  { place: 'photos', link: { to: '/photos' }, Icon: IconPhoto },
  { place: 'starred', link: { to: '/starred' }, Icon: IconStar },
  { place: 'shared', link: { to: '/shared' }, Icon: IconShare },
  {
    place: 'transfer',
    link: { to: '/transfer/{-$code}', params: { code: undefined } },
    Icon: IconArrowsExchange,
  },
  { place: 'tasks', link: { to: '/tasks' }, Icon: IconListCheck },
  { place: 'bin', link: { to: '/bin' }, Icon: IconTrash },
];

const ADMINISTRATION: NavigationLink = {
  place: 'admin',
  link: { to: '/admin/{-$part}', params: { part: undefined } },
  Icon: IconSettings,
};

/** The main navigation. */
export function Navigation({ onChosen }: { onChosen: () => void }) {
  const { t } = useTranslation();
  const { role } = useUser();
  const running = useRunningTasks();
  const links = role === 'USER' ? MAIN_LINKS : [...MAIN_LINKS, ADMINISTRATION];
  const marks: Partial<Record<Place, ReactNode>> = {
    tasks: running > 0 && (
      <Badge size="sm" circle aria-label={t('nav.running', { count: running })}>
        {running}
      </Badge>
    ),
  };
  return (
    <>
      <AppShell.Section grow className={classes.links}>
        <nav aria-label={t('nav.places')}>
          {links.map(({ place, link, Icon }) => {
            const element = (
              <NavLink
                key={place}
                className={classes.link}
                renderRoot={(props) => <Link {...link} {...props} activeProps={{ 'data-active': true }} />}
                onClick={onChosen}
                label={t(`nav.${place}`)}
                leftSection={<Icon size={20} aria-hidden />}
                rightSection={marks[place]}
              />
            );
            return place === 'drive' ? (
              <DriveFolders key={place} link={element} onChosen={onChosen} />
            ) : (
              element
            );
          })}
        </nav>
      </AppShell.Section>
      <AppShell.Section>
        <StorageMeter />
      </AppShell.Section>
    </>
  );
}

/** The link to the drive, with a button that shows the tree of its folders. */
function DriveFolders({ link, onChosen }: { readonly link: ReactNode; readonly onChosen: () => void }) {
  const { t } = useTranslation();
  const { _splat: splat } = useParams({ strict: false });
  const isPersonal = useDriveId() === undefined;
  const current = splat === undefined || !isPersonal ? undefined : `/${splat}`;
  const open = useOpenFolders(current);
  const isOpen = open.isOpen(ROOT);
  return (
    <div className={classes.drive}>
      {link}
      <IconButton
        className={classes.unfold}
        variant="subtle"
        color="gray"
        size={36}
        aria-expanded={isOpen}
        label={t('nav.folders')}
        onClick={() => open.toggle(ROOT)}
      >
        {isOpen ? <IconChevronDown size={18} aria-hidden /> : <IconChevronRight size={18} aria-hidden />}
      </IconButton>
      {isOpen && (
        <Suspense>
          <FolderTree drive={undefined} path={ROOT} {...{ open, current, onChosen }} />
        </Suspense>
      )}
    </div>
  );
}

/** The used part of the quota, and the number of entries if it is near its limit. */
function StorageMeter() {
  const { t } = useTranslation();
  const user = useUser();
  const { storageUsedBytes, storageQuotaBytes } = user;
  const percent = storageQuotaBytes === 0 ? 100 : Math.min(100, (100 * storageUsedBytes) / storageQuotaBytes);
  const text = t('storage.used', {
    used: formatBytes(storageUsedBytes),
    quota: formatBytes(storageQuotaBytes),
  });
  return (
    <Stack gap={6} p="xs">
      <Progress
        // Even a very small percentage must be visible.
        value={storageUsedBytes > 0 ? Math.max(percent, 1) : 0}
        color={meterColorOf(percent)}
        aria-label={text}
      />
      <Text size="xs" c="dimmed">
        {text}
      </Text>
      <EntryMeter user={user} />
    </Stack>
  );
}
