import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../../ui/buttons/copy-button.tsx';

/** Shows new recovery codes, which are never shown again. */
export function RecoveryCodeList({
  codes,
  onDone,
}: {
  readonly codes: readonly string[];
  readonly onDone: () => void;
}) {
  const { t } = useTranslation();
  return (
    <Stack>
      <Text>{t('security.codesText')}</Text>
      <Code block fz="md" component="pre" role="group" aria-label={t('security.codesLabel')}>
        {codes.join('\n')}
      </Code>
      <Group justify="flex-end">
        <CopyButton text={codes.join('\n')} label={t('security.copyCodes')} isFirst mih="var(--tap-size)" />
        <Button mih="var(--tap-size)" onClick={onDone}>
          {t('security.codesKept')}
        </Button>
      </Group>
    </Stack>
  );
}
