import { AppShell, Badge, Progress, Stack, Text } from '@mantine/core';
import { IconSettings, IconUsers } from '@tabler/icons-react';
import { type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useUser } from '../../api/use-session.ts';
import { lazyPart } from '../../common/timing/lazy-part.ts';
import { useDriveId, useDrives, useMayCreateDrives } from '../../features/drives/use-drive.ts';
import { useRunningTasks } from '../../features/tasks/use-running-tasks.ts';
import { formatBytes } from '../../messages/formats.ts';
import { EntryMeter } from '../../ui/entry-meter.tsx';
import { meterColorOf } from '../../ui/meter-color.ts';
import { DriveFolders } from './drive-folders.tsx';
import classes from './navigation.module.css';
import { MAIN_LINKS, type NavigationLink, PlaceLink } from './place-link.tsx';

const DriveList = lazyPart(async () => (await import('./drive-list.tsx')).DriveList);

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

interface SharedDrivesProps {
  /** The number of running tasks of the shown drive. */
  readonly runningMark: ReactNode;
  readonly onChosen: () => void;
}

/** The link to the page of shared drives, and the drives. */
function SharedDrives({ runningMark, onChosen }: SharedDrivesProps) {
  const { data: drives = [] } = useDrives();
  const mayCreate = useMayCreateDrives();
  const shared = drives.filter(({ kind }) => kind === 'SHARED');
  if (shared.length === 0 && mayCreate === false) return null;
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
        <Suspense fallback={null}>
          <DriveList drives={shared} {...{ runningMark, onChosen }} />
        </Suspense>
      )}
    </>
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
  const label = shared === undefined ? text : `${shared.name} · ${text}`;
  return (
    <Stack gap={6} p="xs">
      <Progress
        // Even a very small percentage must be visible.
        value={storageUsedBytes > 0 ? Math.max(percent, 1) : 0}
        color={meterColorOf(percent)}
        aria-label={label}
      />
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <EntryMeter user={shared ?? user} />
    </Stack>
  );
}
