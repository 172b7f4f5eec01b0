import { Code, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../ui/buttons/copy-button.tsx';

interface EnteredProps {
  readonly text: string;
  /** What the text is, for screen readers, if it should not be read out. */
  readonly name?: string;
}

/** A text to enter in a program, with a copy button. */
export function Entered({ text, name }: EnteredProps) {
  const { t } = useTranslation();
  const label = t('connect.copy');
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start" mt={4}>
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
        describedAs={`${label}: ${name ?? text}`}
        mih="var(--tap-size)"
        flex="none"
      />
    </Group>
  );
}
