import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ROOT, toDirectory } from '../../common/names/drive-paths.ts';

interface ToFilesProps {
  readonly label?: string;
  /** Whether the link leads out of the present drive, to the user's own files. */
  readonly isOwn?: boolean;
}

/** Leads from an empty page to the folder with which it can be filled. */
export function ToFiles({ label, isOwn = false }: ToFilesProps) {
  const { t } = useTranslation();
  const place = isOwn ? toDirectory(ROOT, { drive: undefined }) : toDirectory(ROOT);
  return (
    <Button variant="light" mih="var(--tap-size)" renderRoot={(props) => <Link {...props} {...place} />}>
      {label ?? t('common.toFiles')}
    </Button>
  );
}
