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
  IconUsers,
} from '@tabler/icons-react';
import { Link, type LinkProps, useParams } from '@tanstack/react-router';
import { type ComponentType, type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { DriveId } from '../../api/in-drive.ts';
import { useUser } from '../../api/use-session.ts';
import { ROOT } from '../../common/names/drive-paths.ts';
import { lazyPart } from '../../common/timing/lazy-part.ts';
import { useDriveId, useDrives } from '../../features/drives/use-drive.ts';
import { useOpenFolders } from '../../features/entries/folder-tree/open-folders.ts';
import { useDropTarget } from '../../features/entries/grid/pointer/use-entry-drag.ts';
import { useRunningTasks } from '../../features/tasks/use-running-tasks.ts';
import { formatBytes } from '../../messages/formats.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { EntryMeter } from '../../ui/entry-meter.tsx';
import { meterColorOf } from '../../ui/meter-color.ts';
import classes from './navigation.module.css';

const FolderTree = lazyPart(
  async () => (await import('../../features/entries/folder-tree/folder-tree.tsx')).FolderTree,
);

type Place =
  | ('drive' | 'recent' | 'photos' | 'starred' | 'shared' | 'transfer' | 'tasks' | 'bin')
  | ('drives' | 'admin');

interface NavigationLink {
  readonly place: Place;
  readonly link: Pick<LinkProps, 'to' | 'params'>;
  /** Whether every drive has the page. */
  readonly isInDrive?: boolean;
  readonly Icon: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>;
}

const MAIN_LINKS: readonly NavigationLink[] = [
  { place: 'drive', link: { to: '/drive/$', params: { _splat: '' } }, Icon: IconFolder, isInDrive: true },
  { place: 'recent', link: { to: '/recent' }, Icon: IconClock, isInDrive: true },
  { place: 'photos', link: { to: '/photos' }, Icon: IconPhoto, isInDrive: true },
  { place: 'starred', link: { to: '/starred' }, Icon: IconStar, isInDrive: true },
  { place: 'shared', link: { to: '/shared' }, Icon: IconShare, isInDrive: true },
  {
    place: 'transfer',
    link: { to: '/transfer/{-$code}', params: { code: undefined } },
    Icon: IconArrowsExchange,
  },
  { place: 'tasks', link: { to: '/tasks' }, Icon: IconListCheck, isInDrive: true },
  { place: 'bin', link: { to: '/bin' }, Icon: IconTrash, isInDrive: true },
];

/** The pages of a shared drive, below its name. */
const DRIVE_LINKS = MAIN_LINKS.filter(({ place, isInDrive }) => isInDrive === true && place !== 'drive');

const [FILES] = MAIN_LINKS as readonly [NavigationLink, ...NavigationLink[]];

const ADMINISTRATION: NavigationLink = {
  place: 'admin',
  link: { to: '/admin/{-$part}', params: { part: undefined } },
  Icon: IconSettings,
};

/** The main navigation. */
export function Navigation({ onChosen }: { onChosen: () => void }) {
  const { t } = useTranslation();
  const { role } = useUser();
  const drive = useDriveId();
  const running = useRunningTasks();
  const runningMark = running > 0 && (
    <Badge size="sm" circle aria-label={t('nav.running', { count: running })}>
      {running}
    </Badge>
  );
  return (
    <>
      <AppShell.Section grow className={classes.links}>
        <nav aria-label={t('nav.places')}>
          {MAIN_LINKS.map((each) => {
            const { place } = each;
            const mark = place === 'tasks' && drive === undefined && runningMark;
            const element = (
              <PlaceLink key={place} {...each} drive={undefined} mark={mark} onChosen={onChosen} />
            );
            return place === 'drive' ? (
              <DriveFolders key={place} drive={undefined} link={element} onChosen={onChosen} />
            ) : (
              element
            );
          })}
          <SharedDrives runningMark={runningMark} onChosen={onChosen} />
          {role !== 'USER' && <PlaceLink {...ADMINISTRATION} drive={undefined} onChosen={onChosen} />}
        </nav>
      </AppShell.Section>
      <AppShell.Section>
        <StorageMeter />
      </AppShell.Section>
    </>
  );
}

interface PlaceLinkProps extends NavigationLink {
  readonly drive: DriveId;
  readonly label?: string | null;
  readonly mark?: ReactNode;
  readonly onChosen: () => void;
}

function PlaceLink({ place, link, Icon, isInDrive, drive, label, mark, onChosen }: PlaceLinkProps) {
  const { t } = useTranslation();
  const isShownDrive = useDriveId() === drive;
  // Links to the personal drive name it explicitly, so that they do not stay in a shared one.
  const search = isInDrive === true ? { search: { drive } } : {};
  return (
    <NavLink
      className={classes.link}
      renderRoot={(props) => (
        <Link
          {...link}
          {...search}
          {...props}
          activeOptions={{ includeSearch: false }}
          activeProps={
            isInDrive !== true || isShownDrive ? { 'data-active': true } : { 'aria-current': undefined }
          }
        />
      )}
      onClick={onChosen}
      label={label ?? t(`nav.${place}`)}
      leftSection={<Icon size={20} aria-hidden />}
      rightSection={mark}
    />
  );
}

interface SharedDrivesProps {
  /** The number of running tasks of the shown drive. */
  readonly runningMark: ReactNode;
  readonly onChosen: () => void;
}

/** The link to the list of shared drives, and the drives. The shown one has links to its pages. */
function SharedDrives({ runningMark, onChosen }: SharedDrivesProps) {
  const { t } = useTranslation();
  const shownId = useDriveId();
  const { data: drives = [] } = useDrives();
  const shared = drives.filter(({ kind }) => kind === 'SHARED');
  return (
    <>
      <PlaceLink
        place="drives"
        link={{ to: '/drives' }}
        Icon={IconUsers}
        drive={undefined}
        onChosen={onChosen}
      />
      {shared.length > 0 && (
        <ul className={classes.drives} aria-label={t('nav.drives')}>
          {shared.map(({ id, name }) => (
            <li key={id}>
              <DriveFolders
                drive={id}
                name={name ?? ''}
                link={<PlaceLink {...FILES} drive={id} label={name} onChosen={onChosen} />}
                onChosen={onChosen}
              />
              {id === shownId && (
                <ul className={classes.drives} aria-label={t('drives.placesOf', { name })}>
                  {DRIVE_LINKS.map((each) => (
                    <li key={each.place}>
                      <PlaceLink
                        {...each}
                        drive={id}
                        label={each.place === 'shared' ? t('drives.links') : null}
                        mark={each.place === 'tasks' && runningMark}
                        onChosen={onChosen}
                      />
                    </li>
                  ))}
                </ul>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

interface DriveFoldersProps {
  readonly drive: DriveId;
  /** The name of a shared drive. */
  readonly name?: string;
  readonly link: ReactNode;
  readonly onChosen: () => void;
}

/** The link to a drive, with a button that shows the tree of its folders. */
function DriveFolders({ drive, name, link, onChosen }: DriveFoldersProps) {
  const { t } = useTranslation();
  const { _splat: splat } = useParams({ strict: false });
  const isShownDrive = useDriveId() === drive;
  const current = splat === undefined || !isShownDrive ? undefined : `/${splat}`;
  const target = useDropTarget({ drive, directory: ROOT });
  const open = useOpenFolders(drive, current);
  const isOpen = open.isOpen(ROOT);
  return (
    <div className={classes.drive}>
      <div className={classes.drop} {...target}>
        {link}
      </div>
      <IconButton
        className={classes.unfold}
        variant="subtle"
        color="gray"
        size={36}
        aria-expanded={isOpen}
        label={name === undefined ? t('nav.folders') : t('nav.foldersOf', { name })}
        onClick={() => open.toggle(ROOT)}
      >
        {isOpen ? <IconChevronDown size={18} aria-hidden /> : <IconChevronRight size={18} aria-hidden />}
      </IconButton>
      {isOpen && (
        <Suspense>
          <FolderTree path={ROOT} {...{ drive, open, current, onChosen }} />
        </Suspense>
      )}
    </div>
  );
}

/** The used part of the quota of the shown drive, and the number of entries if it is near its limit. */
function StorageMeter() {
  const { t } = useTranslation();
  const user = useUser();
  const drive = useDriveId();
  const { data: drives } = useDrives();
  const shared = drive === undefined ? undefined : drives?.find(({ id }) => id === drive);
  const storageUsedBytes = shared?.usedBytes ?? user.storageUsedBytes;
  const storageQuotaBytes = shared?.quotaBytes ?? user.storageQuotaBytes;
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
      <EntryMeter user={shared ?? user} />
    </Stack>
  );
}
