import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { IconDeviceMobileShare } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { HoldallError } from '../../../../../client/src/errors/errors.ts';
import { errorOf } from '../../../../../client/src/errors/read-error.ts';
import { toSafePaths } from '../../../../../client/src/transfer/session/safe-paths.ts';
import { formatBytes } from '../../../messages/formats.ts';
import { notify, notifyError } from '../../../ui/notifications/notify.ts';
import type { DeviceOffer } from '../../live/device-offers.ts';
import { notifyFailure } from '../progress/notify-failure.ts';
import { choosePlace } from '../saving/places.ts';
import { setCurrent } from '../session/current.ts';
import { Receiving } from '../session/receiving.ts';
import { declineOffer, lookUpSession } from '../session/sessions.ts';
import { useCurrentTransfers, useIsReceiving } from '../session/use-transfer.ts';
import classes from '../transfer.module.css';
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
    onError: (error) => (isGone(error) ? notify(t('transfer.offerEnded'), 'neutral') : notifyFailure(error)),
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

/**
 * Receives the files that another device offers, with the code in the offer. If they are encrypted, the
 * caller must open the transfer's page, which asks for the secret: the service does not know it. Must be
 * called from a click, because the user may have to choose where to save the files.
 * @throws HoldallError 404 if it has ended; NoPlace
 */
async function acceptOffer(offer: DeviceOffer): Promise<'receiving' | 'to-open' | 'cancelled'> {
  const session = await lookUpSession(offer.pickupCode);
  // After a transfer has ended, another one may get its code.
  if (session.sessionId !== offer.sessionId) throw errorOf(404, 'The transfer has ended.');
  if (session.encrypted) return 'to-open';
  const paths = toSafePaths(session.files);
  const totalBytes = session.files.reduce((sum, { size }) => sum + size, 0);
  const place = await choosePlace(paths, totalBytes).catch((error: unknown) => {
    // The service answered too late: browsers let a page open a picker only shortly after a click. The page
    // offers another button for this.
    if (error instanceof DOMException && error.name === 'SecurityError') return 'too-late' as const;
    throw error;
  });
  if (place === 'too-late') return 'to-open';
  if (place === undefined) return 'cancelled';
  const receiving = new Receiving({ session, encryption: undefined }, place, paths);
  setCurrent({ receiving });
  void receiving.start();
  return 'receiving';
}
