import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { IconDeviceMobileShare } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { HoldallError } from '../../../../../client/src/errors/errors.ts';
import { formatBytes } from '../../../messages/formats.ts';
import { notify, notifyError } from '../../../ui/notifications/notify.ts';
import type { DeviceOffer } from '../../live/device-offers.ts';
import { notifyFailure } from '../progress/notify-failure.ts';
import { declineOffer } from '../session/sessions.ts';
import { useCurrentTransfers, useIsReceiving } from '../session/use-transfer.ts';
import classes from '../transfer.module.css';
import { acceptOffer } from './accept-offer.ts';
import { nameDevice } from './device-name.ts';

export function OfferCards({ offers }: { readonly offers: readonly DeviceOffer[] }) {
  return (
    <div className={classes.offers} role="status">
      {offers.map((offer) => (
        <OfferCard key={offer.sessionId} offer={offer} />
      ))}
    </div>
  );
}

function OfferCard({ offer }: { readonly offer: DeviceOffer }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const isBusy = useIsReceiving(useCurrentTransfers().receiving);
  const accept = useMutation({
    mutationFn: () => acceptOffer(offer),
    onSuccess: (outcome) => {
      if (outcome !== 'cancelled') {
        void navigate({ to: '/transfer/{-$code}', params: { code: offer.pickupCode } });
      }
    },
    onError: (error) => (isGone(error) ? notify(t('transfer.offerEnded')) : notifyFailure(error)),
  });
  const decline = useMutation({
    mutationFn: () => declineOffer(offer.sessionId),
    // The offer has ended already, and the stream removes it.
    onError: (error) => (isGone(error) ? undefined : notifyError(error)),
  });
  const name = nameDevice(offer.from, t);
  const size = formatBytes(offer.totalBytes);
  return (
    <Paper withBorder shadow="md" p="md" className={classes.offerCard}>
      <Stack gap="sm">
        <Group gap="sm" wrap="nowrap" align="flex-start">
          <IconDeviceMobileShare size={24} stroke={1.5} className={classes.icon} aria-hidden />
          <Text size="sm" className={classes.path}>
            {t('transfer.deviceOffers', { name, count: offer.fileCount, size })}
          </Text>
        </Group>
        {isBusy && (
          <Text size="sm" c="dimmed">
            {t('transfer.busyReceiving')}
          </Text>
        )}
        <Group gap="xs" justify="flex-end">
          <Button
            h={40}
            variant="default"
            loading={decline.isPending}
            disabled={accept.isPending}
            onClick={() => decline.mutate()}
          >
            {t('transfer.decline')}
          </Button>
          <Button h={40} disabled={isBusy} loading={accept.isPending} onClick={() => accept.mutate()}>
            {t('transfer.acceptOffer')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}

function isGone(error: unknown): boolean {
  return error instanceof HoldallError && error.status === 404;
}
