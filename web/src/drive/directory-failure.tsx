import { Button, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/api-error.ts';
import { FailureNotice } from '../common/failure-notice.tsx';
import { ROOT, toDirectory } from './drive-paths.ts';

/** A folder that is not there, or cannot be read just now. */
export function DirectoryFailure({
  error,
  onRetry,
}: {
  readonly error: unknown;
  readonly onRetry: () => void;
}) {
  const { t } = useTranslation();
  const isGone = error instanceof ApiError && error.status === 404;
  return (
    <Stack align="flex-start" pt="md">
      {isGone ? <FailureNotice error={error} /> : <FailureNotice error={error} onRetry={onRetry} />}
      <Button renderRoot={(root) => <Link {...toDirectory(ROOT)} {...root} />} variant="default">
        {t('common.backToFiles')}
      </Button>
    </Stack>
  );
}
