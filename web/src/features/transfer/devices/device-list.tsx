import { Button, FileButton, Stack, Text } from '@mantine/core';
import { IconDeviceLaptop, IconDeviceMobile } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { LoginSessionRecord } from '../../../../../client/src/client.ts';
import { queryOf } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';
import { useSession } from '../../../api/use-session.ts';
import classes from '../transfer.module.css';
import { nameDevice } from './device-name.ts';

interface DeviceListProps {
  readonly title: string;
  /** If set, the user chooses the files first. For pages that have none yet. */
  readonly onFiles?: (device: LoginSessionRecord, files: readonly File[]) => void;
  readonly onChosen?: (device: LoginSessionRecord) => void;
  readonly isDisabled?: boolean;
}

/** Lists the user's other online devices, which need no code. Renders nothing if there are none. */
export function DeviceList({ title, onFiles, onChosen, isDisabled = false }: DeviceListProps) {
  const devices = useDevices();
  if (devices.length === 0) return null;
  return (
    <Stack gap="xs" component="section" aria-labelledby="own-devices">
      <Text size="sm" fw={600} id="own-devices">
        {title}
      </Text>
      <ul className={classes.devices}>
        {devices.map((device) => (
          <li key={device.id}>
            {onFiles === undefined ? (
              <DeviceButton device={device} isDisabled={isDisabled} onClick={() => onChosen?.(device)} />
            ) : (
              <FileButton multiple onChange={(files) => onFiles(device, files)}>
                {({ onClick }) => <DeviceButton device={device} isDisabled={isDisabled} onClick={onClick} />}
              </FileButton>
            )}
          </li>
        ))}
      </ul>
    </Stack>
  );
}

interface DeviceButtonProps {
  readonly device: LoginSessionRecord;
  readonly isDisabled: boolean;
  readonly onClick: () => void;
}

function DeviceButton({ device, isDisabled, onClick }: DeviceButtonProps) {
  const { t } = useTranslation();
  const Icon = device.client === 'mobile' ? IconDeviceMobile : IconDeviceLaptop;
  return (
    <Button
      variant="default"
      mih={48}
      h="auto"
      py={6}
      fullWidth
      justify="flex-start"
      leftSection={<Icon size={22} stroke={1.5} aria-hidden />}
      disabled={isDisabled}
      onClick={onClick}
    >
      <span className={classes.device}>
        {nameDevice(device, t)}
        <Text component="span" size="xs" c="dimmed">
          {t('transfer.online')}
        </Text>
      </span>
    </Button>
  );
}

/** The user's other online devices. An event of the stream refetches them. */
function useDevices(): readonly LoginSessionRecord[] {
  const isLoggedIn = useSession() !== undefined;
  const { data = [] } = useQuery({
    ...queryOf(KEYS.logins(), 'GET /api/user/sessions'),
    enabled: isLoggedIn,
    // The cached list may be older than the event stream of this page, so changes may be missing.
    staleTime: 0,
  });
  return isLoggedIn ? data.filter(({ here, current }) => here && !current) : [];
}
