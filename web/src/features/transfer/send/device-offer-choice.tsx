import { Alert, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { LoginSessionRecord } from '../../../../../client/src/client.ts';
import { DeviceList } from '../devices/device-list.tsx';
import { nameDevice } from '../devices/device-name.ts';
import { notifyDeviceFailure } from '../devices/notify-device-failure.ts';
import type { Sending } from '../session/sending.ts';
import type { TransferState } from '../session/state/transfer-state.ts';

/** Lists the user's other devices, which can be asked instead of sharing the code. */
export function DeviceOfferChoice(props: { readonly sending: Sending; readonly state: TransferState }) {
  const { t } = useTranslation();
  const { sending, state } = props;
  const { offer, secret } = state;
  const ask = useMutation({
    mutationFn: (device: LoginSessionRecord) => sending.offerTo(device.id, nameDevice(device, t)),
    onError: notifyDeviceFailure,
  });
  return (
    <>
      <div role="status">
        {offer !== undefined && (
          <Alert color={offer.isDeclined ? 'yellow' : 'blue'} icon={<IconInfoCircle aria-hidden />}>
            {t(offer.isDeclined ? 'transfer.offerDeclined' : 'transfer.offerWaits', { name: offer.device })}
            {!offer.isDeclined && secret !== undefined && (
              <Text size="sm">{t('transfer.offerNeedsSecret')}</Text>
            )}
          </Alert>
        )}
      </div>
      <DeviceList
        title={t('transfer.orOwnDevice')}
        isDisabled={ask.isPending}
        onChosen={(device) => ask.mutate(device)}
      />
    </>
  );
}
