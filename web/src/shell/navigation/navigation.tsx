import { Progress, Stack, Text } from '@mantine/core';
import { IconSettings, IconUsers } from '@tabler/icons-react';
import { type ReactNode, Suspense, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useUser } from '../../api/use-session.ts';
import { lazyPart } from '../../common/timing/lazy-part.ts';
import { useDriveId, useDrives, useMayCreateDrives } from '../../features/drives/use-drive.ts';
import { formatBytes } from '../../messages/formats.ts';
import { EntryMeter } from '../../ui/entry-meter.tsx';
import { meterColorOf } from '../../ui/meter-color.ts';
import { DriveFolders } from './drive-folders.tsx';
import classes from './navigation.module.css';
import { BIN, FILES, LINKS, type NavigationLink, PlaceLink, TRANSFER, VIEW_LINKS } from './place-link.tsx';

const DriveList = lazyPart(async () => (await import('./drive-list.tsx')).DriveList);

const DRIVES: NavigationLink = { place: 'drives', link: { to: '/drives' }, Icon: IconUsers };
const ADMINISTRATION: NavigationLink = {
  place: 'admin',
  link: { to: '/admin/{-$part}', params: { part: undefined } },
  Icon: IconSettings,
};

/** The main navigation. */
export function Navigation({ onChosen }: { onChosen: () => void }) {
  const { t } = useTranslation();
  const { role } = useUser();
  const toLink = (to: NavigationLink) => (
    <li key={to.place}>
      <PlaceLink to={to} onChosen={onChosen} />
    </li>
  );
  return (
    <nav aria-label={t('nav.places')} className={classes.navigation}>
      <div className={classes.links}>
        <Places label={t('nav.files')}>
          <li>
            <DriveFolders
              drive={undefined}
              link={<PlaceLink to={FILES} onChosen={onChosen} />}
              onChosen={onChosen}
            />
          </li>
          <SharedDrives onChosen={onChosen} />
          {VIEW_LINKS.map(toLink)}
        </Places>
        <Places label={t('nav.send')}>{[TRANSFER, LINKS].map(toLink)}</Places>
      </div>
      <div className={classes.foot}>
        <PlaceLink to={BIN} onChosen={onChosen} />
        <StorageMeter />
        {role !== 'USER' && <PlaceLink to={ADMINISTRATION} onChosen={onChosen} />}
      </div>
    </nav>
  );
}

/** A group of links. */
function Places({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <>
      <div id={id} className={classes.label}>
        {label}
      </div>
      <ul aria-labelledby={id} className={classes.places}>
        {children}
      </ul>
    </>
  );
}

/** The link to the page of shared drives, and the drives. */
function SharedDrives({ onChosen }: { readonly onChosen: () => void }) {
  const { data: drives = [] } = useDrives();
  const mayCreate = useMayCreateDrives();
  const shared = drives.filter(({ kind }) => kind === 'SHARED');
  if (shared.length === 0 && mayCreate === false) return null;
  return (
    <li>
      <PlaceLink to={DRIVES} onChosen={onChosen} />
      {shared.length > 0 && (
        <Suspense fallback={null}>
          <DriveList drives={shared} onChosen={onChosen} />
        </Suspense>
      )}
    </li>
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
