import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { NewAppPassword } from '../../../../../client/src/client.ts';
import { CopyButton } from '../../../ui/buttons/copy-button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { QrCode } from '../../../ui/qr/qr-code.tsx';

/** Shows a new app password, for the only time. */
export function CreatedDialog({
  appPassword: { name, password },
  onClose,
}: {
  readonly appPassword: NewAppPassword;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  return (
    // A click outside would lose the password.
    <Dialog onClose={onClose} closeOnClickOutside={false} title={t('profile.createdTitle', { name })}>
      <Stack>
        <Text>{t('profile.createdText')}</Text>
        <Code block fz="md" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {password}
        </Code>
        <Group justify="center">
          <QrCode text={password} label={t('profile.createdQr')} width={176} />
        </Group>
        <Group justify="flex-end">
          <CopyButton text={password} label={t('profile.copyAppPassword')} isFirst mih="var(--tap-size)" />
          <Button mih="var(--tap-size)" onClick={onClose}>
            {t('profile.done')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
