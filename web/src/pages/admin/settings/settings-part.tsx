import { Button, DataList, Paper, Progress, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Filesystem, SettingsSnapshot } from '../../../../../client/src/client.ts';
import { queryOf } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';
import { useInstance } from '../../../api/use-instance.ts';
import { formatBytes, formatNumber } from '../../../messages/formats.ts';
import { currentLanguage } from '../../../messages/i18n.ts';
import { DANGER } from '../../../ui/danger.ts';
import { FailureNotice } from '../../../ui/placeholders/failure-notice.tsx';
import classes from '../admin.module.css';
import { percentOf } from '../pieces/amounts/percent.ts';
import { DefaultsDialog } from './defaults-dialog.tsx';
import { InstanceDialog } from './instance-dialog.tsx';

type Facts = readonly (readonly [label: string, value: ReactNode])[];

/**
 * The settings of the service and its storage. Most are read-only, because environment variables set them.
 */
export function SettingsPart() {
  const { t } = useTranslation();
  const settings = useQuery(queryOf(KEYS.admin('settings'), 'GET /api/admin/settings'));
  const filesystem = useQuery(queryOf(KEYS.admin('filesystem'), 'GET /api/admin/filesystem'));
  const failed = [settings, filesystem].find(({ error }) => error !== null);
  if (failed) return <FailureNotice error={failed.error} onRetry={() => void failed.refetch()} />;
  if (settings.data === undefined || filesystem.data === undefined) return null;
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {t('admin.settings.hint')}
      </Text>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <InstanceFacts />
        <ServiceFacts settings={settings.data} />
        <FilesystemFacts filesystem={filesystem.data} />
        <OtherFacts settings={settings.data} />
      </SimpleGrid>
    </Stack>
  );
}

function InstanceFacts() {
  const { t } = useTranslation();
  const instance = useInstance();
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <FactsCard
        title={t('admin.instance.title')}
        facts={[
          [t('admin.instance.name'), instance.name],
          [
            t('admin.instance.logo'),
            t(instance.logoUrl === null ? 'admin.instance.noLogo' : 'admin.instance.ownLogo'),
          ],
          [t('admin.instance.greeting'), instance.greeting ?? t('admin.instance.noGreeting')],
        ]}
      >
        <Button variant="default" mih="var(--tap-size)" mt="sm" onClick={open}>
          {t('admin.instance.change')}
        </Button>
      </FactsCard>
      {isOpen && <InstanceDialog instance={instance} onClose={close} />}
    </>
  );
}

function ServiceFacts({ settings }: { settings: SettingsSnapshot }) {
  const { t } = useTranslation();
  const onOrOff = (is: boolean) => t(is ? 'admin.on' : 'admin.off');
  return (
    <FactsCard
      title={t('admin.settings.service')}
      facts={[
        [t('admin.settings.version'), settings.version],
        [t('admin.settings.database'), t(`admin.settings.engines.${settings.database.engine}`)],
        [t('admin.settings.timeZone'), settings.timeZone],
        [t('admin.settings.rateLimits'), onOrOff(settings.sessions.rateLimits)],
        [t('admin.settings.devLogin'), onOrOff(settings.sessions.devLogin)],
        [t('admin.settings.accessToken'), formatDuration(settings.sessions.accessTokenSeconds)],
        [t('admin.settings.refreshToken'), formatDuration(settings.sessions.refreshTokenSeconds)],
      ]}
    />
  );
}

function FilesystemFacts({ filesystem }: { filesystem: Filesystem }) {
  const { t } = useTranslation();
  const { totalBytes, availableBytes, freeBytes, minFreeBytes } = filesystem.dataDirectory;
  // As in `df`, blocks that the system reserves count as neither used nor available.
  const usedBytes = totalBytes - freeBytes;
  const usableBytes = usedBytes + availableBytes;
  const keepsFree = filesystem.objectsOnDataDirectory && minFreeBytes > 0;
  const text = t('admin.settings.diskUsed', {
    available: formatBytes(availableBytes),
    total: formatBytes(usableBytes),
  });
  return (
    <FactsCard
      title={t('admin.settings.filesystem')}
      facts={[
        [
          t('admin.settings.disk'),
          <Stack key="disk" gap={4} w="100%">
            {text}
            <Progress value={percentOf(usedBytes, usableBytes)} aria-label={text} />
            {keepsFree && (
              <Text size="sm" c={availableBytes < minFreeBytes ? DANGER : 'dimmed'}>
                {t('admin.settings.diskMinimum', { minimum: formatBytes(minFreeBytes) })}
              </Text>
            )}
          </Stack>,
        ],
        [t('admin.settings.objectsOnDisk'), t(filesystem.objectsOnDataDirectory ? 'admin.yes' : 'admin.no')],
        [t('admin.settings.storedObjects'), formatNumber(filesystem.storedObjectCount)],
        [t('admin.settings.storedBytes'), formatBytes(filesystem.storedBytes)],
        [t('admin.settings.policies'), formatNumber(filesystem.policyCount)],
        [t('admin.settings.defaultPolicy'), filesystem.defaultPolicy.name],
      ]}
    />
  );
}

