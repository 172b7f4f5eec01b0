import { Box, Center, Group, Stack, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../../ui/buttons/copy-button.tsx';
import { ShareButton } from '../../../ui/buttons/share-button.tsx';
import { QrCode } from '../../../ui/qr/qr-code.tsx';

interface LinkCardProps {
  readonly address: string;
  /** The name of the shared file or folder. */
  readonly name: string;
  /** The password of the share, if the page still knows it. */
  readonly password?: string | undefined;
  /** Whether the link was just created. Then the next step is to copy it. */
  readonly isNew?: boolean;
}

/** A link, with all the ways to pass it on. */
export function LinkCard({ address, name, password, isNew = false }: LinkCardProps) {
  const { t } = useTranslation();
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
        <ShareButton title={name} url={address} size="md" />
      </Group>
      {password !== undefined && (
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm">{t('shares.tellPassword')}</Text>
          <CopyButton
            text={password}
            label={t('shares.copyPassword')}
            variant="default"
            mih="var(--tap-size)"
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
