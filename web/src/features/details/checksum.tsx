import { ActionIcon, Code } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useCopy } from '../../ui/use-copy.ts';
import classes from './details.module.css';

/** A checksum, and a way to take it elsewhere. */
export function Checksum({ value }: { value: string }) {
  const { t } = useTranslation();
  const { isCopied, copy } = useCopy(value);
  return (
    <div className={classes.checksum}>
      <Code>{value}</Code>
      <ActionIcon
        variant="default"
        size={40}
        onClick={copy}
        aria-label={isCopied ? t('common.copied') : t('details.copy')}
      >
        {isCopied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />}
      </ActionIcon>
    </div>
  );
}
