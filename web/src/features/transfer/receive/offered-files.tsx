import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { TransferRecord } from '../../../../../client/src/client.ts';
import { formatBytes } from '../../../messages/formats.ts';
import { FileList } from '../progress/file-list.tsx';
import classes from '../transfer.module.css';

/** @param actions the actions for the file with that index */
export function OfferedFiles({
  files,
  paths,
  actions,
}: {
  readonly files: readonly TransferRecord['files'][number][];
  readonly paths: readonly (readonly string[])[];
  readonly actions?: (index: number) => ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <FileList aria-label={t('transfer.files')}>
      {files.map(({ id, size }, index) => (
        <li key={id} className={classes.file}>
          <Text size="sm" component="span" className={classes.path}>
            {(paths[index] ?? []).join('/')}
          </Text>
          <span className={classes.amount}>{formatBytes(size)}</span>
          {actions?.(index)}
        </li>
      ))}
    </FileList>
  );
}