function OtherFacts({ settings }: { settings: SettingsSnapshot }) {
  const { t } = useTranslation();
  const { registration, transfer, tasks, storage } = settings;
  const onOrOff = (is: boolean) => t(is ? 'admin.on' : 'admin.off');
  return (
    <>
      <RegistrationFacts registration={registration} />
      <FactsCard
        title={t('admin.settings.drives')}
        facts={[
          [
            t('admin.settings.driveCreators'),
            t(`admin.settings.creators.${settings.drives.sharedDriveCreators}`),
          ],
          [t('admin.settings.maxDrives'), formatNumber(settings.drives.maxSharedDrives)],
          [t('admin.settings.deletedDrives'), formatDuration(settings.drives.deletedDriveRetentionSeconds)],
          [t('admin.settings.peopleSearch'), t(`admin.settings.searches.${settings.drives.peopleSearch}`)],
        ]}
      />
      <FactsCard
        title={t('admin.settings.storage')}
        facts={[
          [t('admin.policies.type'), t(`admin.policies.types.${storage.type}`)],
          [t('admin.settings.downloadUrl'), formatDuration(storage.downloadUrlSeconds)],
          [t('admin.settings.accelRedirect'), onOrOff(storage.accelRedirect)],
        ]}
      />
      <FactsCard
        title={t('admin.settings.transfer')}
        facts={[
          [t('admin.settings.online'), formatDuration(transfer.onlineSeconds)],
          [t('admin.settings.offline'), formatDuration(transfer.offlineSeconds)],
          [t('admin.settings.offlineLimit'), formatBytes(transfer.offlineTransferStorageLimitBytes)],
          [t('admin.settings.iceServers'), formatNumber(transfer.iceServerCount)],
        ]}
      />
      <FactsCard
        title={t('admin.settings.tasks')}
        facts={[
          [t('admin.settings.cleanup'), formatDuration(tasks.cleanupIntervalSeconds)],
          [t('admin.settings.recycle'), formatDuration(tasks.recycleRetentionSeconds)],
          [t('admin.settings.uploadSession'), formatDuration(tasks.uploadSessionSeconds)],
          [t('admin.settings.sweepGrace'), formatDuration(tasks.sweepGraceSeconds)],
        ]}
      />
    </>
  );
}

function RegistrationFacts({ registration }: Pick<SettingsSnapshot, 'registration'>) {
  const { t } = useTranslation();
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <FactsCard
        title={t('admin.settings.registration')}
        facts={[
          [t('admin.invite.title'), registration.inviteCode ?? t('admin.invite.none')],
          [t('admin.settings.defaultQuota'), formatBytes(registration.defaultStorageQuotaBytes)],
          [t('admin.settings.defaultUpload'), formatBytes(registration.defaultMaxUploadSizeBytes)],
          [t('admin.settings.defaultEntries'), formatNumber(registration.defaultMaxEntries)],
          [
            t('admin.settings.defaultDirectories'),
            registration.defaultDirectories.join(', ') || t('admin.settings.noDirectories'),
          ],
        ]}
      >
        <Button variant="default" h={40} mt="sm" onClick={open}>
          {t('admin.settings.changeDefaults')}
        </Button>
      </FactsCard>
      {isOpen && <DefaultsDialog defaults={registration} onClose={close} />}
    </>
  );
}

function FactsCard({ title, facts, children }: { title: string; facts: Facts; children?: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Title order={2} size="h5" mb="sm">
        {title}
      </Title>
      <DataList withDivider labelWidth="50%">
        {facts.map(([label, value]) => (
          <DataList.Item key={label}>
            <DataList.ItemLabel>{label}</DataList.ItemLabel>
            <DataList.ItemValue className={classes.anywhere}>{value}</DataList.ItemValue>
          </DataList.Item>
        ))}
      </DataList>
      {children}
    </Paper>
  );
}

const STEPS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** A duration such as "15 minutes", in the largest unit that expresses it exactly. */
function formatDuration(seconds: number): string {
  const [unit, length] = STEPS.find(([, step]) => seconds >= step && seconds % step === 0) ?? ['second', 1];
  return new Intl.NumberFormat(currentLanguage(), { style: 'unit', unit, unitDisplay: 'long' }).format(
    seconds / length,
  );
}
