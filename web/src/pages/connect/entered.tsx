import { Code, Group, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../ui/buttons/copy-button.tsx';
import { QrCode } from '../../ui/qr/qr-code.tsx';

/** A text to be entered in a program, with a button that copies it. */
export function Entered({ text, hasQr = false }: { readonly text: string; readonly hasQr?: boolean }) {
  const { t } = useTranslation();
  const label = t('connect.copy');
  return (
    <Stack gap="sm" mt={6} align="flex-start">
      <Group gap="xs" wrap="nowrap" align="flex-start" w="100%">
        <Code
          block
          flex={1}
          miw={0}
          fz="sm"
          mih="var(--tap-size)"
          style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}
        >
          {text}
        </Code>
        <CopyButton
          text={text}
          label={label}
          describedAs={`${label}: ${text}`}
          mih="var(--tap-size)"
          flex="none"
        />
      </Group>
      {hasQr && <QrCode text={text} label={t('connect.phoneQr')} width={176} />}
    </Stack>
  );
}
