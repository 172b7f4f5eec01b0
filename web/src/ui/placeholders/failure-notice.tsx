import { Alert, Button } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { messageOf } from '../../common/message-of.ts';

interface FailureNoticeProps {
  readonly error: unknown;
  /** What has failed, if the page knows more than the error. */
  readonly title?: string;
  readonly onRetry?: () => void;
}

/** Shown instead of content that could not be loaded. */
export function FailureNotice({ error, title = messageOf(error), onRetry }: FailureNoticeProps) {
  const { t } = useTranslation();
  return (
    <Alert color="red" icon={<IconAlertCircle aria-hidden />} title={title}>
      {onRetry && (
        <Button variant="default" size="xs" onClick={onRetry}>
          {t('common.tryAgain')}
        </Button>
      )}
    </Alert>
  );
}
