import { Stack, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { HoldallError } from '../../../../../client/src/errors/errors.ts';
import { FailureNotice } from '../../../ui/placeholders/failure-notice.tsx';
import { PublicNotice } from './public-notice.tsx';

/** Shown instead of a share that does not exist (any more) or could not be loaded. */
export function PublicFailure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { t } = useTranslation();
  if (error instanceof HoldallError && [400, 404].includes(error.status))
    return <PublicNotice ending="gone" />;
  return (
    <Stack>
      <Title order={1}>{t('common.failed')}</Title>
      <FailureNotice error={error} onRetry={onRetry} />
    </Stack>
  );
}
