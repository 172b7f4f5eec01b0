import { Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { QrCode } from '../../../ui/qr-code.tsx';
import { groupCode, spellCode } from '../session/pickup-code.ts';
import classes from '../transfer.module.css';

/** What the receiver needs: the code, the link, or the QR code. */
export function CodeCard({ code }: { readonly code: string }) {
  const { t } = useTranslation();
  const link = `${location.origin}/transfer/${code}`;
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
        <Group gap="xs" justify="center">
          <CopyButton text={code} label={t('transfer.copyCode')} h={40} />
          <CopyButton text={link} label={t('transfer.copyLink')} Icon={IconLink} h={40} />
        </Group>
        <Text size="sm" c="dimmed" ta="center">
          {t('transfer.howToReceive', { address: `${location.host}/transfer` })}
        </Text>
      </Stack>
      <QrCode text={link} label={t('transfer.qrCode')} width={176} />
    </div>
  );
}
