import { Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { groupSecret } from '../../../../../client/src/transfer/encryption/secret.ts';
import { groupCode, spellCode } from '../../../../../client/src/transfer/session/pickup-code.ts';
import { CopyButton } from '../../../ui/buttons/copy-button.tsx';
import { ShareButton } from '../../../ui/buttons/share-button.tsx';
import { QrCode } from '../../../ui/qr/qr-code.tsx';
import classes from '../transfer.module.css';

interface CodeCardProps {
  readonly code: string;
  /** The secret of an encrypted transfer. */
  readonly secret: string | undefined;
}

/** Shows what the receiver needs: the code (with the secret if there is one), the link, or the QR code. */
export function CodeCard({ code, secret }: CodeCardProps) {
  const { t } = useTranslation();
  const address = `${location.origin}/transfer/${code}`;
  // Browsers do not send the part after the `#` to the service.
  const link = secret === undefined ? address : `${address}#${secret}`;
  const grouped = secret === undefined ? undefined : groupSecret(secret);
  return (
    <div className={classes.meeting}>
      <Stack gap="sm" align="center">
        <Text size="sm" c="dimmed">
          {t('transfer.yourCode')}
        </Text>
        <div className={classes.code}>
          <span aria-hidden>{groupCode(code)}</span>
          <VisuallyHidden>{spellCode(code)}</VisuallyHidden>
        </div>
        {secret !== undefined && grouped !== undefined && (
          <div className={classes.secret}>
            <span aria-hidden>–{grouped}</span>
            <VisuallyHidden>{`${t('transfer.secret')}: ${spellCode(secret)}`}</VisuallyHidden>
          </div>
        )}
        <Group gap="xs" justify="center">
          <CopyButton
            text={grouped === undefined ? code : `${code}-${grouped}`}
            label={t('transfer.copyCode')}
            h={40}
          />
          <CopyButton text={link} label={t('transfer.copyLink')} Icon={IconLink} h={40} />
          <ShareButton title={t('transfer.title')} url={link} h={40} />
        </Group>
        <Text size="sm" c="dimmed" ta="center" maw={420}>
          {t(secret === undefined ? 'transfer.howToReceive' : 'transfer.howToReceiveSecret', {
            address: `${location.host}/transfer`,
          })}
        </Text>
      </Stack>
      <QrCode text={link} label={t('transfer.qrCode')} width={176} />
    </div>
  );
}
