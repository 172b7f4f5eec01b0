import { Button, CopyButton, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconCopy, IconLink } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { groupCode, spellCode } from './pickup-code.ts';
import { QrCode } from './qr-code.tsx';
import classes from './transfer.module.css';

/** What the other one needs: the code, the link or the picture of it. */
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
          <Copy text={code} label={t('transfer.copyCode')} Icon={IconCopy} />
          <Copy text={link} label={t('transfer.copyLink')} Icon={IconLink} />
        </Group>
        <Text size="sm" c="dimmed" ta="center">
          {t('transfer.howToReceive', { address: `${location.host}/transfer` })}
        </Text>
      </Stack>
      <QrCode text={link} label={t('transfer.qrCode')} />
    </div>
  );
}

function Copy({ text, label, Icon }: { text: string; label: string; Icon: typeof IconCopy }) {
  const { t } = useTranslation();
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          h={40}
          onClick={copy}
          leftSection={copied ? <IconCheck size={18} aria-hidden /> : <Icon size={18} aria-hidden />}
        >
          <span aria-live="polite">{copied ? t('transfer.copied') : label}</span>
        </Button>
      )}
    </CopyButton>
  );
}
