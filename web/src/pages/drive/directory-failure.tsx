import { Button, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/api-error.ts';
import { ROOT, toDirectory } from '../../common/drive-paths.ts';
import { FailureNotice } from '../../ui/failure-notice.tsx';

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
