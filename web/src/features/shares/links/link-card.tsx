import { Box, Button, Center, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconShare2 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { notifyError } from '../../../ui/notifications/notify.ts';
import { QrCode } from '../../../ui/qr/qr-code.tsx';

interface LinkCardProps {
  readonly address: string;
  /** The name of the shared file or folder. */
  readonly name: string;
  /** The password of the share, as long as the page knows it. */
  readonly password?: string | undefined;
  /** Whether it was just created, so that the next step is to copy it. */
  readonly isNew?: boolean;
}

/** A link in every form in which it can be passed on. */
export function LinkCard({ address, name, password, isNew = false }: LinkCardProps) {
  const { t } = useTranslation();
  const canSend = typeof navigator.share === 'function';
  const send = async () => {
    try {
      await navigator.share({ title: name, url: address });
    } catch (error) {
      // The user cancelled.
      if (!(error instanceof DOMException && error.name === 'AbortError')) notifyError(error);
    }
  };
  return (
    <Stack gap="md">
      <TextInput
        label={t('shares.link')}
        value={address}
        readOnly
        size="md"
        onFocus={(event) => event.currentTarget.select()}
      />
      <Group grow preventGrowOverflow={false}>
        <CopyButton text={address} label={t('shares.copyLink')} size="md" isFirst={isNew} />
        {canSend && (
          <Button
            variant="default"
            size="md"
            leftSection={<IconShare2 size={16} aria-hidden />}
            onClick={() => void send()}
          >
            {t('shares.send')}
          </Button>
        )}
      </Group>
      {password !== undefined && (
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm">{t('shares.tellPassword')}</Text>
          <CopyButton
            text={password}
            label={t('shares.copyPassword')}
            variant="default"
            mih={40}
            flex="none"
          />
        </Group>
      )}
      <Center>
        <Box ta="center">
          <QrCode text={address} label={t('shares.qrCodeOf', { name })} />
          <Text size="xs" c="dimmed" mt={4}>
            {t('shares.qrHint')}
          </Text>
        </Box>
      </Center>
    </Stack>
  );
}
