import { ActionIcon, Code, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './details.module.css';

/** A checksum, and a way to take it elsewhere. */
export function Checksum({ value }: { value: string }) {
  const { t } = useTranslation();
  return (
    <div className={classes.checksum}>
      <Code>{value}</Code>
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <ActionIcon
            variant="default"
            size={40}
            onClick={copy}
            aria-label={copied ? t('details.copied') : t('details.copy')}
          >
            {copied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />}
          </ActionIcon>
        )}
      </CopyButton>
    </div>
  );
}
